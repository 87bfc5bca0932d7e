package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Logs and files of a notebook's output, as they come and as they should not come. */
class KaggleOutputTest {
    private static final String SLUG = "tao-" + KaggleRig.KEY;
    private static final JobSpec TRUE = JobSpec.of("true").build();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private KaggleRig rig;

    @BeforeEach
    void open() throws Exception {
        rig = new KaggleRig(temporary);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static KaggleSimulator.Fault answers(MockResponse reply) {
        return real -> reply;
    }

    @Test
    void namesThatLeadOutOfTheOutputAreNotFetched() throws Exception {
        JobHandle job =
                rig.submit(JobSpec.of("echo fine >{results_dir}/fine.pth").build());
        rig.end(job);
        String results = "results/" + KaggleRig.KEY + "/";
        for (String name :
                List.of(results + "../../../etc/x.pth", "/etc/x.pth", results + "a\\b.pth", results + "n\n.pth")) {
            rig.kaggle.kernel(SLUG).planted.put(name, "http://127.0.0.1:9/x");
        }
        rig.kaggle.kernel(SLUG).planted.put(results + "evil.pth", "http://files.example/evil.pth");
        rig.kaggle.kernel(SLUG).planted.put(results + "file.pth", "file:///etc/passwd");

        Sink sink = new Sink();

        assertThatThrownBy(() -> rig.backend.fetch(job, ArtifactPlan.of(List.of("**/*.pth")), sink))
                .isInstanceOf(BackendException.Unreadable.class)
                .hasMessageContaining("results/evil.pth")
                .hasMessageContaining("results/file.pth");

        assertThat(sink.files.keySet()).containsExactlyInAnyOrder("results/fine.pth", "logs/main.out", "logs/main.err");
        assertThat(sink.skipped).hasSize(6);
        assertThat(sink.skipped.values())
                .anySatisfy(why -> assertThat(why).contains("leads out of the output"))
                .anySatisfy(why -> assertThat(why).contains("https"));
    }

    @Test
    void manyFilesComePageByPageAndLargeOnesAreTold() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("cd {results_dir}; for i in $(seq 450); do echo $i >f$i.txt; done;"
                        + " head -c 5000 /dev/zero >large.txt")
                .build());
        rig.end(job);
        Sink sink = new Sink();

        rig.backend.fetch(job, new ArtifactPlan(List.of("*.txt"), 4000, 100_000), sink);

        assertThat(sink.files).containsKey("results/f450.txt").hasSize(450 + 2);
        assertThat(sink.skipped)
                .containsEntry(
                        "results/large.txt",
                        "has 4.9 KiB, more than the limit of 3.9 KiB a file; it stays at Kaggle, in the output of the notebook");
    }

    @Test
    void aFullDiskAtHomeEndsTheFetchInsteadOfLosingFilesQuietly() throws Exception {
        JobHandle job =
                rig.submit(JobSpec.of("echo fine >{results_dir}/fine.pth").build());
        rig.end(job);
        Sink full = new Sink() {
            @Override
            public ArtifactFile open(String path) throws IOException {
                throw new IOException("No space left on device");
            }
        };

        assertThatThrownBy(() -> rig.backend.fetch(job, ArtifactPlan.of(List.of("*.pth")), full))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("results/fine.pth could not be stored: No space left on device");
        assertThat(full.skipped).isEmpty();
    }

    @Test
    @Promise("TR-05")
    void aFileThatIsLongerThanItsServerSaidIsTold() throws Exception {
        JobHandle job = rig.submit(TRUE);
        rig.end(job);
        Sink sink = new Sink();
        try (MockWebServer files = PlayedServer.create()) {
            files.start(InetAddress.getLoopbackAddress(), 0);
            files.enqueue(new MockResponse.Builder()
                    .chunkedBody("x".repeat(5000), 1000)
                    .build());
            rig.kaggle
                    .kernel(SLUG)
                    .planted
                    .put(
                            "results/" + KaggleRig.KEY + "/grown.txt",
                            files.url("/grown.txt").toString());

            assertThatThrownBy(() -> rig.backend.fetch(job, new ArtifactPlan(List.of("*.txt"), 4000, 100_000), sink))
                    .isInstanceOf(BackendException.Unreadable.class)
                    .hasMessageContaining("results/grown.txt");
        }

        assertThat(sink.files).containsKey("logs/main.out").doesNotContainKey("results/grown.txt");
        assertThat(sink.skipped.get("results/grown.txt")).startsWith("could not be read");
    }

    @Test
    @Promise("TR-05")
    void aPageThatNamesItselfDoesNotGoOnForEver() throws Exception {
        JobHandle job = rig.submit(TRUE);
        rig.end(job);
        for (int i = 0; i < 5; i++) {
            rig.kaggle.fault(
                    "ListKernelSessionOutput", answers(Answers.json(200, "{\"files\":[],\"nextPageToken\":\"a\"}")));
        }

        assertThatThrownBy(() -> rig.fetch(job, "*"))
                .isInstanceOf(BackendException.Unreadable.class)
                .hasMessageContaining("listed in part only");

        assertThat(rig.kaggle.calls.stream().filter("ListKernelSessionOutput"::equals))
                .hasSizeLessThan(4);
    }

    @Test
    void withoutLiveLogsTheKeptOneIsRead() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("echo kept").build());
        rig.end(job);
        for (MockResponse reply : List.of(Answers.error(404, "no such method"), Answers.html())) {
            rig.kaggle.fault("stream", answers(reply));
            assertThat(rig.read(job, Stream.OUT)).isEqualTo("kept\n");
        }
    }

    @Test
    void aLogInDripsDoesNotHoldUpTheRound() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("echo one; sleep 600").build());
        org.awaitility.Awaitility.await().until(() -> rig.read(job, Stream.OUT).equals("one\n"));
        rig.kaggle.fault(
                "stream",
                answers(new MockResponse.Builder()
                        .setHeader("Content-Type", "text/event-stream")
                        .body("data: {\"stream_name\":\"stdout\",\"data\":\"one\\n\"}\n\n".repeat(400))
                        .throttleBody(60, 2, TimeUnit.SECONDS)
                        .build()));
        StreamRef out = new StreamRef(job, Stream.OUT);
        long began = System.nanoTime();

        try (KaggleBackend impatient = KaggleRig.backend(rig.kaggle.target(), Duration.ofMillis(300))) {
            assertThat(impatient.read(Map.of(out, Position.START))).hasSizeLessThanOrEqualTo(1);
        }

        // all of it would take 11 minutes, and no call may take more than half of one
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(25));
    }

    @Test
    void aLogThatComesLateIsWaitedFor() throws Exception {
        rig.kaggle.logsWithheld = 3;
        JobHandle job = rig.submit(JobSpec.of("exit 5").build());

        JobStatus first = org.awaitility.Awaitility.await()
                .until(() -> rig.look(job), status -> status.nativeState().equals("COMPLETE"));
        JobStatus last = rig.end(job);

        assertThat(first.state()).isEqualTo(JobState.RUNNING);
        assertThat(first.reason()).hasValue("Kaggle has not published the end of its log yet");
        assertThat(last.exitCode()).hasValue(5);
    }

    @Test
    void aRunWithoutItsLastLineIsNeverASuccessByItself() throws Exception {
        rig.kaggle.edit = text -> text.replace("TAO.close()\"", "None\"");

        JobStatus status = rig.run(TRUE);

        assertThat(status.nativeState()).isEqualTo("COMPLETE");
        assertThat(status.exitCode()).isEmpty();
        assertThat(status.reason()).hasValue("the notebook left no last line of ours");
    }
}
