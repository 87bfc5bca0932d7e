package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.remote.Host;
import io.jenkins.plugins.tao.remote.SshHost;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Jobs on the real cluster of the rig. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SlurmJobsIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final String DIRECTORY = "it-" + RUN;

    private final SlurmTarget target = SlurmRig.target(DIRECTORY).build();
    private final Host host = new SshHost(target.login(), "rig");
    private final SlurmBackend backend = new SlurmBackend(target, host);

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() {
        backend.close();
    }

    private static JobKey key(String name) {
        return new JobKey(name + "-" + RUN);
    }

    private static JobSpec.Builder job(String command) {
        return JobSpec.of(command).resources(machines(1, 1));
    }

    private static Resources machines(int nodes, int gpus) {
        return new Resources(nodes, OptionalInt.of(gpus), OptionalInt.of(1), Optional.of(Duration.ofMinutes(10)));
    }

    private JobStatus untilEnded(JobHandle job) {
        return await().atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(300))
                .until(
                        () -> backend.poll(Set.of(job)).get(job),
                        status -> status != null && status.state() == JobState.ENDED);
    }

    private String read(JobHandle job, Stream stream) throws BackendException {
        StreamRef ref = new StreamRef(job, stream);
        Tail tail = backend.read(Map.of(ref, Position.START)).get(ref);
        return tail == null ? "" : new String(tail.bytes(), StandardCharsets.UTF_8);
    }

    @Test
    @Promise({"SL-01", "SL-26", "SL-34", "SL-35", "SL-40", "SL-57", "SL-62", "SL-87"})
    void aJobRunsAndLeavesLogsStatusAndExitCode() throws Exception {
        JobHandle job = backend.submit(
                job("echo out of $TAO_JOB_ID; echo err >&2; mkdir -p {results_dir}/train;"
                                + " echo '{\"status\": \"SUCCESS\"}' > {results_dir}/train/status.json; echo $TAO_API_RESULTS_DIR")
                        .build(),
                key("plain"));

        JobStatus status = untilEnded(job);

        assertThat(status.ending()).contains(Ending.COMPLETED);
        assertThat(status.exitCode()).hasValue(0);
        assertThat(status.runs()).isEqualTo(1);
        assertThat(status.startedAt()).isPresent();
        assertThat(status.endedAt()).isPresent();
        assertThat(status.nodes()).hasSize(1);
        assertThat(read(job, Stream.OUT))
                .isEqualTo("out of " + key("plain") + "\n/lustre/tao/" + DIRECTORY + "/results\n");
        assertThat(read(job, Stream.ERR)).isEqualTo("err\n");
        assertThat(read(job, Stream.STATUS)).contains("SUCCESS");
        assertThat(job.resultsDirectory()).isEqualTo("/lustre/tao/" + DIRECTORY + "/results/" + key("plain"));
        assertThat(SlurmRig.shell(
                        host,
                        "cat /lustre/tao/" + DIRECTORY + "/slurm-logs/tao-job-" + key("plain") + "-" + job.nativeId()
                                + "/main.out"))
                .startsWith("out of");
    }
}
