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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of a role, as our own checks and fetches find them. */
class S3KeysTest {
    private static final HttpSettings HTTP = HttpSettings.defaults();
    private static final String ARN = "arn:aws:iam::123456789012:role/train";

    @TempDir
    Path home;

    private final RoleServer services = RoleServer.start();
    private final S3Server s3 = S3Server.start().bucket("data").session(RoleServer.SESSION);

    private final List<String> set = new ArrayList<>();

    /** The SDK looks at the properties of this JVM in front of its environment, which no test can change. */
    @BeforeEach
    void aMachineWithoutARole() {
        set(Map.of(
                "configFile", home.resolve("config").toString(),
                "sharedCredentialsFile", home.resolve("credentials").toString(),
                "ec2MetadataServiceEndpoint", "http://127.0.0.1:1"));
    }

    @AfterEach
    void close() {
        set.forEach(System::clearProperty);
        services.close();
        s3.close();
    }

    /** What is set stays until the end of a test. */
    private void set(Map<String, String> more) {
        more.forEach((setting, value) -> {
            System.setProperty("aws." + setting, value);
            set.add("aws." + setting);
        });
    }

    private boolean finds(Map<String, String> more) throws BackendException {
        set(more);
        s3.put("data", "coco/x", "one");
        return new S3Listing(TransferCase.byRole(s3), HTTP).exists(S3Address.parse("s3://data/coco"));
    }

    private Map<String, String> instance() {
        return Map.of("ec2MetadataServiceEndpoint", services.url());
    }

    private Map<String, String> webIdentity(String token) throws Exception {
        Path file = Files.writeString(home.resolve("token"), token);
        return Map.of(
                "roleArn", ARN,
                "webIdentityTokenFile", file.toString(),
                "endpointUrlSts", services.url());
    }

    @Test
    @Promise("TR-56")
    void theRoleOfAnInstanceIsAskedForWithATokenFirst() throws Exception {
        assertThat(finds(instance())).isTrue();
        assertThat(services.count("PUT /latest/api/token")).isEqualTo(1);
    }

    @Test
    @Promise("TR-56")
    void anInstanceWithoutRoleIsToldInOneLine() {
        services.withoutRole();

        assertThatThrownBy(() -> finds(instance()))
                .isInstanceOf(Denied.class)
                .hasMessage("S3 is used with keys by role, and this machine has no role.");
        assertThatThrownBy(() -> finds(Map.of("disableEc2Metadata", "true"))).isInstanceOf(Denied.class);
    }

    @Test
    void aMetadataServiceThatFailsIsNoMachineWithoutARole() {
        services.failing();

        assertThatThrownBy(() -> finds(instance()))
                .isInstanceOf(BackendException.class)
                .isNotInstanceOf(Denied.class)
                .hasMessageContaining("metadata service");
    }

    @Test
    @Promise("TR-56")
    void theRoleOfAContainerIsUsed() throws Exception {
        Path token = Files.writeString(home.resolve("pod"), "Bearer of the pod");
        String address = services.url() + "/v2/credentials/1?x=y";

        assertThat(findsInContainer(address, token)).isTrue();
        assertThatThrownBy(() -> findsInContainer(address, home.resolve("none")))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("none");
        assertThatThrownBy(() -> findsInContainer("http://elsewhere.example/v2/credentials/1", token))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("elsewhere.example");
    }

    private boolean findsInContainer(String address, Path token) throws BackendException {
        return finds(
                Map.of("containerCredentialsFullUri", address, "containerAuthorizationTokenFile", token.toString()));
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
        return Files.writeString(
                home.resolve("config"),
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

        assertThat(finds(Map.of("profile", "train"))).isTrue();
    }

    @Test
    @Promise("TR-56")
    void aProgramThatFailsIsNamed() throws Exception {
        config("/bin/sh -c 'exit 3'");

        assertThatThrownBy(() -> finds(Map.of("profile", "train")))
                .isInstanceOf(Denied.class)
                .hasMessageContainingAll("credential_process", "exit code 3");
    }

    @Test
    @Promise("TR-56")
    void keysOfASharedFileAreUsedAndNoOtherSettingOfIt() throws Exception {
        Files.writeString(
                home.resolve("credentials"),
                "[default]\naws_access_key_id = " + S3Server.ACCESS.reveal() + "\naws_secret_access_key="
                        + S3Server.SECRET.reveal() + "\naws_session_token = " + RoleServer.SESSION.reveal() + "\n");
        Files.writeString(home.resolve("config"), """
                [default]
                region = eu-west-7
                endpoint_url = http://127.0.0.1:1
                use_fips_endpoint = true
                use_dualstack_endpoint = true
                defaults_mode = mobile
                retry_mode = adaptive
                request_checksum_calculation = when_supported
                services = other

                [services other]
                s3 =
                  endpoint_url = http://127.0.0.1:1
                  addressing_style = virtual
                """);

        assertThat(finds(Map.of())).isTrue();
        assertThat(finds(Map.of(
                        "endpointUrlS3", "http://127.0.0.1:1", "region", "eu-west-7", "useFipsEndpoint", "true")))
                .isTrue();
        assertThat(finds(Map.of("requestChecksumCalculation", "when_supported", "defaultsMode", "auto")))
                .isTrue();
        assertThat(finds(Map.of("authSchemePreference", "sigv4a"))).isTrue();
    }

    @Test
    @Promise("TR-56")
    void keysAreAskedForAnewBeforeTheyRunOut() throws Exception {
        services.expires(Instant.now().plusSeconds(240));
        set(instance());
        try (S3Bucket bucket = new S3Bucket(TransferCase.byRole(s3), "data", HTTP)) {
            bucket.first("");
            services.expires(Instant.now().plusSeconds(3600));
            bucket.first("");
            bucket.first("");
        }

        assertThat(services.count("PUT /latest/api/token")).isEqualTo(2);
    }

    @Test
    @Promise("TR-56")
    void withoutARoleHereTheJobMayHaveOne() throws Exception {
        services.withoutRole();
        set(instance());
        Payload payload = Payload.of(
                        JobSpec.of("train").inputs(List.of("s3://data/coco")).build(), Container.KEY)
                .storage(TransferCase.byRole(s3));

        assertThat(S3Checks.of(payload, HTTP))
                .singleElement()
                .satisfies(check -> assertThat(check.verdict()).isEqualTo(Report.Verdict.WARNING))
                .asString()
                .contains("no role", "of its role");
        assertThat(payload.secrets()).isEmpty();
        assertThat(payload.secretNames()).isEmpty();
    }
}
