package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.MemoryFile;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A results directory that the user named, and that another job has used before or uses now. */
class ResultsOwnerTest extends TransferCase {
    private static final String SHELLS = "io.jenkins.plugins.tao.payload.Container#shells";
    private static final JobKey OTHER = new JobKey("other-1");

    private Path shared() {
        return folder.resolve("mnt/night");
    }

    private Payload of(JobKey key, String command) {
        JobSpec spec = JobSpec.of(command).resultsDirectory(shared().toString()).build();
        return Payload.of(spec, key).resultsRoot(folder + "/mnt");
    }

    /** A script whose owner shows each second that it lives. */
    private static String lively(Payload payload) throws Exception {
        String script = payload.script();
        assertThat(script).contains("\ntao_beat=10\n", "\ntao_silence=60\n");
        return script.replace("\ntao_beat=10\n", "\ntao_beat=1\n");
    }

    /** One that takes another owner for ended after 20 looks without such a sign. */
    private static String hasty(Payload payload) throws Exception {
        return lively(payload).replace("\ntao_silence=60\n", "\ntao_silence=20\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("TR-29")
    void aDirectoryThatALivingJobUsesIsRefused(String shell) throws Exception {
        Process living = Container.of(shell)
                .start(
                        lively(of(
                                OTHER,
                                "echo up > " + folder + "/up; while [ ! -e " + folder + "/done ]; do sleep 0.2; done")),
                        folder);
        await().until(() -> Files.exists(folder.resolve("up")));

        Container.Log refused = Container.of(shell).run(lively(of(KEY, "echo never > {results_dir}/mine")), folder);
        Files.createFile(folder.resolve("done"));
        Container.Log ended = Container.finish(living);

        assertThat(refused.told()).hasValue(79);
        assertThat(refused.output()).contains("is in use by job other-1, which has not ended");
        assertThat(shared().resolve("mine")).doesNotExist();
        assertThat(ended.exitCode()).isZero();
        assertThat(shared().resolve(".tao/owner")).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("TR-29")
    void aDirectoryWhoseOwnerWasKilledIsTakenOver(String shell) throws Exception {
        Files.createDirectories(shared().resolve(".tao"));
        Files.writeString(shared().resolve(".tao/owner"), "other-1 0000000007\n");

        Container.Log log = Container.of(shell)
                .run(hasty(of(KEY, "cat {results_dir}/.tao/owner {results_dir}/.tao/began")), folder);

        assertThat(log.exitCode()).isZero();
        assertThat(log.output())
                .contains("job other-1 wrote to " + shared() + " before")
                .contains("dino-4f2a 0")
                .endsWith("dino-4f2a\n");
    }

    @Test
    @Promise("TR-29")
    void aFurtherAttemptOfTheSameJobTakesItsOwnDirectoryAtOnceAndKeepsItsBeginning() throws Exception {
        Container.of("dash").run(hasty(of(KEY, "true")), folder);
        Object began = Files.getAttribute(shared().resolve(".tao/began"), "unix:ctime");
        Files.writeString(shared().resolve(".tao/owner"), KEY + " 0000000007\n");

        Container.Log log = Container.of("dash").run(hasty(of(KEY, "true")), folder);

        assertThat(log.output()).isEmpty();
        assertThat(Files.getAttribute(shared().resolve(".tao/began"), "unix:ctime"))
                .isEqualTo(began);
    }

    @Test
    @Promise("TR-29")
    void filesOfAnEarlierJobInTheSameDirectoryAreNotUploaded() throws Exception {
        Files.createDirectories(shared());
        Files.writeString(shared().resolve("model.pth"), "of night 1");
        JobSpec spec = JobSpec.of("touch -d 2001-01-01 {results_dir}/kept-time; echo 2 > {results_dir}/log.txt")
                .resultsDirectory(shared().toString())
                .build();
        Payload payload = Payload.of(spec, KEY).sharedRoot(folder + "/mnt").storage(s3.settings(Optional.of("out")));

        Container.Log log = run(payload);

        assertThat(log.output()).contains("1 files in " + shared() + " are older than this job", "verified: 2 files");
        assertThat(s3.objects("out")).containsOnlyKeys("results/" + KEY + "/kept-time", "results/" + KEY + "/log.txt");
    }

    @Test
    @Promise("TR-29")
    void whatAnotherJobLeftAtTheSameAddressDoesNotComeHome() throws Exception {
        s3.put("data", "runs/1/model.pth", "of night 1").put("data", "runs/1/same.txt", "equal\n");
        s3.put("data", "runs/1/.tao/owner", "other-1\n");
        JobSpec.Builder spec = JobSpec.of("echo equal > {results_dir}/same.txt; echo 2 > {results_dir}/log.txt")
                .spec(Map.of("results_dir", "s3://data/runs/1"));

        run(payload(spec));

        assertThat(fetched(KEY).files).containsOnlyKeys("results/same.txt", "results/log.txt");
        assertThat(fetched(KEY).skipped)
                .containsExactly("results/model.pth is older than this job: another one left it there");
        assertThat(fetched(OTHER).files).isEmpty();
        assertThat(fetched(OTHER).skipped)
                .hasSize(3)
                .allMatch(line -> line.contains("where job '" + KEY + "' has stored"));
    }

    private Sink fetched(JobKey job) throws Exception {
        Sink sink = new Sink();
        new S3Fetch(s3.settings(Optional.empty()), HttpSettings.defaults())
                .copy(
                        S3Address.parse("s3://data/runs/1"),
                        job,
                        ArtifactPlan.of(List.of("*.pth", "*.txt", "**/owner")),
                        sink);
        return sink;
    }

    private static final class Sink implements ArtifactSink {
        private final Map<String, String> files = new LinkedHashMap<>();
        private final List<String> skipped = new java.util.ArrayList<>();

        @Override
        public ArtifactFile open(String path) {
            return new MemoryFile(kept -> files.put(path, kept.toString(StandardCharsets.UTF_8)));
        }

        @Override
        public void skipped(String path, String reason) {
            skipped.add(path + " " + reason);
        }
    }
}
