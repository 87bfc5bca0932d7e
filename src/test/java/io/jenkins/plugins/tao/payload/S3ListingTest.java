package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.MemoryFile;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3ListingTest {
    private static final HttpSettings HTTP = HttpSettings.defaults();

    private final S3Server s3 = S3Server.start().bucket("data").bucket("empty");

    @AfterEach
    void close() {
        s3.close();
    }

    private S3Listing listing() {
        return new S3Listing(s3.settings(Optional.empty()), HTTP);
    }

    private S3Listing listing(String region, Secret access, Secret secret) {
        return new S3Listing(
                new S3Settings(
                        Optional.of(s3.endpoint() + "/"),
                        Optional.of(region),
                        Optional.empty(),
                        Optional.of(SecretSource.known(access)),
                        Optional.of(SecretSource.known(secret)),
                        Optional.empty(),
                        Optional.empty(),
                        List.of()),
                HTTP);
    }

    private boolean exists(String address) throws BackendException {
        return listing().exists(S3Address.parse(address));
    }

    @Test
    void anObjectAndAFolderAreThereAndWhatOnlyBeginsAlikeIsNot() throws Exception {
        s3.put("data", "coco-2/x", "").put("data", "coco/a b/ü+%1.txt", "one").put("data", "file.txt", "");

        assertThat(exists("s3://data/coco")).isTrue();
        assertThat(exists("s3://data/coco/")).isTrue();
        assertThat(exists("s3://data/coco/a b/ü+%1.txt")).isTrue();
        assertThat(exists("s3://data/file.txt")).isTrue();
        assertThat(exists("s3://data")).isTrue();
        assertThat(exists("s3://data/coc")).isFalse();
        assertThat(exists("s3://data/file")).isFalse();
        assertThat(exists("s3://empty")).isFalse();
    }

    @Test
    void temporaryKeysAreSentWithTheirSessionTokenWhichIsSigned() throws Exception {
        Secret token = Secret.of("session/of=an+hour");
        s3.session(token).put("data", "coco/x", "one");
        JobSpec.Builder job = JobSpec.of("train").inputs(List.of("s3://data/coco"));
        Payload with = payload(job.secrets(Map.of("AWS_SESSION_TOKEN", token)));
        Payload other = payload(job.secrets(Map.of("AWS_SESSION_TOKEN", Secret.of("of another session"))));
        Payload without = payload(job.secrets(Map.of()));

        assertThat(S3Checks.of(with, HTTP)).allMatch(check -> check.verdict() == Report.Verdict.PASSED);
        assertThat(S3Checks.of(other, HTTP).toString())
                .contains("session token", "again")
                .doesNotContain("of another session");
        assertThat(S3Checks.of(without, HTTP)).allMatch(check -> check.verdict() == Report.Verdict.FAILED);
        assertThat(with.secrets()).containsEntry("AWS_SESSION_TOKEN", token);
    }

    @Test
    void aTargetMayHaveATokenToo() throws Exception {
        Secret token = Secret.of("session-1");
        s3.session(token).put("data", "x", "one");
        Map<String, Secret> keys =
                Map.of("ACCESS_KEY", S3Server.ACCESS, "SECRET_KEY", S3Server.SECRET, "AWS_SESSION_TOKEN", token);
        S3Settings temporary = S3Settings.ofVariables(Map.of("S3_ENDPOINT_URL", s3.endpoint()), keys)
                .orElseThrow();

        assertThat(new S3Listing(temporary, HTTP).exists(S3Address.parse("s3://data/x")))
                .isTrue();
        assertThat(temporary.secretNames()).contains("AWS_SESSION_TOKEN");
        assertThat(temporary.secrets(List.of("data"))).containsEntry("AWS_SESSION_TOKEN", token);
    }

    private Payload payload(JobSpec.Builder job) {
        return Payload.of(job.build(), KEY).storage(s3.settings(Optional.of("data")));
    }

    @Test
    void aLongListIsReadPageByPage() throws Exception {
        for (int i = 0; i < 25; i++) {
            s3.put("data", "many/f " + i, "x".repeat(i));
        }
        s3.put("data", "many/", "").pagesOf(7);

        List<S3Listing.Entry> all = listing().list(S3Address.parse("s3://data/many"), 100);

        assertThat(all)
                .hasSize(25)
                .extracting(S3Listing.Entry::path, S3Listing.Entry::size)
                .contains(tuple("f 24", 24L));
        assertThat(listing().list(S3Address.parse("s3://data/many"), 10)).hasSize(10);
    }

    @Test
    void aMissingBucketIsToldApart() {
        assertThatThrownBy(() -> exists("s3://nowhere/x"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("There is no bucket 'nowhere'");
    }

    @Test
    void wrongKeysAreToldApart() {
        S3Address address = S3Address.parse("s3://data/x");

        assertThatThrownBy(() -> listing("us-east-1", Secret.of("AKWRONG"), S3Server.SECRET)
                        .exists(address))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("does not know the access key");
        assertThatThrownBy(() -> listing("us-east-1", S3Server.ACCESS, Secret.of("wr0ng-secret"))
                        .exists(address))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("The secret key does not belong to the access key")
                .hasMessageNotContaining("wr0ng-secret");
    }

    @Test
    @Promise("GE-24")
    void aMissingPermissionIsToldApart() {
        s3.fail("GET /data", 403, "AccessDenied");

        assertThatThrownBy(() -> exists("s3://data/x"))
                .isInstanceOf(Denied.class)
                .satisfies(e -> assertThat(((Denied) e).remedy()).contains("s3:ListBucket"));
    }

    @Test
    void aWrongRegionIsToldWithTheRightOne() {
        assertThatThrownBy(() ->
                        listing("eu-west-7", S3Server.ACCESS, S3Server.SECRET).exists(S3Address.parse("s3://data/x")))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("is in region us-east-1, not in eu-west-7");
        s3.fail("GET /data", 301, "PermanentRedirect");
        assertThatThrownBy(() -> exists("s3://data/x"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Bucket 'data' is in");
    }

    @Test
    void aBusyStorageIsNoAnswer() {
        s3.fail("GET /data", 503, "SlowDown");

        assertThatThrownBy(() -> exists("s3://data/x")).isInstanceOf(Unreachable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "not a list",
                "<html><p>login",
                "<html><body>login</body></html>",
                "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><a><Code>&x;</Code></a>"
            })
    void aDoorThatIsNoStorageIsUnreadable(String answer) {
        s3.fail("GET /data", 200, answer);

        assertThatThrownBy(() -> exists("s3://data/x"))
                .isInstanceOf(Unreadable.class)
                .hasMessageStartingWith("S3 at 127.0.0.1 sent ");
    }

    @Test
    void aDoorThatRefusesIsRead() {
        s3.fail("GET /data", 502, "<html><p>Bad Gateway").fail("GET /data", 403, "<html><p>Forbidden");

        assertThatThrownBy(() -> exists("s3://data/x"))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("502");
        assertThatThrownBy(() -> exists("s3://data/x"))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("403");
    }

    @Test
    void aWrongClockHereDoesNoHarm() throws Exception {
        s3.ahead(Duration.ofHours(-7)).put("data", "coco/x", "one");

        assertThat(exists("s3://data/coco")).isTrue();
        s3.ahead(Duration.ofHours(5));
        assertThat(exists("s3://data/coco")).isTrue();
        s3.ahead(Duration.ZERO);
        assertThat(exists("s3://data/coco")).isTrue();
    }

    @Test
    void keysThatAStorageRepeatsAreMasked() {
        String said = "<Error><Code>Odd</Code><Message>no " + S3Server.SECRET.reveal() + " of "
                + S3Server.ACCESS.reveal() + "</Message></Error>";
        s3.fail("GET /data", 400, said);

        assertThatThrownBy(() -> exists("s3://data/x"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Odd: no *** of ***");
    }

    private List<Report.Check> checks(JobSpec.Builder spec, Optional<String> bucket) {
        return S3Checks.of(Payload.of(spec.build(), KEY).storage(s3.settings(bucket)), HTTP);
    }

    @Test
    @Promise("LE-08")
    void eachInputAndTheBucketOfEachOutputAreAskedForBeforeAnythingIsStarted() {
        s3.put("data", "coco/a", "x");

        List<Report.Check> checks = checks(
                JobSpec.of("x").inputs(List.of("s3://data/coco/", "s3://data/typo", "s3://nowhere/a", "/data")),
                Optional.of("empty"));

        assertThat(checks)
                .extracting(Report.Check::verdict)
                .containsExactly(
                        Report.Verdict.PASSED, Report.Verdict.FAILED, Report.Verdict.FAILED, Report.Verdict.PASSED);
        assertThat(checks.get(1).detail()).isEqualTo("there is nothing at s3://data/typo");
        assertThat(checks.get(2).detail()).contains("There is no bucket 'nowhere'");
        assertThat(checks.get(3).detail()).isEqualTo("bucket empty answers");
        assertThat(S3Checks.of(
                        Payload.of(
                                JobSpec.of("x")
                                        .inputs(List.of("s3://data/coco"))
                                        .build(),
                                KEY),
                        HTTP))
                .singleElement()
                .satisfies(check -> {
                    assertThat(check.verdict()).isEqualTo(Report.Verdict.FAILED);
                    assertThat(check.remedy()).contains("S3_BUCKET_NAME", "ACCESS_KEY", "SECRET_KEY");
                });
    }

    @Test
    void aJobWithoutS3IsAskedNothing() {
        assertThat(checks(JobSpec.of("x").inputs(List.of("/data")), Optional.empty()))
                .isEmpty();
        assertThat(s3.requests()).isEmpty();
    }

    @Test
    void anInputThatIsNoneFailsTheCheck() {
        assertThat(checks(JobSpec.of("x").inputs(List.of("lepton://data/coco")), Optional.empty()))
                .singleElement()
                .satisfies(check -> assertThat(check.detail()).contains("write s3://data/coco"));
    }

    @Test
    void aStorageThatOnlyTheMachinesReachDrawsAWarning() {
        s3.close();

        assertThat(checks(JobSpec.of("x").inputs(List.of("s3://data/coco")), Optional.empty()))
                .singleElement()
                .extracting(Report.Check::verdict)
                .isEqualTo(Report.Verdict.WARNING);
    }

    @Test
    void resultsComeHomeByPatternAndWithinTheLimits() throws Exception {
        String job = "results/" + KEY + "/";
        s3.put("data", job + "train/status.json", "{}").put("data", job + "train/m 1.pth", "weights");
        s3.put("data", job + "train/big.pth", "x".repeat(50)).put("data", job + "train/log.txt", "no");
        s3.put("data", job + "train/late.pth", "x".repeat(18));
        Sink sink = new Sink();

        new S3Fetch(s3.settings(Optional.empty()), HTTP)
                .copy(
                        new S3Address("data", "results/" + KEY),
                        KEY,
                        new ArtifactPlan(List.of("**/*.pth", "[bad"), 20, 21),
                        sink);

        assertThat(sink.files).containsEntry("results/train/status.json", "{}");
        assertThat(sink.files.keySet())
                .containsExactlyInAnyOrder("results/train/late.pth", "results/train/status.json");
        assertThat(sink.skipped)
                .anyMatch(line -> line.startsWith("results/train/big.pth has 50 bytes"))
                .anyMatch(line -> line.startsWith("results/train/m 1.pth has "))
                .anyMatch(line -> line.startsWith("[bad is not a file pattern"));
    }

    private static final class Sink implements ArtifactSink {
        private final Map<String, String> files = new LinkedHashMap<>();
        private final List<String> skipped = new ArrayList<>();

        @Override
        public ArtifactFile open(String path) {
            return new MemoryFile(kept -> files.put(path, kept.toString(java.nio.charset.StandardCharsets.UTF_8)));
        }

        @Override
        public void skipped(String path, String reason) {
            skipped.add(path + " " + reason);
        }
    }

    @Test
    @Promise("TR-56")
    void keysOfAStorageThatDoesNotEncodeThemAreTakenAsTheyAre() throws Exception {
        s3.withoutEncoding().put("data", "odd/a%2Fb+c & <d>.txt", "one");

        assertThat(listing().list(S3Address.parse("s3://data/odd"), 10))
                .containsExactly(new S3Listing.Entry("a%2Fb+c & <d>.txt", 3, "2026-01-31T08:00:00"));
    }
}
