package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmScript;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Results of a batch script on their way to S3, against a storage that checks each signature. */
final class WrapperResultsTest extends WrapperStage {
    @Test
    @Promise("NS-18")
    void aCopyOfThemIsAtTheAddressAndNoKeyIsInTheScript() throws Exception {
        try (S3Server s3 = S3Server.start().bucket("models")) {
            Map<String, Secret> secrets = Map.of("ACCESS_KEY", S3Server.ACCESS, "SECRET_KEY", S3Server.SECRET);
            JobSpec spec = job("echo trained > {results_dir}/m.pth; exit 5")
                    .resultsDirectory("s3://models/nightly")
                    .env(Map.of("S3_ENDPOINT_URL", s3.endpoint(), "TAO_TRANSFER_PAUSE", "0.02"))
                    .secrets(secrets)
                    .build();
            Path file = slurm.base.resolve("secrets/" + Sample.KEY + ".1.env");
            Files.createDirectories(file.getParent());
            Files.writeString(file, SlurmScript.secrets(secrets) + "\n");

            int code = run(spec);

            assertThat(code).as(Files.readString(logs("err"))).isEqualTo(5);
            assertThat(logs("err")).content().contains("upload verified: ").doesNotContain("Traceback");
            assertThat(s3.text("models", "nightly/m.pth")).isEqualTo("trained\n");
            assertThat(slurm.base.resolve("results/" + Sample.KEY + "/m.pth")).hasContent("trained");
            assertThat(Files.readString(slurm.base.resolve("sbatch/job")))
                    .doesNotContain(S3Server.SECRET.reveal())
                    .doesNotContain(S3Server.ACCESS.reveal());
        }
    }
}
