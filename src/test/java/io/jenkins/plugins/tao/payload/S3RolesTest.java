package io.jenkins.plugins.tao.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of a role, as our own checks and fetches find them. */
class S3RolesTest {
    private static final HttpSettings HTTP = HttpSettings.defaults();
    private static final String ARN = "arn:aws:iam::123456789012:role/train";

    @TempDir
    Path home;

    private final RoleServer services = RoleServer.start();
    private final S3Server s3 = S3Server.start().bucket("data").session(RoleServer.SESSION);

    @AfterEach
    void close() {
        services.close();
        s3.close();
    }

    private S3Roles roles(Map<String, String> env) {
        return new S3Roles(env, home, HTTP);
    }

    private S3Listing listing(Map<String, String> env) {
        return new S3Listing(TransferCase.byRole(s3), HTTP, roles(env));
    }

    private boolean finds(Map<String, String> env) throws BackendException {
        s3.put("data", "coco/x", "one");
        return listing(env).exists(S3Address.parse("s3://data/coco"));
    }

    private Map<String, String> webIdentity(String token) throws Exception {
        Path file = Files.writeString(home.resolve("token"), token);
        return Map.of(
                "AWS_ROLE_ARN", ARN,
                "AWS_WEB_IDENTITY_TOKEN_FILE", file.toString(),
                "AWS_ENDPOINT_URL_STS", services.url());
    }

    @Test
    @Promise("TR-56")
    void theRoleOfAnInstanceIsAskedForWithATokenFirst() throws Exception {
        assertThat(finds(services.instance())).isTrue();
        assertThat(services.count("PUT /latest/api/token")).isEqualTo(1);
    }

    @Test
    @Promise("TR-56")
    void anInstanceWithoutRoleIsToldInOneLine() {
        services.withoutRole();

        assertThatThrownBy(() -> finds(services.instance()))
                .isInstanceOf(Denied.class)
                .hasMessage("S3 is used with keys by role, and this machine has no role.");
        assertThatThrownBy(() -> finds(Map.of("AWS_EC2_METADATA_DISABLED", "true")))
                .isInstanceOf(Denied.class);
    }

    @Test
    void aMetadataServiceThatFailsIsNoMachineWithoutARole() {
        services.failing();

        assertThatThrownBy(() -> finds(services.instance()))
                .isInstanceOf(BackendException.class)
                .isNotInstanceOf(Denied.class)
                .hasMessageContaining("metadata service");
    }

    @Test
    @Promise("TR-56")
    void theRoleOfAContainerIsUsed() throws Exception {
        Path token = Files.writeString(home.resolve("pod"), "Bearer of the pod\n");
        Map<String, String> env = new HashMap<>(services.instance());
        env.put("AWS_CONTAINER_CREDENTIALS_FULL_URI", services.url() + "/v2/credentials/1?x=y");
        env.put("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", token.toString());

        assertThat(finds(env)).isTrue();
        env.put("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", home.resolve("none").toString());
        assertThatThrownBy(() -> finds(env)).isInstanceOf(Denied.class).hasMessageContaining("none");
        env.put("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://elsewhere.example/v2/credentials/1");
        env.put("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", token.toString());
        assertThatThrownBy(() -> finds(env)).isInstanceOf(Denied.class).hasMessageContaining("elsewhere.example");
    }

    @Test
    @Promise("TR-56")
    void theRoleOfAWebIdentityIsAssumed() throws Exception {
        assertThat(finds(webIdentity("header.payload.signature"))).isTrue();
    }

    @Test
    @Promise("TR-56")
    void whyARoleIsNotGivenIsToldWithoutTheToken() throws Exception {
        assertThatThrownBy(() -> finds(webIdentity("header.payload.forged")))
                .isInstanceOf(Denied.class)
                .hasMessageContainingAll(ARN, "InvalidIdentityToken")
                .hasMessageNotContaining("forged");
        services.refusing("AccessDenied");
        assertThatThrownBy(() -> finds(webIdentity("header.payload.signature")))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("Not authorized to perform sts:AssumeRoleWithWebIdentity");
    }

    private Path config(String command) throws Exception {
        Files.createDirectories(home.resolve(".aws"));
        return Files.writeString(
                home.resolve(".aws/config"),
                "[default]\nregion = us-east-1\n\n[profile train]\ncredential_process = " + command + "\n");
    }

    @Test
    @Promise("TR-56")
    void theKeysThatAProgramPrintsAreUsed() throws Exception {
        Path folder = Files.createDirectories(home.resolve("with blank"));
        Path program = Files.writeString(
                folder.resolve("keys.sh"),
                "printf '{\"Version\": 1, \"AccessKeyId\": \"%s\", \"SecretAccessKey\": \"" + S3Server.SECRET.reveal()
                        + "\", \"SessionToken\": \"" + RoleServer.SESSION.reveal() + "\"}' \"$1\"");
        config("/bin/sh \"" + program + "\" " + S3Server.ACCESS.reveal());

        assertThat(finds(Map.of("AWS_PROFILE", "train"))).isTrue();
    }

    @Test
    @Promise("TR-56")
    void aProgramThatFailsIsNamed() throws Exception {
        config("/bin/sh -c 'exit 3'");

        assertThatThrownBy(() -> finds(Map.of("AWS_PROFILE", "train")))
                .isInstanceOf(Denied.class)
                .hasMessageContainingAll("credential_process", "exit code 3");
    }

    @Test
    @Promise("TR-56")
    void keysOfASharedFileAreUsed() throws Exception {
        Files.createDirectories(home.resolve(".aws"));
        Files.writeString(
                home.resolve(".aws/credentials"),
                "[default]\naws_access_key_id = " + S3Server.ACCESS.reveal() + "\naws_secret_access_key="
                        + S3Server.SECRET.reveal() + "\naws_session_token = " + RoleServer.SESSION.reveal() + "\n");

        assertThat(finds(Map.of())).isTrue();
    }

    @Test
    @Promise("TR-56")
    void keysAreAskedForAnewBeforeTheyRunOut() throws Exception {
        services.expires(Instant.now().plusSeconds(240));
        try (S3Client client = new S3Client(TransferCase.byRole(s3), "data", HTTP, roles(services.instance()))) {
            client.list("", 1, Optional.empty());
            services.expires(Instant.now().plusSeconds(3600));
            client.list("", 1, Optional.empty());
            client.list("", 1, Optional.empty());
        }

        assertThat(services.count("PUT /latest/api/token")).isEqualTo(3);
    }

    @Test
    @Promise("TR-56")
    void withoutARoleHereTheJobMayHaveOne() throws Exception {
        services.withoutRole();
        Payload payload = Payload.of(
                        JobSpec.of("train").inputs(List.of("s3://data/coco")).build(), Container.KEY)
                .storage(TransferCase.byRole(s3));

        assertThat(S3Checks.of(payload, HTTP, roles(services.instance())))
                .singleElement()
                .satisfies(check -> assertThat(check.verdict()).isEqualTo(Report.Verdict.WARNING))
                .asString()
                .contains("no role", "of its role");
        assertThat(payload.secrets()).isEmpty();
        assertThat(payload.secretNames()).isEmpty();
    }
}
