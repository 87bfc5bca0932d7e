package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmScript;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.ModelHub;
import io.jenkins.plugins.tao.payload.NgcRegistry;
import io.jenkins.plugins.tao.payload.S3Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;

/** Inputs of NVIDIA's registry in the batch script of a job; the registry is one that plays its refusals. */
final class WrapperInputsTest extends WrapperStage {
    private static final String NET = "ngc://acme/vision/net:1.0";

    /** Runs a job whose secrets lie where a submission puts them. */
    private int run(JobSpec spec, Map<String, Secret> secrets) throws Exception {
        Path file = slurm.base.resolve("secrets/" + Sample.KEY + ".1.env");
        Files.createDirectories(file.getParent());
        Files.writeString(file, SlurmScript.secrets(secrets) + "\n");
        return run(spec);
    }

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
            int code = run(spec, secrets);

            assertThat(code).as(Files.readString(logs("err"))).isZero();
            assertThat(logs("out")).hasContent("a: 1");
            assertThat(slurm.base.resolve("inputs/ngc/acme/vision/net@1.0/w/net.onnx"))
                    .exists();
            assertThat(Files.readString(slurm.base.resolve("sbatch/job"))).doesNotContain(NgcRegistry.KEY);
        }
    }

    @Test
    @Promise("SL-37")
    void anInputInS3IsThereBeforeTheCommandByTheKeysOfTheJob() throws Exception {
        try (S3Server s3 = S3Server.start().bucket("data").put("data", "coco/labels.json", "[1]")) {
            Map<String, Secret> secrets = Map.of("ACCESS_KEY", S3Server.ACCESS, "SECRET_KEY", S3Server.SECRET);
            JobSpec spec = job("cat s3://data/coco/labels.json; echo ${AWS_ACCESS_KEY_ID-no key}")
                    .inputs(List.of("s3://data/coco"))
                    .env(Map.of("S3_ENDPOINT_URL", s3.endpoint(), "TAO_TRANSFER_PAUSE", "0.02"))
                    .secrets(secrets)
                    .build();
            int code = run(spec, secrets);

            assertThat(code).as(Files.readString(logs("err"))).isZero();
            assertThat(logs("out")).hasContent("[1]no key");
            assertThat(slurm.base.resolve("inputs/s3/data/coco/labels.json")).hasContent("[1]");
            assertThat(Files.readString(slurm.base.resolve("sbatch/job"))).doesNotContain(S3Server.SECRET.reveal());
        }
    }

    @Test
    @Promise("SL-37")
    void aModelOfHuggingFaceIsThereBeforeTheCommand() throws Exception {
        try (ModelHub hub = new ModelHub(asked -> asked.path().startsWith("/api/models/org/net/revision/main")
                ? new MockResponse.Builder()
                        .body("{\"sha\":\"abc\",\"siblings\":[{\"rfilename\":\"config.json\",\"size\":2}]}")
                : new MockResponse.Builder().body("{}"))) {
            JobSpec spec = job("cat hf_model://org/net/config.json")
                    .inputs(List.of("hf_model://org/net"))
                    .env(Map.of("HF_ENDPOINT", hub.address(), "TAO_TRANSFER_PAUSE", "0.02"))
                    .build();

            int code = run(spec);

            assertThat(code).as(Files.readString(logs("err"))).isZero();
            assertThat(logs("out")).hasContent("{}");
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
