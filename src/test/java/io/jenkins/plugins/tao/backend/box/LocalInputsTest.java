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
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.NgcRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs of NVIDIA's registry on a machine without a scheduler; the registry is one that plays its refusals. */
class LocalInputsTest {
    private static final String NET = "ngc://acme/vision/net:1.0";

    @TempDir
    Path directory;

    private static JobStatus ended(Backend backend, JobHandle job) {
        return await().pollInterval(Duration.ofMillis(200))
                .until(
                        () -> backend.poll(Set.of(job)).getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "ABSENT")),
                        status -> status.ending().isPresent());
    }

    private static JobSpec job(NgcRegistry registry, String command, Map<String, Secret> secrets) {
        return JobSpec.of(command)
                .inputs(List.of(NET))
                .spec(Map.of("model", NET + "/config.yaml"))
                .env(Map.of("NGC_ENDPOINT", registry.address(), "TAO_TRANSFER_PAUSE", "0.02"))
                .secrets(secrets)
                .build();
    }

    @Test
    @Promise("NS-20")
    void aModelIsThereBeforeTheCommandAndItsKeyIsInNoFile() throws Exception {
        try (NgcRegistry registry = new NgcRegistry();
                Backend backend =
                        new LocalType().open(new LocalTarget("here", directory + "/tao", BoxUsual.SETTINGS))) {
            String command = "cat " + NET + "/config.yaml > {results_dir}/seen; cp {config_path} {results_dir}/spec";
            JobSpec spec = job(registry, command, Map.of("NGC_KEY", Secret.of(NgcRegistry.KEY)));
            JobHandle handle = backend.submit(spec, new JobKey("model-1"));

            assertThat(ended(backend, handle).ending()).hasValue(Ending.COMPLETED);

            assertThat(Path.of(handle.resultsDirectory(), "seen")).hasContent("a: 1\n");
            assertThat(Files.readString(Path.of(handle.resultsDirectory(), "spec")))
                    .contains("/ngc/acme/vision/net@1.0/config.yaml");
            assertThat(filesThatHold(NgcRegistry.KEY)).isEmpty();
        }
    }

    @Test
    @Promise("NS-20")
    void withoutItsInputsTheCommandIsNotStarted() throws Exception {
        try (NgcRegistry registry = new NgcRegistry();
                Backend backend =
                        new LocalType().open(new LocalTarget("here", directory + "/tao", BoxUsual.SETTINGS))) {
            JobHandle handle =
                    backend.submit(job(registry, "touch {results_dir}/begun", Map.of()), new JobKey("model-2"));

            JobStatus end = ended(backend, handle);

            assertThat(end.exitCode()).hasValue(66);
            assertThat(Path.of(handle.resultsDirectory(), "begun")).doesNotExist();
        }
    }

    @Test
    @Promise("NS-20")
    void anAddressThatIsNoneIsRefusedBeforeAnythingIsSent() throws Exception {
        try (Backend backend = new LocalType().open(new LocalTarget("here", directory + "/tao", BoxUsual.SETTINGS))) {
            JobSpec spec = JobSpec.of("true").inputs(List.of("ngc://acme/net")).build();

            assertThatThrownBy(() -> backend.submit(spec, new JobKey("model-3")))
                    .isInstanceOf(BackendException.Rejected.class)
                    .hasMessageContaining("'ngc://acme/net' is nothing of NVIDIA's registry");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{data}/coco", "data/coco=s3://bucket/coco", "gs://bucket/coco", "file:///data/coco"})
    void anInputThatNothingBringsIsRefusedBeforeAnythingIsSent(String input) throws Exception {
        try (Backend backend = new LocalType().open(new LocalTarget("here", directory + "/tao", BoxUsual.SETTINGS))) {
            JobSpec spec = JobSpec.of("true").inputs(List.of(input)).build();
            String why = "nothing brings '" + input + "' to the machine";

            assertThat(backend.preflight(spec).checks())
                    .anySatisfy(check -> assertThat(check.detail()).contains(why));
            assertThatThrownBy(() -> backend.submit(spec, new JobKey("relative")))
                    .isInstanceOf(BackendException.Rejected.class)
                    .hasMessageContaining(why);
        }
        assertThat(directory.resolve("tao")).doesNotExist();
    }

    private List<String> filesThatHold(String text) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> {
                        try {
                            return Files.readString(file, StandardCharsets.ISO_8859_1)
                                    .contains(text);
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .map(Path::toString)
                    .toList();
        }
    }
}
