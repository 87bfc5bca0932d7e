package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Inputs on their way into a container. */
class InputTransferTest extends TransferCase {
    @Test
    @Promise("LE-30")
    void whatLiesOnTheSharedVolumeIsNotDownloaded() throws Exception {
        s3.put("data", "coco/a.txt", "one");
        Files.createDirectories(mount().resolve("data/coco"));
        Files.writeString(mount().resolve("data/coco/a.txt"), "ONE");

        Container.Log log = run(payload(JobSpec.of("cat s3://data/coco/a.txt").inputs(List.of("s3://data/coco"))));

        assertThat(log.output()).contains("ONE").contains("is here already");
        assertThat(s3.count("GET /data/coco")).isZero();
    }

    @Test
    @Promise("LE-31")
    void whatWasDownloadedOnceStaysForTheNextJob() throws Exception {
        s3.put("data", "coco/a.txt", "one");
        Payload payload = payload(JobSpec.of("cat s3://data/coco/a.txt").inputs(List.of("s3://data/coco")));

        run(payload);
        Container.Log second = run(payload);

        assertThat(second.output()).contains("one");
        assertThat(s3.count("GET /data/coco")).isEqualTo(1);
    }

    @Test
    @Promise({"LE-33", "GE-20"})
    void aFollowingJobReadsResultsFromTheSharedVolume() throws Exception {
        run(payload(JobSpec.of("echo weights > {results_dir}/m.pth")));
        String address = "s3://out/results/" + KEY;

        Container.Log log = run(payload(JobSpec.of("cat " + address + "/m.pth").inputs(List.of(address))));

        assertThat(log.output()).contains("weights").contains("is here already: " + mount() + "/results/" + KEY);
        assertThat(s3.count("GET /out/results")).isZero();
    }

    @Test
    @Promise("LE-35")
    void howToForceAFreshDownloadIsDocumented() throws Exception {
        String page = Files.readString(Path.of("docs/s3.md"));

        assertThat(page)
                .containsSubsequence("To force a fresh download:", "`TAO_FRESH_INPUTS=1`", "a new name", "delete");
    }

    @Test
    void whatHasChangedInS3IsToldAndFetchedOnlyWhenRequested() throws Exception {
        s3.put("data", "coco/a.txt", "one");
        Payload payload = payload(JobSpec.of("cat s3://data/coco/a.txt").inputs(List.of("s3://data/coco")));
        run(payload);
        s3.put("data", "coco/a.txt", "two");

        Container.Log stale = run(payload);
        Container.Log fresh = run(payload, Map.of("TAO_FRESH_INPUTS", "1"));

        assertThat(stale.output()).contains("WARNING", "is not what S3 has now", "TAO_FRESH_INPUTS=1", "one");
        assertThat(fresh.output()).contains("two").doesNotContain("WARNING");
    }

    @Test
    void aCutDownloadGoesOnWhereItEnded() throws Exception {
        s3.put("data", "big", "0123456789".repeat(100_000));
        s3.fail("GET /data/big", S3Server.Fault.CUT, "").fail("GET /data/big", S3Server.Fault.SILENT, "");

        Container.Log log = run(payload(JobSpec.of("md5sum < s3://data/big").inputs(List.of("s3://data/big"))));

        assertThat(log.output()).contains(s3.stored("data", "big").etag());
        assertThat(s3.count("GET /data/big")).isEqualTo(3);
        assertThat(s3.count("GET /data/big bytes=5")).isPositive();
    }

    @Test
    void aBusyStorageIsAskedAgain() throws Exception {
        s3.put("data", "a", "one").fail("GET /data/a", 503, "SlowDown").fail("GET /data?", 500, "InternalError");
        s3.fail("PUT", 500, "InternalError").fail("PUT", S3Server.Fault.SILENT, "");

        Container.Log log =
                run(payload(JobSpec.of("cat s3://data/a > {results_dir}/b").inputs(List.of("s3://data/a"))));

        assertThat(log.output()).contains("upload verified: 1 files");
        assertThat(s3.text("out", "results/" + KEY + "/b")).isEqualTo("one");
    }

    @Test
    void wrongKeysEndTheJobBeforeItsCommand() throws Exception {
        s3.put("data", "a", "one");
        S3Settings right = s3.settings(Optional.of("out"));
        S3Settings wrong = new S3Settings(
                right.endpoint(),
                right.region(),
                right.bucket(),
                Optional.of(SecretSource.known(S3Server.ACCESS)),
                Optional.of(SecretSource.known(Secret.of("wrong-secret-key"))),
                Optional.empty(),
                right.uploadEvery(),
                right.exclude());

        Container.Log log = run(payload(JobSpec.of("echo it runs").inputs(List.of("s3://data/a")))
                .storage(wrong));

        assertThat(log.output())
                .contains("ERROR: s3://data/a: the secret key does not belong to the access key")
                .contains("the command was not started")
                .doesNotContain("it runs", "wrong-secret-key");
        assertThat(log.told()).hasValue(66);
    }

    @Test
    void anInputThatIsNowhereEndsTheJobBeforeItsCommand() throws Exception {
        Container.Log log = run(payload(JobSpec.of("echo ran").inputs(List.of("s3://data/nothing"))));

        assertThat(log.output())
                .contains("there is nothing at s3://data/nothing")
                .doesNotContain("ran\n");
        assertThat(log.exitCode()).isEqualTo(66);
    }

    @Test
    @Promise("LE-28")
    void keysAreLookedUpByBucket() throws Exception {
        Secret other = Secret.of("another-secret");
        try (S3Server elsewhere = S3Server.start("eu-west-7", other)) {
            elsewhere.bucket("foreign").put("foreign", "in", "from elsewhere");
            String metadata = "{\"aws\":{\"foreign\":{\"access_key\":\"" + S3Server.ACCESS.reveal()
                    + "\",\"secret_key\":\"" + other.reveal() + "\",\"region\":\"eu-west-7\",\"endpoint_url\":\""
                    + elsewhere.endpoint() + "\"}}}";

            Container.Log log = run(payload(JobSpec.of("cat s3://foreign/in > {results_dir}/copy")
                    .inputs(List.of("s3://foreign/in"))
                    .secrets(Map.of("CLOUD_METADATA", Secret.of(metadata)))));

            assertThat(log.exitCode()).isZero();
            assertThat(s3.text("out", "results/" + KEY + "/copy")).isEqualTo("from elsewhere");
        }
    }

    @Test
    void replicasThatShareAVolumeFetchAnInputOnce() throws Exception {
        s3.put("data", "big", "0123456789".repeat(1_000_000));
        Payload payload = payload(JobSpec.of("md5sum < s3://data/big").inputs(List.of("s3://data/big")));
        List<Process> replicas = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            Container container = Container.of("dash").env("NODE_RANK", Integer.toString(rank));
            payload.secrets().forEach((name, value) -> container.env(name, value.reveal()));
            replicas.add(container.start(payload.script(), folder));
        }

        for (Process replica : replicas) {
            assertThat(Container.finish(replica).output())
                    .contains(s3.stored("data", "big").etag());
        }
        assertThat(s3.count("GET /data/big")).isEqualTo(1);
    }

    @Test
    void podsWhoseResultsLieOnOneClaimFetchAnInputOnce() throws Exception {
        // the first to fetch rests a second, in which the others would begin
        s3.put("data", "big", "0123456789".repeat(1_000_000)).fail("GET /data/big", 503, "SlowDown");
        JobSpec spec = JobSpec.of("md5sum < s3://data/big")
                .inputs(List.of("s3://data/big"))
                .build();
        Payload payload =
                Payload.of(spec, Container.KEY).resultsRoot(folder + "/claim").storage(s3.settings(Optional.of("out")));
        List<Process> pods = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            Container container = Container.of("dash").env("NODE_RANK", Integer.toString(rank));
            payload.secrets().forEach((name, value) -> container.env(name, value.reveal()));
            pods.add(container.start(payload.script(), folder));
        }

        for (Process pod : pods) {
            assertThat(Container.finish(pod).output())
                    .contains(s3.stored("data", "big").etag());
        }
        assertThat(s3.count("GET /data/big"))
                .as("the refused one and the good one")
                .isEqualTo(2);
    }

    @Test
    void aTermDuringADownloadEndsItAtOnce() throws Exception {
        s3.put("data", "a", "x");
        for (int i = 0; i < 20; i++) {
            s3.fail("GET /data", 503, "SlowDown");
        }
        Payload payload = payload(JobSpec.of("echo it runs").inputs(List.of("s3://data/a")));
        Container container = Container.of("dash");
        payload.secrets().forEach((name, value) -> container.env(name, value.reveal()));
        Process process = container.start(payload.script(), folder);
        await().until(() -> s3.count("GET /data") > 0);

        process.toHandle().destroy();
        Container.Log log = Container.finish(process);

        assertThat(log.told()).hasValue(143);
        assertThat(log.output()).doesNotContain("it runs");
    }

    @Test
    void anImageWithoutPythonIsToldBeforeTheCommand() throws Exception {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Files.copy(Path.of("/usr/bin/busybox"), bin.resolve("mkdir"), StandardCopyOption.COPY_ATTRIBUTES);
        Payload payload = payload(JobSpec.of("echo ran"));

        Container.Log log =
                Container.of("/usr/bin/dash").env("PATH", bin.toString()).run(payload.script(), folder);

        assertThat(log.output()).contains("ERROR: the image has no python3").doesNotContain("ran\n");
        assertThat(log.told()).hasValue(69);
    }

    @Test
    void theRunnerHasNoQuoteThatTheShellWouldSee() {
        assertThat(PayloadScript.runner()).doesNotContain("'");
    }

    @Test
    @Promise("TR-56")
    void keysOfAStorageThatDoesNotEncodeThemAreFetchedAsTheyAre() throws Exception {
        s3.withoutEncoding().put("data", "odd/a%2Bb+c & d.txt", "one");

        Container.Log log = run(payload(JobSpec.of("cat s3://data/odd/*").inputs(List.of("s3://data/odd"))));

        assertThat(log.output()).contains("one");
        assertThat(mount().resolve("data/odd/a%2Bb+c & d.txt")).hasContent("one");
    }

    @Test
    @Promise("TR-56")
    void keysOfABucketAreSentWithoutTheSessionTokenOfOthers() throws Exception {
        s3.put("data", "x", "one");
        String keys = "{\"access_key\": \"" + S3Server.ACCESS.reveal() + "\", \"secret_key\": \""
                + S3Server.SECRET.reveal() + "\"}";

        Container.Log log = run(
                payload(JobSpec.of("cat s3://data/x").inputs(List.of("s3://data/x"))),
                Map.of(
                        "CLOUD_METADATA", "{\"aws\": {\"data\": " + keys + ", \"out\": " + keys + "}}",
                        "AWS_ACCESS_KEY_ID", "FOREIGN",
                        "AWS_SECRET_ACCESS_KEY", "foreign",
                        "AWS_SESSION_TOKEN", "foreign-session"));

        assertThat(log.output()).contains("one", "upload verified");
        assertThat(log.exitCode()).isZero();
    }

    @Test
    @Promise("TR-56")
    void noWarningOfPythonIsInTheLog() throws Exception {
        s3.put("data", "x", "one");

        Container.Log log = run(
                payload(JobSpec.of("cat s3://data/x").inputs(List.of("s3://data/x"))),
                Map.of("PYTHONWARNINGS", "error::DeprecationWarning"));

        assertThat(log.output()).contains("one", "upload verified").doesNotContain("Warning");
        assertThat(payload(JobSpec.of("true").inputs(List.of("s3://data/x"))).script())
                .doesNotContain("utcnow", "utcfromtimestamp");
    }
}
