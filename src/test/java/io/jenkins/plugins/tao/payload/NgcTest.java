package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.NgcRegistry.KEY;
import static io.jenkins.plugins.tao.payload.NgcRegistry.OLD_KEY;
import static io.jenkins.plugins.tao.payload.NgcRegistry.WEIGHTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models and resources of NVIDIA's registry, by the runner in Python, from one that plays its refusals. */
class NgcTest {
    private static final String NET = "ngc://acme/vision/net:1.0";

    @TempDir
    Path folder;

    private NgcRegistry registry;

    @BeforeEach
    void start() throws Exception {
        registry = new NgcRegistry();
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private Payload payload(String input, Map<String, Secret> secrets) {
        JobSpec.Builder spec = JobSpec.of("cat " + input + "/config.yaml")
                .inputs(List.of(input))
                .env(Map.of("NGC_ENDPOINT", registry.address(), "NGC_AUTH_ENDPOINT", registry.address() + "/token"))
                .secrets(secrets);
        return Payload.of(spec.build(), Container.KEY).sharedRoot(folder + "/mnt");
    }

    private Container.Log run(String input, Map<String, Secret> secrets) throws Exception {
        Payload payload = payload(input, secrets);
        Container container = Container.of("dash").env("TAO_TRANSFER_PAUSE", "0.02");
        payload.secrets().forEach((name, value) -> container.env(name, value.reveal()));
        assertThat(payload.script()).doesNotContain(KEY, OLD_KEY);
        return container.run(payload.script(), folder);
    }

    private static Map<String, Secret> key(String value) {
        return Map.of("NGC_KEY", Secret.of(value));
    }

    private Report.Check check(String input, Map<String, Secret> secrets) {
        return NgcChecks.of(payload(input, secrets), HttpSettings.defaults(), Set.of())
                .get(0);
    }

    @Test
    @Promise("NS-20")
    void aModelComesWholeAndItsKeyGoesToTheRegistryAlone() throws Exception {
        Container.Log log = run(NET, key(KEY));

        Path net = folder.resolve("mnt/ngc/acme/vision/net@1.0");
        assertThat(log.output()).contains("fetched " + NET).endsWith("a: 1\n");
        assertThat(Files.readString(net.resolve("w/net.onnx"))).isEqualTo(WEIGHTS);
        assertThat(registry.requests())
                .contains("/storage/w/net.onnx null")
                .filteredOn(each -> each.startsWith("/v2/"))
                .allMatch(each -> each.endsWith(" Bearer " + KEY));
        assertThat(log.raw()).doesNotContain(KEY);
    }

    @Test
    @Promise("NS-20")
    void aKeyOfTheOlderKindIsExchangedForAToken() throws Exception {
        Container.Log log = run(NET, key(OLD_KEY));

        assertThat(log.output()).endsWith("a: 1\n");
        assertThat(registry.requests())
                .anyMatch(each -> each.startsWith("/token?service=ngc&scope=group%2Fngc%3Aacme%2Fvision Basic "))
                .noneMatch(each -> each.contains("Bearer " + OLD_KEY));
    }

    @Test
    @Promise("NS-20")
    void whatIsAResourceIsFoundAndWhatIsOpenNeedsNoKey() throws Exception {
        Container.Log log = run("ngc://public/net:1.0", Map.of());

        assertThat(log.output()).endsWith("a: 1\n");
        assertThat(registry.requests())
                .contains("/v2/org/public/models/net/versions/1.0/files?page-size=1000 null")
                .contains("/v2/org/public/resources/net/versions/1.0/files?page-size=1000 null");
    }

    @Test
    @Promise("NS-20")
    void eachRefusalIsToldAndTheCommandIsNotStarted() throws Exception {
        assertThat(run(NET, Map.of()).output())
                .contains(NET + " is not open to everybody: give the job the secret NGC_KEY", "was not started");
        assertThat(run(NET, key("nvapi-of-another")).output()).contains("does not take the key in NGC_KEY (401)");
        assertThat(run("ngc://other/net:1.0", key(KEY)).output()).contains("may not read it (403)");
        assertThat(run("ngc://acme/vision/net:9.9", key(KEY)).output()).contains("is not there, or not for this key");
        assertThat(run("ngc://acme/vision/net:9.9", key(KEY)).told()).hasValue(66);
    }

    @Test
    @Promise("NS-20")
    void aFileThatIsCutOffIsGoneOnWithAndOneOfAnotherSizeIsRefused() throws Exception {
        registry.cut(2);
        assertThat(run(NET, key(KEY)).output()).contains("fetched " + NET);
        assertThat(registry.requests())
                .filteredOn(each -> each.startsWith("/storage/w/net.onnx"))
                .hasSize(3);
        assertThat(Files.readString(folder.resolve("mnt/ngc/acme/vision/net@1.0/w/net.onnx")))
                .isEqualTo(WEIGHTS);

        registry.list("{\"modelFiles\":[{\"path\":\"config.yaml\",\"sizeInBytes\":4}]}");
        Container.Log wrong = run("/data" + "=" + NET, key(KEY));

        assertThat(wrong.output()).contains("config.yaml could not be fetched whole");
        assertThat(wrong.told()).hasValue(66);
    }

    @Test
    @Promise("NS-20")
    void aListThatCameInPartOrIsUnknownIsNoEmptyModel() throws Exception {
        registry.list(
                "{\"modelFiles\":[{\"path\":\"config.yaml\",\"sizeInBytes\":5}],\"paginationInfo\":{\"totalPages\":1,\"totalResults\":2}}");
        assertThat(run(NET, key(KEY)).output()).contains("of 2 files 1 were listed", "was not started");

        registry.list("{\"somethingElse\":[]}");
        assertThat(run(NET, key(KEY)).output()).contains("that this version does not know");

        registry.list("{\"modelFiles\":[{\"path\":\"../../etc/x\",\"sizeInBytes\":5}]}");
        assertThat(run(NET, key(KEY)).output()).contains("cannot be a path here");
    }

    @Test
    @Promise("NS-20")
    void preflightTellsTheMissingKeyBeforeAnythingIsSent() {
        assertThat(check(NET, key(KEY)).verdict()).isEqualTo(Report.Verdict.PASSED);
        assertThat(check("ngc://public/net:1.0", Map.of()).detail()).isEqualTo("open to everybody");
        Report.Check missing = check(NET, Map.of());
        assertThat(missing.verdict()).isEqualTo(Report.Verdict.FAILED);
        assertThat(missing.detail()).contains("the job has no NGC_KEY");
        assertThat(missing.remedy()).contains("the secret NGC_KEY");
        assertThat(check(NET, key("nvapi-x")).detail()).contains("(401)").doesNotContain("nvapi-x");
        assertThat(check("ngc://other/net:1.0", key(KEY)).detail()).contains("(403)");
        assertThat(check("ngc://acme/vision/net:9.9", key(KEY)).detail()).contains("no such version");
    }

    @Test
    @Promise("NS-20")
    void aRegistryThatDoesNotAnswerFromHereIsNoReasonToRefuse() {
        registry.close();

        assertThat(check(NET, key(KEY)).verdict()).isEqualTo(Report.Verdict.WARNING);
    }

    @Test
    void anAddressWithoutAVersionIsRefused() {
        assertThatThrownBy(() -> NgcArtifact.parse("ngc://acme/net"))
                .hasMessageContaining("write ngc://org/team/name:version");
    }
}
