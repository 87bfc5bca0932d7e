package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.JobEvent.Lines;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Logs that take many reads. */
class LongLogSimulationTest extends Simulation {
    private static final List<String> LINES =
            IntStream.range(1000, 3000).mapToObj(number -> "epoch " + number).toList();

    private final JobHandle job = given(1, RUNNING);

    private List<String> seen() {
        return told(Lines.class).stream()
                .flatMap(lines -> lines.lines().stream())
                .toList();
    }

    @Test
    void theRestOfALongLogIsReadInTheNextRoundsWhichComeAtOnce() {
        cluster.write(job, Stream.OUT, String.join("\n", LINES) + "\n"); // 22,000 bytes, 1,024 in a read

        watch(job);
        ticker.advance(Duration.ofMillis(1));

        assertThat(seen()).isEqualTo(LINES);
        assertThat(cluster.reads.get()).isEqualTo(22);
        assertThat(cluster.polls.get()).isEqualTo(3);
    }

    @Test
    void whatWasReadBeforeTheTargetFellSilentIsSeenOnceAndTheRestLater() {
        cluster.write(job, Stream.OUT, String.join("\n", LINES) + "\n");

        monitor.watch(target, job, WatchPlan.defaults(), memory, event -> {
            if (event instanceof Lines && told(Lines.class).size() == 2) {
                cluster.files.fail(1, silence());
            }
            events.add(event);
        });

        assertThat(seen()).isEqualTo(LINES.subList(0, seen().size())).hasSizeBetween(200, 300);
        ticker.advance(Duration.ofMinutes(5));
        assertThat(seen()).isEqualTo(LINES);
    }

    @Test
    void aStreamThatSaysMoreAndStaysWhereItIsIsAskedOnceARound() {
        cluster.files.stuck = true;

        watch(job);

        assertThat(cluster.reads.get()).isEqualTo(1);
    }
}
