package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.SecretSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Results on their way to S3. */
class ResultTransferTest extends TransferCase {
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
    void aFileOfSeveralPartsArrivesWholeAndIsSentOnlyOnce() throws Exception {
        Payload payload = payload(JobSpec.of("cd {results_dir}; [ -e big ] || head -c 36700160 /dev/urandom > big"));

        Container.Log log = run(payload);
        long sent = s3.count("PUT");
        run(payload);

        assertThat(log.output()).contains("upload verified");
        assertThat(s3.stored("out", "results/" + KEY + "/big").content().toByteArray())
                .isEqualTo(Files.readAllBytes(mount().resolve("results/" + KEY + "/big")));
        assertThat(s3.stored("out", "results/" + KEY + "/big").etag()).endsWith("-3");
        assertThat(sent).isEqualTo(3);
        assertThat(s3.count("PUT")).isEqualTo(3);
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
        Path arrived = mount().resolve("arrived");
        Payload payload = payload(JobSpec.of("cd {results_dir}; echo early > e; while [ ! -e " + arrived
                        + " ]; do sleep 0.1; done; rm e; echo late > l"))
                .storage(often(Duration.ofSeconds(1), List.of()));
        FutureTask<Container.Log> running = new FutureTask<>(() -> run(payload));
        new Thread(running).start();

        await().until(() -> s3.objects("out").containsKey("results/" + KEY + "/e"));
        Files.createFile(arrived);
        Container.Log log = running.get();

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
                    Optional.of(SecretSource.known(S3Server.ACCESS)),
                    Optional.of(SecretSource.known(S3Server.SECRET)),
                    Optional.empty(),
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
    void anUploadThatBreaksOffInItsPartsLeavesNothingBehind() throws Exception {
        s3.fail("partNumber=2", 403, "AccessDenied");

        Container.Log log = run(payload(JobSpec.of("cd {results_dir}; head -c 36700160 /dev/zero > big")));

        assertThat(log.output()).contains("these keys may not do that");
        assertThat(s3.unfinishedUploads()).isZero();
    }
}
