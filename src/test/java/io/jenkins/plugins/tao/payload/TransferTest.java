package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole script with its runner in Python, against a storage that checks each signature. */
class TransferTest {
    @TempDir
    Path folder;

    private final S3Server s3 = S3Server.start().bucket("data").bucket("out");

    @BeforeEach
    void python() throws Exception {
        assumeTrue(
                new ProcessBuilder("python3", "--version")
                                .redirectErrorStream(true)
                                .start()
                                .waitFor()
                        == 0,
                "these tests need python3 on the PATH");
    }

    @AfterEach
    void close() {
        s3.close();
    }

    private Payload payload(JobSpec.Builder spec) {
        return Payload.of(spec.build(), KEY).sharedRoot(folder + "/mnt").storage(s3.settings(Optional.of("out")));
    }

    private S3Settings often(Duration every, List<String> exclude) {
        return new S3Settings(
                Optional.of(s3.endpoint()),
                Optional.empty(),
                Optional.of("out"),
                S3Server.ACCESS,
                S3Server.SECRET,
                Optional.of(every),
                exclude);
    }

    private Container.Log run(Payload payload) throws Exception {
        return run(payload, Map.of());
    }

    private Container.Log run(Payload payload, Map<String, String> more) throws Exception {
        Container container = Container.of("dash").env("TAO_TRANSFER_PAUSE", "0.02");
        payload.secrets().forEach((name, value) -> container.env(name, value.reveal()));
        return container.env(more).run(payload.script(), folder);
    }

    private Path mount() {
        return folder.resolve("mnt");
    }

    @Test
    @Promise("KU-20")
    void inputsAndOutputsAreWrappedAroundTheCommand() throws Exception {
        s3.put("data", "coco/a b/ü+1%.txt", "one").put("data", "coco/empty", "").put("data", "coco-2/x", "no");

        Container.Log log = run(payload(JobSpec.of(
                        "cat s3://data/coco/a\\ b/*; ls -A s3://data/coco; cat {config_path}; echo trained > {results_dir}/m.pth")
                .inputs(List.of("s3://data/coco/"))
                .spec(Map.of("dataset", Map.of("root", "s3://data/coco", "list", "aws://data/coco/empty")))));

        assertThat(log.output())
                .contains("one", "a b\nempty\n", "root: \"" + mount() + "/data/coco\"")
                .contains("list: \"" + mount() + "/data/coco/empty\"")
                .contains("upload verified: 2 files");
        assertThat(log.exitCode()).isZero();
        assertThat(s3.text("out", "results/" + KEY + "/m.pth")).isEqualTo("trained\n");
        assertThat(s3.objects("out")).containsKey("results/" + KEY + "/tao-spec.yaml");
        assertThat(mount().resolve("data/coco-2")).doesNotExist();
        assertThat(log.raw()).doesNotContain(S3Server.SECRET.reveal());
    }

    @Test
    void anInputAndAnOutputMayHavePlacesOfTheirOwn() throws Exception {
        s3.put("data", "one.txt", "1");

        Container.Log log = run(payload(JobSpec.of("cp " + folder + "/in/x.txt " + folder + "/o; echo 2 > two")
                .inputs(List.of(folder + "/in/x.txt=s3://data/one.txt"))
                .outputs(List.of(folder + "/o=s3://data/copies/one.txt", folder + "/two"))));

        assertThat(log.output()).contains("upload verified: 2 files");
        assertThat(s3.text("data", "copies/one.txt")).isEqualTo("1");
        assertThat(s3.text("out", "results/" + KEY + "/two")).isEqualTo("2\n");
    }

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
    void whatHasChangedInS3IsToldAndFetchedOnlyWhenWished() throws Exception {
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
    void aFileOfSeveralPartsArrivesWholeAndIsSentOnlyOnce() throws Exception {
        Payload payload = payload(JobSpec.of("cd {results_dir}; [ -e big ] || head -c 36700160 /dev/urandom > big"));

        Container.Log log = run(payload);
        long sent = s3.count("PUT");
        run(payload);

        assertThat(log.output()).contains("upload verified");
        assertThat(s3.objects("out").get("results/" + KEY + "/big").content())
                .isEqualTo(Files.readAllBytes(mount().resolve("results/" + KEY + "/big")));
        assertThat(s3.objects("out").get("results/" + KEY + "/big").etag()).endsWith("-3");
        assertThat(sent).isEqualTo(3);
        assertThat(s3.count("PUT")).isEqualTo(3);
    }

    @Test
    void aCutDownloadGoesOnWhereItEnded() throws Exception {
        s3.put("data", "big", "0123456789".repeat(100_000));
        s3.fail("GET /data/big", S3Server.Fault.CUT, "").fail("GET /data/big", S3Server.Fault.SILENT, "");

        Container.Log log = run(payload(JobSpec.of("md5sum < s3://data/big").inputs(List.of("s3://data/big"))));

        assertThat(log.output()).contains(s3.objects("data").get("big").etag());
        assertThat(s3.count("GET /data/big")).isEqualTo(3);
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
                S3Server.ACCESS,
                Secret.of("wrong-secret-key"),
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
    void aFailedUploadNeverHidesTheCommandsExitCode() throws Exception {
        Payload failing = payload(JobSpec.of("exit 9").outputs(List.of(folder + "/o=s3://nowhere/x")));

        Container.Log log = run(failing);

        assertThat(log.output()).contains("ERROR: the results were not uploaded; the command ended with 9");
        assertThat(log.told()).hasValue(9);
    }

    @Test
    void lostResultsOfASuccessAreNoSuccess() throws Exception {
        JobSpec.Builder spec = JobSpec.of("echo {} > {results_dir}/x").resultsDirectory(folder + "/inside");
        Payload payload = Payload.of(spec.build(), KEY).storage(s3.settings(Optional.of("nowhere")));

        Container.Log log = run(payload);

        assertThat(log.output()).contains("there is no such bucket", "the results were not uploaded");
        assertThat(log.told()).hasValue(74);
    }

    @Test
    void resultsGoToS3WhileTheCommandRuns() throws Exception {
        Payload payload = payload(JobSpec.of("cd {results_dir}; echo early > e; sleep 4; rm e; echo late > l"))
                .storage(often(Duration.ofSeconds(1), List.of()));

        Container.Log log = run(payload);

        assertThat(log.output()).contains("upload verified: 1 files");
        assertThat(s3.objects("out")).containsOnlyKeys("results/" + KEY + "/e", "results/" + KEY + "/l");
    }

    @Test
    @Promise("LE-32")
    void resultsGoToTheSharedVolumeFirstAndThenToS3() throws Exception {
        Container.Log log =
                run(payload(JobSpec.of("echo weights > {results_dir}/m.pth; ls " + mount() + "/results/{job_id}")));

        assertThat(log.output()).startsWith("m.pth\n").contains("upload verified: 1 files");
        assertThat(mount().resolve("results/" + KEY + "/m.pth")).hasContent("weights");
        assertThat(s3.text("out", "results/" + KEY + "/m.pth")).isEqualTo("weights\n");
    }

    @Test
    @Promise("GE-15")
    void whatIsNotToBeUploadedCanBeNamed() throws Exception {
        Payload payload = payload(JobSpec.of(
                        "cd {results_dir}; mkdir -p cache/a; echo 1 > cache/a/b; echo 2 > x.tmp;" + " echo 3 > kept"))
                .storage(often(Duration.ZERO, List.of("*.tmp", "cache/*")));

        run(payload);

        assertThat(s3.objects("out")).containsOnlyKeys("results/" + KEY + "/kept");
    }

    @Test
    @Promise("LE-05")
    void aStorageMayHaveItsOwnEndpointBucketAndRegion() throws Exception {
        try (S3Server own = S3Server.start("eu-own-7", S3Server.SECRET)) {
            own.bucket("team").put("team", "in", "one");
            S3Settings settings = new S3Settings(
                    Optional.of(own.endpoint()),
                    Optional.of("eu-own-7"),
                    Optional.of("team"),
                    S3Server.ACCESS,
                    S3Server.SECRET,
                    Optional.empty(),
                    List.of());
            Payload payload = payload(
                            JobSpec.of("cat s3://team/in > {results_dir}/copy").inputs(List.of("s3://team/in")))
                    .storage(settings);

            run(payload);

            assertThat(own.text("team", "results/" + KEY + "/copy")).isEqualTo("one");
            assertThat(new S3Listing(settings, HttpSettings.defaults()).exists(S3Address.parse("s3://team/in")))
                    .isTrue();
        }
    }

    @Test
    @Promise("LE-26")
    void dataAndResultsAreAddressedByS3() throws Exception {
        s3.put("data", "coco/a", "one");

        run(payload(JobSpec.of("cp s3://data/coco/a {results_dir}/b; cat {config_path} > {results_dir}/spec")
                .inputs(List.of("s3://data/coco"))
                .spec(Map.of("dataset_dir", "s3://data/coco", "results_dir", "s3://data/runs/1"))));

        assertThat(s3.text("data", "runs/1/b")).isEqualTo("one");
        assertThat(s3.text("data", "runs/1/spec")).contains("dataset_dir: \"" + mount() + "/data/coco\"");
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
                    .contains(s3.objects("data").get("big").etag());
        }
        assertThat(s3.count("GET /data/big")).isEqualTo(1);
    }

    @Test
    void anUploadThatBreaksOffInItsPartsLeavesNothingBehind() throws Exception {
        s3.fail("partNumber=2", 403, "AccessDenied");

        Container.Log log = run(payload(JobSpec.of("cd {results_dir}; head -c 36700160 /dev/zero > big")));

        assertThat(log.output()).contains("these keys may not do that");
        assertThat(s3.unfinishedUploads()).isZero();
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
        await().atMost(Duration.ofSeconds(20)).until(() -> s3.count("GET /data") > 0);

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
}
