package io.jenkins.plugins.tao.payload;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.nio.file.Files;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys of the container's own role, as the runner in Python finds them. */
class RoleTransferTest extends TransferCase {
    private final RoleServer services = RoleServer.start();

    @BeforeEach
    void data() {
        s3.session(RoleServer.SESSION).put("data", "coco/a.txt", "one");
    }

    @AfterEach
    void closeServices() {
        services.close();
    }

    private Container.Log transfer(Map<String, String> role) throws Exception {
        Map<String, String> env = new HashMap<>(services.instance());
        env.put("AWS_CONFIG_FILE", folder + "/config");
        env.put("AWS_SHARED_CREDENTIALS_FILE", folder + "/credentials");
        env.putAll(role);
        JobSpec.Builder job = JobSpec.of("cat s3://data/coco/a.txt; echo w > {results_dir}/m.pth")
                .inputs(List.of("s3://data/coco"));
        return run(payload(job).storage(byRole(s3)), env);
    }

    private void assertDone(Container.Log log) {
        assertThat(log.output()).contains("one", "upload verified").doesNotContain(RoleServer.SESSION.reveal());
        assertThat(log.exitCode()).isZero();
    }

    @Test
    @Promise("TR-56")
    void theRoleOfTheInstanceIsUsedOnceForAll() throws Exception {
        assertDone(transfer(Map.of()));
        assertThat(services.count("PUT /latest/api/token")).isLessThanOrEqualTo(2); // the runner starts twice
    }

    @Test
    @Promise("TR-56")
    void keysThatRunOutAreAskedForAnew() throws Exception {
        services.expires(Instant.now().plusSeconds(200));

        assertDone(transfer(Map.of()));
        assertThat(services.count("PUT /latest/api/token")).isGreaterThan(4);
    }

    @Test
    @Promise("TR-56")
    void theRoleOfThePodIsUsed() throws Exception {
        String token =
                Files.writeString(folder.resolve("pod"), "Bearer of the pod").toString();

        assertDone(transfer(Map.of(
                "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                services.url() + "/v2/credentials/1",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
                token)));
    }

    private Map<String, String> webIdentity(String token) throws Exception {
        return Map.of(
                "AWS_ROLE_ARN",
                "arn:aws:iam::123456789012:role/train",
                "AWS_WEB_IDENTITY_TOKEN_FILE",
                Files.writeString(folder.resolve("token"), token).toString(),
                "AWS_ENDPOINT_URL_STS",
                services.url());
    }

    @Test
    @Promise("TR-56")
    void theRoleOfTheServiceAccountIsAssumed() throws Exception {
        assertDone(transfer(webIdentity("header.payload.signature")));
    }

    @Test
    @Promise("TR-56")
    void aRefusedTokenIsToldWithoutIt() throws Exception {
        Container.Log log = transfer(webIdentity("header.payload.forged"));

        assertThat(log.output())
                .contains("the token service of AWS gives no keys: InvalidIdentityToken")
                .doesNotContain("forged", "Traceback");
        assertThat(log.exitCode()).isEqualTo(66);
    }

    @Test
    @Promise("TR-56")
    void theKeysThatAProgramPrintsAreUsed() throws Exception {
        Files.writeString(
                folder.resolve("printed"),
                "{\"Version\": 1, \"AccessKeyId\": \"" + S3Server.ACCESS.reveal() + "\", \"SecretAccessKey\": \""
                        + S3Server.SECRET.reveal() + "\", \"SessionToken\": \"" + RoleServer.SESSION.reveal() + "\"}");
        Files.writeString(folder.resolve("config"), "[default]\ncredential_process = cat '" + folder + "/printed'\n");

        assertDone(transfer(Map.of()));
    }

    @Test
    @Promise("TR-56")
    void aContainerWithoutRoleIsToldSo() throws Exception {
        services.withoutRole();

        Container.Log log = transfer(Map.of());

        assertThat(log.output()).contains("this container has no role").doesNotContain("Traceback");
        assertThat(log.exitCode()).isEqualTo(66);
    }

    /** All these tests run the runner with deprecation warnings as errors; a newer Python deprecates more than an older one. */
    @Test
    @Promise("TR-56")
    void nothingThatPythonDeprecatesIsCalled() {
        String runner = Stream.of("s3.py", "roles.py", "inputs.py", "models.py", "results.py", "main.py")
                .map(name -> OwnFile.text(PayloadScript.class, name))
                .reduce("", String::concat);

        assertThat(runner)
                .contains("def role_keys")
                .doesNotContain(
                        "utcnow", "utcfromtimestamp", "import imp\n", "import cgi", "import pipes", "import crypt");
    }
}
