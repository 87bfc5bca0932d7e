package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose directory is removed. */
class RemovedJobTest {
    @TempDir
    private Path temporary;

    @Test
    void aWrapperWhoseJobWasRemovedBeforeItsGateOpenedEnds() throws Exception {
        StagedJobs jobs = new StagedJobs(
                temporary, new LocalTarget("here", temporary.resolve("tao").toString(), BoxUsual.SETTINGS));
        Path job = jobs.staged("removed", JobSpec.of("true").build());
        Files.delete(job.resolve("attempt-1/gate/open"));

        CompletableFuture<Void> end = CompletableFuture.runAsync(() -> {
            try {
                jobs.run("sh", job, "# complete");
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
        Awaitility.await().until(() -> Files.exists(job.resolve("attempt-1/process")));
        new LocalHost().run("rm -rf " + job, Duration.ofMinutes(1));

        assertThat(end).succeedsWithin(Duration.ofMinutes(5));
    }
}
