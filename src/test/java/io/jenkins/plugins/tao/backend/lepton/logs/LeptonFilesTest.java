package io.jenkins.plugins.tao.backend.lepton.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.MemoryFile;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.lepton.LeptonSimulator;
import io.jenkins.plugins.tao.backend.lepton.LeptonWorkspace;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.payload.S3Server;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files on their way home from a workspace that sends them to S3. */
class LeptonFilesTest extends LeptonWorkspace {
    private final S3Server s3 = S3Server.start().bucket("out").bucket("data");

    @BeforeEach
    void withStorage() {
        backend.close();
        backend = open(simulator
                .target()
                .with("nodeGroup", "my-h100-pool")
                .with("s3", storage("out"))
                .build());
    }

    @AfterEach
    void closeStorage() {
        s3.close();
    }

    private S3Settings storage(String bucket) {
        return new S3Settings(
                Optional.of(s3.endpoint()),
                Optional.empty(),
                Optional.of(bucket),
                Optional.of(SecretSource.known(S3Server.ACCESS)),
                Optional.of(SecretSource.known(S3Server.SECRET)),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    private JobHandle ended(String command) throws Exception {
        JobHandle job = backend.submit(job(command).build(), key("files"));
        await().atMost(Duration.ofMinutes(5))
                .until(() -> !simulator.at(job).state().equals("Running"));
        return job;
    }

    @Test
    @Promise("TR-10")
    void resultsThatTheJobSentToS3ComeHome() throws Exception {
        JobHandle job = ended("mkdir {results_dir}/train; echo weights >{results_dir}/train/model.pth;"
                + " echo '{\"status\": \"SUCCESS\"}' >{results_dir}/train/status.json");
        Sink sink = new Sink();

        backend.fetch(job, ArtifactPlan.of(List.of("train/*.pth")), sink);

        assertThat(sink.text("results/train/model.pth")).isEqualTo("weights\n");
        assertThat(sink.text("results/train/status.json")).isEqualTo("{\"status\": \"SUCCESS\"}\n");
        assertThat(sink.files).containsKey("logs/main.out");
        assertThat(sink.skipped).isEmpty();
    }

    @Test
    @Promise("TR-10")
    void resultsOfAJobWhoseRecordIsGoneComeHomeToo() throws Exception {
        JobHandle job = ended("echo weights >{results_dir}/model.pth");
        simulator.jobs.clear();
        Sink sink = new Sink();

        backend.fetch(job, ArtifactPlan.of(List.of("*.pth")), sink);

        assertThat(sink.text("results/model.pth")).isEqualTo("weights\n");
    }

    @Test
    @Promise({"TR-10", "TR-05"})
    void whatDoesNotComeIsReportedAndKeepsNothingElseBack() throws Exception {
        JobHandle job = ended("echo out");
        s3.close();
        Sink sink = new Sink();

        assertThatThrownBy(() -> backend.fetch(job, ArtifactPlan.of(List.of("*.pth")), sink))
                .isInstanceOf(BackendException.Unreadable.class)
                .hasMessageContaining("results: ");

        assertThat(sink.text("logs/main.out")).contains("out\n");
        assertThat(sink.skipped)
                .hasEntrySatisfying("results/*.pth", why -> assertThat(why).startsWith("did not come from S3: "));
    }

    @Test
    @Promise({"TR-10", "TR-05"})
    void aLogThatCannotBeReadKeepsNoFileBack() throws Exception {
        JobHandle job = ended("echo weights >{results_dir}/model.pth");
        simulator.fault =
                call -> call.contains("log") ? Optional.of(LeptonSimulator.json(500, "{}")) : Optional.empty();
        Sink sink = new Sink();

        assertThatThrownBy(() -> backend.fetch(job, ArtifactPlan.of(List.of("*.pth")), sink))
                .isInstanceOf(BackendException.Unreadable.class)
                .hasMessageContaining("Some files from Lepton were not fetched completely")
                .hasMessageContaining("logs/main.out");

        assertThat(sink.text("results/model.pth")).isEqualTo("weights\n");
        assertThat(sink.skipped).containsKey("logs/main.out");
    }

    @Test
    @Promise("TR-11")
    void anInputFromS3MayHaveAPlaceOfItsOwn() throws Exception {
        s3.put("data", "odd/x", "one");

        Report good = backend.preflight(
                job("true").inputs(List.of("/in/odd=s3://data/odd")).build());
        Report bad = backend.preflight(job("true").inputs(List.of("/in/odd")).build());

        assertThat(check(good, "volumes and permissions").verdict()).isEqualTo(Report.Verdict.PASSED);
        assertThat(good.failed()).isFalse();
        assertThat(check(bad, "volumes and permissions").detail())
                .isEqualTo("input '/in/odd' lies on no volume of the job");
    }

    private static final class Sink implements ArtifactSink {
        final Map<String, ByteArrayOutputStream> files = new TreeMap<>();
        final Map<String, String> skipped = new TreeMap<>();

        String text(String path) {
            return files.containsKey(path) ? files.get(path).toString(StandardCharsets.UTF_8) : "absent";
        }

        @Override
        public ArtifactFile open(String path) {
            return new MemoryFile(file ->
                    assertThat(files.put(path, file)).as("kept twice: " + path).isNull());
        }

        @Override
        public void skipped(String path, String reason) {
            skipped.put(path, reason);
        }
    }
}
