package io.jenkins.plugins.tao.backend.slurm.array;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmReading;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The logs of members as one, read from real files by the real script. */
final class ArrayFollowTest {
    @TempDir
    Path base;

    private final Host host = new LocalHost();
    private final Map<Integer, JobStatus> members = new TreeMap<>();
    private Position at = Position.START;
    private boolean more;

    @BeforeEach
    void nobodyHasStarted() throws IOException {
        Files.createDirectories(base.resolve("slurm-logs"));
        for (int i = 0; i < 40; i++) {
            members.put(i, JobStatus.live(JobState.PENDING, "PENDING"));
        }
    }

    private JobHandle job() {
        return new JobHandle("t", "slurm", new JobKey("a"), 1, "7_[0-39]", base.toString(), "/r", Instant.EPOCH);
    }

    private void log(int member, String text) throws IOException {
        Files.writeString(
                base.resolve("slurm-logs/tao-job-a-7_" + member + ".out"),
                text,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private void runs(int member) {
        members.put(member, JobStatus.live(JobState.RUNNING, "RUNNING"));
    }

    private void ended(int member) {
        members.put(member, JobStatus.ended(Ending.COMPLETED, "COMPLETED"));
    }

    /** One read of the stream. */
    private String read() throws Exception {
        StreamRef ref = new StreamRef(job(), Stream.OUT);
        SlurmReading reading = new SlurmReading(Map.of(ref, at), Map.of(job(), members));
        Map<StreamRef, Tail> tails = new HashMap<>();
        reading.ask(host, Duration.ofMinutes(5), true, tails::put);
        Optional<Tail> tail = Optional.ofNullable(tails.get(ref));
        tail.ifPresent(news -> at = news.next());
        more = tail.isPresent() && tail.get().more();
        return tail.map(news -> new String(news.bytes(), StandardCharsets.UTF_8))
                .orElse("");
    }

    @Test
    void aMemberIsFollowedToItsEndBeforeTheNextBegins() throws Exception {
        log(0, "one\n");
        log(1, "uno\n");
        runs(0);
        runs(1);

        assertThat(read()).isEqualTo("==== member 0 ====\none\n");
        log(0, "two");
        ended(0);

        assertThat(read()).isEqualTo("two\n==== member 1 ====\nuno\n");
        log(1, "due\n");
        assertThat(read()).isEqualTo("due\n");
        assertThat(read()).isEmpty();
        assertThat(more).isFalse();
    }

    @Test
    void aPlaceSurvivesARestartThatHasForgottenTheMembers() throws Exception {
        log(0, "one\n");
        runs(0);
        read();
        log(0, "two\n");
        log(1, "uno\n");
        members.clear();

        assertThat(read()).isEqualTo("two\n");
    }

    @Test
    void manyThatWroteNothingArePassedOver() throws Exception {
        for (int i = 0; i < 39; i++) {
            ended(i);
            log(i, "");
        }
        log(39, "last\n");
        ended(39);
        StringBuilder all = new StringBuilder();
        int reads = 0;
        do {
            all.append(read());
            reads++;
        } while (more && reads < 10);

        assertThat(all.toString()).isEqualTo("==== member 39 ====\nlast\n");
        assertThat(reads).isLessThanOrEqualTo(4);
    }

    @Test
    void largeLogsAreNotJoinedBeyondWhatAPlaceCanTell() throws Exception {
        String large = "x".repeat(99_999) + "\n";
        for (int i = 0; i < 3; i++) {
            log(i, large);
            ended(i);
        }
        StringBuilder all = new StringBuilder();
        int reads = 0;
        do {
            String news = read();
            all.append(news);
            assertThat(news.length()).isLessThan(256 * 1024);
            reads++;
        } while (more && reads < 10);

        assertThat(all.toString())
                .isEqualTo("==== member 0 ====\n" + large + "==== member 1 ====\n" + large + "==== member 2 ====\n"
                        + large);
    }

    @Test
    void theStatusOfAMemberIsNotTheWholes() {
        StreamRef ref = new StreamRef(job(), Stream.STATUS);

        assertThat(new SlurmReading(Map.of(ref, Position.START), Map.of()).requests())
                .isEmpty();
    }
}
