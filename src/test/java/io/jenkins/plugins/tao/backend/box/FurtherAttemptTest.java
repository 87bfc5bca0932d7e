package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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
        backend = new LocalType().open(new LocalTarget("here", temporary + "/tao"));
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
