package io.jenkins.plugins.tao.backend.slurm.array;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
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

/** What the members of an array tell of their GPUs as one stream, read from real files by the real script. */
final class ArraySamplesTest {
    @TempDir
    Path base;

    private final Host host = new LocalHost();
    private final Map<Integer, JobStatus> members = new TreeMap<>();
    private Position at = Position.START;
    private boolean more;
    private int asked;

    @BeforeEach
    void nobodyHasStarted() throws IOException {
        Files.createDirectories(base.resolve("slurm-logs"));
        for (int i = 0; i < 400; i++) {
            members.put(i, JobStatus.live(JobState.PENDING, "PENDING"));
        }
    }

    private JobHandle job() {
        return new JobHandle("t", "slurm", new JobKey("a"), 1, "7_[0-399]", base.toString(), "/r", Instant.EPOCH);
    }

    private void tells(int member, String text) throws IOException {
        Files.writeString(
                base.resolve("slurm-logs/tao-job-a-7_" + member + ".gpu"),
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
        StreamRef ref = new StreamRef(job(), Stream.MACHINE);
        SlurmReading reading = new SlurmReading(Map.of(ref, at), Map.of(job(), members));
        asked = reading.requests().size();
        Map<StreamRef, Tail> tails = new HashMap<>();
        reading.ask(host, Duration.ofMinutes(5), true, tails::put);
        Optional<Tail> tail = Optional.ofNullable(tails.get(ref));
        tail.ifPresent(news -> at = news.next());
        more = tail.isPresent() && tail.get().more();
        return tail.map(news -> new String(news.bytes(), StandardCharsets.UTF_8))
                .orElse("");
    }

    @Test
    @Promise({"NV-01", "NV-28", "NS-24"})
    void membersThatRunTogetherTellTogetherUntilEachEnds() throws Exception {
        runs(3);
        runs(17);
        tells(3, "node gpu01\nuse 1700000000 0,97,3\n");
        tells(17, "use 1700000001 1,0,3\nuse 17000");
        tells(20, "use 1700000002 0,5,5\n");

        assertThat(read()).isEqualTo("[3] node gpu01\n[3] use 1700000000 0,97,3\n[17] use 1700000001 1,0,3\n");
        assertThat(asked).isEqualTo(2);
        assertThat(read()).isEmpty();

        tells(17, "00031 1,9,3\n");
        ended(3);
        assertThat(read()).isEqualTo("[3] end\n[17] use 1700000031 1,9,3\n");

        tells(3, "use 1700000060 0,1,1\n");
        ended(17);
        assertThat(read()).isEqualTo("[17] end\n");
        assertThat(read()).isEmpty();
    }

    @Test
    void ofAMemberOnSeveralNodesTheFirstIsTold() throws Exception {
        runs(3);
        tells(3, "use 1700000000 0,97,3\n[1] use 1700000000 0,5,3\n");

        assertThat(read()).isEqualTo("[3] use 1700000000 0,97,3\n");
    }

    @Test
    void aBoundedNumberOfFilesIsReadAtOnceAndAllOfThemInTheEnd() throws Exception {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            tells(i, "use 1700000000 0,5,3\n");
            ended(i);
            all.append("[" + i + "] use 1700000000 0,5,3\n[" + i + "] end\n");
        }

        StringBuilder told = new StringBuilder();
        int reads = 0;
        do {
            told.append(read());
            reads++;
            assertThat(asked).isLessThanOrEqualTo(ArraySamples.AT_ONCE);
        } while (more);

        assertThat(told).hasToString(all.toString());
        assertThat(reads).isEqualTo(400 / ArraySamples.AT_ONCE);
        assertThat(at.file()).isEqualTo("members:0-399;");
    }

    @Test
    void aMemberThatWasPutBackIntoTheQueueGoesOnInItsFile() throws Exception {
        runs(3);
        tells(3, "node gpu01\n");
        read();
        members.put(3, JobStatus.live(JobState.PENDING, "PENDING"));
        assertThat(read()).isEmpty();

        runs(3);
        tells(3, "node gpu02\n");

        assertThat(read()).isEqualTo("[3] node gpu02\n");
    }

    @Test
    void membersWithoutGpusTellNothing() throws Exception {
        members.keySet().forEach(this::ended);

        do {
            assertThat(read()).isEmpty();
        } while (more);
        assertThat(asked).isPositive();
    }
}
