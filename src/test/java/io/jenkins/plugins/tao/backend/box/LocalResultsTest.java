package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.payload.S3Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of a machine without a scheduler on their way to S3, against a storage that checks each signature. */
class LocalResultsTest {
    @TempDir
    Path directory;

    private final S3Server s3 = S3Server.start().bucket("models");
    private Backend backend;

    @BeforeEach
    void open() {
        backend = new LocalType().open(new LocalTarget("here", directory + "/tao", BoxUsual.SETTINGS));
    }

    @AfterEach
    void close() throws Exception {
        backend.close();
        s3.close();
    }

    private JobSpec.Builder job(String command) {
        return JobSpec.of(command)
                .resultsDirectory("s3://models/nightly")
                .env(Map.of("S3_ENDPOINT_URL", s3.endpoint(), "TAO_TRANSFER_PAUSE", "0.02"))
                .secrets(Map.of("ACCESS_KEY", S3Server.ACCESS, "SECRET_KEY", S3Server.SECRET));
    }

    private JobStatus ended(JobHandle job) {
        return await().pollInterval(Duration.ofMillis(200))
                .until(
                        () -> backend.poll(Set.of(job)).getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "ABSENT")),
                        status -> status.ending().isPresent());
    }

    @Test
    @Promise("NS-18")
    void theyStayOnTheMachineAndACopyIsAtTheAddress() throws Exception {
        JobHandle handle =
                backend.submit(job("echo trained > {results_dir}/m.pth").build(), new JobKey("night-1"));

        assertThat(ended(handle).ending()).hasValue(Ending.COMPLETED);

        assertThat(Path.of(handle.resultsDirectory(), "m.pth")).hasContent("trained");
        assertThat(s3.text("models", "nightly/m.pth")).isEqualTo("trained\n");
    }

    @Test
    @Promise("NS-18")
    void theResultsOfAFailedCommandGoThereTooAndItsExitCodeIsItsOwn() throws Exception {
        JobHandle handle =
                backend.submit(job("echo half > {results_dir}/m.pth; exit 9").build(), new JobKey("night-2"));

        assertThat(ended(handle).exitCode()).hasValue(9);
        assertThat(s3.text("models", "nightly/m.pth")).isEqualTo("half\n");
    }

    @Test
    @Promise("NS-18")
    void aCopyThatWasNotMadeIsNoSuccess() throws Exception {
        JobHandle handle = backend.submit(
                job("echo trained > {results_dir}/m.pth")
                        .resultsDirectory("s3://nowhere/x")
                        .build(),
                new JobKey("night-3"));

        assertThat(ended(handle).exitCode()).hasValue(74);
        assertThat(Path.of(handle.resultsDirectory(), "m.pth")).hasContent("trained");
    }

    @Test
    @Promise("NS-18")
    void withoutKeysNothingIsSent() {
        assertThatThrownBy(() -> backend.submit(job("true").secrets(Map.of()).build(), new JobKey("night-4")))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("it has no keys: give it the secrets ACCESS_KEY and SECRET_KEY");
    }
}
