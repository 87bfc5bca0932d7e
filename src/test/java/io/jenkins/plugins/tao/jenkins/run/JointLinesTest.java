package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JointLinesTest {
    private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-11-22T00:00:00Z"));
    private final JointLines lines = new JointLines("dgx", ticker, Runnable::run);
    private final List<String> log = new ArrayList<>();

    @Test
    @Promise("TR-78")
    void manyJobsThatWaitSayItInOneLineForTheirTarget() {
        for (int id = 1; id <= 2000; id++) {
            lines.still("dgx/" + id, "PENDING 2h11m (Priority), last response 4s ago", log::add);
        }
        ticker.advance(JointLines.GATHER);

        assertThat(log)
                .containsExactly(
                        "dgx: 2000 jobs still PENDING, such as dgx/1 PENDING 2h11m (Priority), last response 4s ago: dgx/1, dgx/2,"
                                + " dgx/3 and 1997 more");
    }

    @Test
    @Promise("TR-78")
    void anHourOfTwoThousandWaitsIsOneLineInFourMinutes() {
        for (int minute = 0; minute < 60; minute++) {
            for (int id = 0; id < 500; id++) {
                lines.still("dgx/" + (minute % 4 * 500 + id), "PENDING " + minute + "m", log::add);
            }
            ticker.advance(Duration.ofMinutes(1));
        }

        assertThat(log).hasSizeBetween(14, 16);
    }

    @Test
    void aJobAloneSaysItAsBefore() {
        lines.still("dgx/1", "RUNNING 2h on gpu01", log::add);
        ticker.advance(JointLines.GATHER);

        assertThat(log).containsExactly("dgx/1 still RUNNING 2h on gpu01");
    }

    @Test
    void aJobThatMovedOnIsNotToldAsWaiting() {
        lines.still("dgx/1", "PENDING 2h", log::add);
        lines.moved("dgx/1");
        ticker.advance(JointLines.GATHER);

        assertThat(log).isEmpty();
    }

    @Test
    @Promise("TR-78")
    void jobsThatWaitForTheSameReasonAreToldTogether() {
        for (int id = 1; id <= 10; id++) {
            lines.waits("dgx/" + id, "PENDING (Priority)", log::add);
        }
        lines.waits("dgx/11", "PENDING (QOSMaxGRESPerUser)", log::add);
        ticker.advance(JointLines.GATHER);

        assertThat(log)
                .containsExactly(
                        "dgx: 10 jobs PENDING (Priority): dgx/1, dgx/2, dgx/3 and 7 more",
                        "dgx/11 PENDING (QOSMaxGRESPerUser)");
    }

    @Test
    void whatAJobSaidWhileItWaitedComesBeforeWhatItDoesNext() {
        lines.waits("dgx/1", "PENDING (Priority)", log::add);
        lines.moved("dgx/1");

        assertThat(log).containsExactly("dgx/1 PENDING (Priority)");
        ticker.advance(JointLines.GATHER);
        assertThat(log).hasSize(1);
    }

    @Test
    @Promise("TR-78")
    void whatHoldsForTheTargetIsSaidOnce() {
        Duration window = Duration.ofMinutes(9);

        assertThat(lines.first("unreachable x", window)).isTrue();
        assertThat(lines.first("unreachable x", window)).isFalse();
        assertThat(lines.first("unreachable y", window)).isTrue();
        lines.again("unreachable");
        assertThat(lines.first("unreachable x", window)).isTrue();
        ticker.advance(window);
        assertThat(lines.first("unreachable x", window)).isTrue();
    }
}
