package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    private static final S3Settings S3 = new S3Settings(
            Optional.of("https://minio.example:9000/"),
            Optional.of("eu-x-1"),
            Optional.of("team"),
            Optional.of(SecretSource.known(Secret.of("AKACCESS"))),
            Optional.of(SecretSource.known(Secret.of("wJsecret/+"))),
            Optional.empty(),
            Optional.empty(),
            List.of());

    private static Payload of(JobSpec.Builder spec) {
        return Payload.of(spec.build(), KEY);
    }

    private static Transfer transfer(String remote, String local) {
        return new Transfer(S3Address.parse(remote), local);
    }

    @Test
    @Promise("KU-14")
    void s3KeysAreAskedForOnlyWhenTheJobUsesS3() throws Exception {
        Payload without = of(JobSpec.of("x").inputs(List.of("/data"))).resultsRoot("/results");
        Payload with = of(JobSpec.of("x").inputs(List.of("s3://data/coco"))).resultsRoot("/results");

        assertThat(S3Checks.of(without, HttpSettings.defaults())).isEmpty();
        assertThat(without.storage(S3).secrets()).isEmpty();
        assertThat(without.storage(S3).env()).doesNotContainKeys("S3_BUCKET_NAME", "S3_ENDPOINT_URL", "CLOUD_REGION");
        assertThat(S3Checks.of(with, HttpSettings.defaults()))
                .singleElement()
                .satisfies(check -> assertThat(check.remedy()).contains("ACCESS_KEY", "SECRET_KEY", "S3_BUCKET_NAME"));
        assertThatThrownBy(with::script)
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("uses S3, but has no keys for it");
        assertThat(with.storage(S3).secrets())
                .containsOnlyKeys("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "CLOUD_METADATA");
    }

    @Test
    void neitherTheScriptNorTheVariablesHoldAKey() throws Exception {
        Payload payload = of(JobSpec.of("x").inputs(List.of("s3://data/coco"))).storage(S3);

        assertThat(payload.script()).doesNotContain("AKACCESS", "wJsecret");
        assertThat(payload.env())
                .containsEntry("S3_ENDPOINT_URL", "https://minio.example:9000")
                .containsEntry("CLOUD_REGION", "eu-x-1")
                .containsEntry("S3_BUCKET_NAME", "team")
                .doesNotContainKeys("AWS_ACCESS_KEY_ID", "CLOUD_METADATA");
    }

    @Test
    void keysAreLookedUpByBucketAsTaosOwnContainersDo() throws Exception {
        Payload payload = of(JobSpec.of("x").inputs(List.of("s3://data/coco"))).storage(S3);

        assertThat(payload.secrets())
                .containsEntry(
                        "CLOUD_METADATA",
                        Secret.of("{\"aws\":{\"data\":{\"access_key\":\"AKACCESS\",\"secret_key\":\"wJsecret/+\","
                                + "\"region\":\"eu-x-1\",\"endpoint_url\":\"https://minio.example:9000\"},"
                                + "\"team\":{\"access_key\":\"AKACCESS\",\"secret_key\":\"wJsecret/+\","
                                + "\"region\":\"eu-x-1\",\"endpoint_url\":\"https://minio.example:9000\"}}}"));
    }

    @Test
    void aJobMayBringItsOwnKeys() throws Exception {
        Payload payload = of(JobSpec.of("x")
                .env(Map.of("S3_BUCKET_NAME", "mine", "CLOUD_REGION", "eu-1", "S3_ENDPOINT_URL", "http://s3:80"))
                .secrets(Map.of("ACCESS_KEY", Secret.of("a"), "SECRET_KEY", Secret.of("b"))));

        assertThat(payload.resultsAddress()).contains(S3Address.parse("s3://mine/results/" + KEY));
        assertThat(payload.secrets()).containsEntry("AWS_ACCESS_KEY_ID", Secret.of("a"));
    }

    @Test
    void anInputLandsBelowTheRootUnlessItHasAPlace() throws Exception {
        JobSpec.Builder spec = JobSpec.of("x").inputs(List.of("s3://data/coco/", "/w/x/=aws://data/w", "s3://all"));

        assertThat(of(spec).storage(S3).downloads())
                .containsExactly(
                        transfer("s3://data/coco", "/results/inputs/data/coco"),
                        transfer("s3://data/w", "/w/x"),
                        transfer("s3://all", "/results/inputs/all"));
        assertThat(of(spec).sharedRoot("/mnt/lustre/")
                        .storage(S3)
                        .downloads()
                        .get(0)
                        .local())
                .isEqualTo("/mnt/lustre/data/coco");
    }

    @Test
    @Promise("GE-12")
    void youCanSayWhereResultsGo() throws Exception {
        Payload path = of(JobSpec.of("x").resultsDirectory("/vol/mine/"))
                .mounts(List.of("/vol/"))
                .storage(S3);
        Payload address = of(JobSpec.of("x").spec(Map.of("results_dir", "s3://other/runs/7/")))
                .storage(S3);

        assertThat(path.resultsDirectory()).isEqualTo("/vol/mine");
        assertThat(path.uploads()).isEmpty();
        assertThat(address.resultsDirectory()).isEqualTo("/results/" + KEY);
        assertThat(address.uploads()).containsExactly(transfer("s3://other/runs/7", "/results/" + KEY));
        assertThat(address.script()).contains("results_dir: \"/results/" + KEY + "\"");
    }

    @Test
    void resultsGoToS3UnlessAVolumeKeepsThem() throws Exception {
        String address = "s3://team/results/" + KEY;
        JobSpec.Builder spec = JobSpec.of("x");

        assertThat(of(spec).uploads()).isEmpty();
        assertThat(of(spec).storage(S3).uploads()).containsExactly(transfer(address, "/results/" + KEY));
        assertThat(of(spec).storage(S3).resultsRoot("/vol").uploads()).isEmpty();
        assertThat(of(spec).storage(S3).mounts(List.of("/results")).uploads()).isEmpty();
        assertThat(of(spec).storage(S3).sharedRoot("/mnt").uploads())
                .containsExactly(transfer(address, "/mnt/results/" + KEY));
    }

    @Test
    void theAddressOfAnInputBecomesItsPathAndOneThatBeginsAlikeStays() throws Exception {
        String script = of(JobSpec.of("run s3://data/coco s3://data/coco/train, 's3://data/coco/' s3://data/coco-2/x"
                                + " aws://data/coco xs3://data/coco s3://data/coco/deep/x")
                        .inputs(List.of("s3://data/coco", "/deep=s3://data/coco/deep")))
                .storage(S3)
                .script();

        assertThat(script)
                .contains("run /results/inputs/data/coco /results/inputs/data/coco/train, "
                        + "'\\''/results/inputs/data/coco'\\'' s3://data/coco-2/x /results/inputs/data/coco"
                        + " xs3://data/coco /deep/x");
    }

    @Test
    void modelsHaveADirectoryForEachRevision() throws Exception {
        String script = of(JobSpec.of("train hf_model://nvidia/Cosmos-1.0 hf_model://nvidia/Cosmos-1.0@v2")
                        .inputs(List.of("hf_model://nvidia/Cosmos-1.0@v2", "hf_model://nvidia/Cosmos-1.0")))
                .sharedRoot("/mnt")
                .script();

        assertThat(script)
                .contains("tao_command='train /mnt/huggingface/nvidia/Cosmos-1.0@main"
                        + " /mnt/huggingface/nvidia/Cosmos-1.0@v2'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lepton://data/x",
                "ngc://org/model",
                "https://a/b",
                "hf_model://only",
                "/=s3://a/b",
                "/a/../b=s3://data/x",
                "file:///data"
            })
    void anInputThatCannotBeBroughtIsRefused(String input) throws Exception {
        Payload payload = of(JobSpec.of("x").inputs(List.of(input))).storage(S3);

        assertThatThrownBy(payload::script)
                .isInstanceOf(Rejected.class)
                .satisfies(e -> assertThat(((BackendException) e).remedy()).contains("inputs"));
        assertThat(payload.secrets()).isEmpty();
    }

    @Test
    void anOutputWithoutABucketIsRefused() {
        assertThatThrownBy(() -> of(JobSpec.of("x").outputs(List.of("/out"))).script())
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("S3_BUCKET_NAME");
    }

    @ParameterizedTest
    @CsvSource({
        "ftp://x,us-east-1,team",
        "https://u:p@x,us-east-1,team",
        "https://x,US East,team",
        "https://x,us-east-1,s3://t"
    })
    void settingsThatCannotBeAreRefused(String endpoint, String region, String bucket) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new S3Settings(
                        Optional.of(endpoint),
                        Optional.of(region),
                        Optional.of(bucket),
                        Optional.of(SecretSource.known(Secret.of("a"))),
                        Optional.of(SecretSource.known(Secret.of("b"))),
                        Optional.empty(),
                        Optional.of(Duration.ZERO),
                        List.of()));
    }

    @Test
    void aRelativeRootIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(JobSpec.of("x")).resultsRoot("results"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(JobSpec.of("x")).sharedRoot("mnt"));
    }
}
