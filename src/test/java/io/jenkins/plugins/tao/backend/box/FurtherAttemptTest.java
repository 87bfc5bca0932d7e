package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.MemoryFile;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A further attempt beside the process of the one before. */
class FurtherAttemptTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private Backend backend;
    private JobHandle job;
    private Path attempt;

    @BeforeEach
    void anAttemptThatEnded() throws Exception {
        backend = new LocalType().open(new LocalTarget("here", temporary + "/tao", BoxUsual.SETTINGS));
        job = backend.submit(JobSpec.of("exit 9").build(), new JobKey("again"));
        attempt = temporary.resolve("tao/jobs/again/attempt-1");
        over(attempt);
    }

    private static void over(Path attempt) throws Exception {
        String wrapper = Files.readString(attempt.resolve("process")).split(" ", -1)[0];
        Awaitility.await()
                .atMost(Duration.ofMinutes(5))
                .until(() -> Files.exists(attempt.resolve("exit")) && Files.notExists(Path.of("/proc", wrapper)));
    }

    @Test
    void anAttemptThatToldItsEndAndTidiesUpIsWaitedFor() throws Exception {
        Process tidying = livesOn("2");

        JobHandle two = backend.resubmit(job, Map.of(), Set.of());

        assertThat(tidying.isAlive()).isFalse();
        assertThat(two.attempt()).isEqualTo(2);
        over(attempt.resolveSibling("attempt-2"));
    }

    @Test
    void anAttemptThatRunsIsNotFollowed() throws Exception {
        Process running = livesOn("600");
        Files.delete(attempt.resolve("exit"));
        try {
            assertThatThrownBy(() -> backend.resubmit(job, Map.of(), Set.of()))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("the attempt before still runs");
        } finally {
            running.destroyForcibly();
        }
    }

    @Test
    @Promise("TR-29")
    void whatTheAttemptsBeforeWroteIsFetchedWithTheLast() throws Exception {
        JobHandle two = backend.resubmit(job, Map.of(), Set.of());
        over(attempt.resolveSibling("attempt-2"));
        Path results = Files.createDirectories(Path.of(job.resultsDirectory()));
        Files.writeString(results.resolve("best.pth"), "of the first attempt");
        JobHandle later = two.nextAttempt(two.nativeId(), job.submittedAt().plusSeconds(3600));
        List<String> kept = new ArrayList<>();

        backend.fetch(later, ArtifactPlan.of(List.of("*.pth")), new ArtifactSink() {
            @Override
            public ArtifactFile open(String path) {
                return new MemoryFile(content -> kept.add(path));
            }

            @Override
            public void skipped(String path, String reason) {}
        });

        assertThat(kept).contains("results/best.pth");
    }

    /** As an older wrapper wrote it that was ended at the moment of its start. */
    @Test
    void anEndWhoseStartIsNotKnownIsAnEnd() throws Exception {
        Files.writeString(attempt.resolve("exit"), "143  1795000000\n");
        Files.writeString(attempt.resolve("started"), "");

        JobStatus status = Objects.requireNonNull(backend.poll(Set.of(job)).get(job));

        assertThat(status.state()).isEqualTo(JobState.ENDED);
        assertThat(status.exitCode()).hasValue(143);
    }

    @Test
    void notesThatCannotBeReadAreNoJobThatIsUnknown() throws Exception {
        Files.writeString(attempt.resolve("exit"), "x1 y2 z3\n");

        JobStatus status = Objects.requireNonNull(backend.poll(Set.of(job)).get(job));

        assertThat(status.state()).isEqualTo(JobState.UNCLEAR);
        assertThat(status.reason()).hasValueSatisfying(why -> assertThat(why).contains("cannot be read"));
    }

    /** A process that stands in for the wrapper. */
    private Process livesOn(String seconds) throws Exception {
        Process process = new ProcessBuilder("sleep", seconds).start();
        String stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
        String start = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
        String[] words = words();
        words[0] = String.valueOf(process.pid());
        words[1] = start;
        Files.writeString(attempt.resolve("process"), String.join(" ", words) + "\n");
        return process;
    }

    private String[] words() throws Exception {
        return Files.readString(attempt.resolve("process")).strip().split(" ", -1);
    }
}
