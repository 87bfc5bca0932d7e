package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmScript;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.NgcRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Inputs of NVIDIA's registry in the batch script of a job; the registry is one that plays its refusals. */
final class WrapperInputsTest extends WrapperStage {
    private static final String NET = "ngc://acme/vision/net:1.0";

    @Test
    @Promise("NS-20")
    void aModelIsFetchedOnceForAllJobsOfTheClusterAndItsKeyIsNotInTheScript() throws Exception {
        try (NgcRegistry registry = new NgcRegistry()) {
            Map<String, Secret> secrets = Map.of("NGC_KEY", Secret.of(NgcRegistry.KEY));
            JobSpec spec = job("cat " + NET + "/config.yaml")
                    .inputs(List.of(NET))
                    .env(Map.of("NGC_ENDPOINT", registry.address(), "TAO_TRANSFER_PAUSE", "0.02"))
                    .secrets(secrets)
                    .build();
            Path file = slurm.base.resolve("secrets/" + Sample.KEY + ".1.env");
            Files.createDirectories(file.getParent());
            Files.writeString(file, SlurmScript.secrets(secrets) + "\n");

            int code = run(spec);

            assertThat(code).as(Files.readString(logs("err"))).isZero();
            assertThat(logs("out")).hasContent("a: 1");
            assertThat(slurm.base.resolve("inputs/ngc/acme/vision/net@1.0/w/net.onnx"))
                    .exists();
            assertThat(Files.readString(slurm.base.resolve("sbatch/job"))).doesNotContain(NgcRegistry.KEY);
        }
    }

    @Test
    @Promise("NS-20")
    void withoutItsInputsTheCommandIsNotStarted() throws Exception {
        try (NgcRegistry registry = new NgcRegistry()) {
            JobSpec spec = job("echo begun")
                    .inputs(List.of(NET))
                    .env(Map.of("NGC_ENDPOINT", registry.address(), "TAO_TRANSFER_PAUSE", "0.02"))
                    .build();

            assertThat(run(spec)).isEqualTo(66);

            assertThat(logs("out")).isEmptyFile();
            assertThat(logs("err"))
                    .content()
                    .contains("is not open to everybody: give the job the secret NGC_KEY", "was not started");
        }
    }
}
