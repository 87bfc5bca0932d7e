package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.JobRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.jenkins.run.TaoJob;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that {@code withCredentials} has bound, in the texts of a job. */
class BoundSecretsTest {
    private static final String KEY = "nvapi-0123456789";

    private static final JobStatus DONE =
            JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0);

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(
                home, new LiveBuilds(), new OpenBuilds(), new StateSaves(), new CancelRequests(), new TaoRunActions());
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private JobHandle submitted(String env, String command) throws Exception {
        SubmitStep job = new SubmitStep(FakeJenkins.TARGET, command);
        job.setEnv(env);
        StepProbe bound = new StepProbe(build).binding(Map.of("NGC", KEY));
        bound.start(job);
        return JobHandle.parse(((TaoJob) bound.answer()).getToken());
    }

    @Test
    void aBoundSecretInTheEnvironmentIsNotKeptAndTheLogSaysHowToGiveIt() throws Exception {
        submitted("X: " + KEY + "\nPLAIN: seen by all", "train");

        assertThat(build.log()).containsOnlyOnce("WARNING: a secret that this build has bound stands in env: X.");
        assertThat(build.log()).contains("secrets: [X: 'CREDENTIALS-ID']").doesNotContain(KEY);
        assertNowhereKept();
    }

    @Test
    void aBoundSecretInTheCommandIsNotKept() throws Exception {
        submitted("", "train --key " + KEY);

        assertThat(build.log())
                .contains("stands in the command or another text of the job")
                .doesNotContain(KEY);
        assertNowhereKept();
    }

    @Test
    void aJobWithoutTheSecretIsKeptAsItIsAndSaysNothing() throws Exception {
        JobHandle job = submitted("X: other", "train");

        assertThat(build.log()).doesNotContain("WARNING");
        assertThat(JobRequests.of(build, job.key()).getEnv()).isEqualTo("X: other");
    }

    @Test
    void aWaitOutsideOfTheBlockHidesItInTheJobsLog() throws Exception {
        JobHandle job = submitted("X: " + KEY, "train");
        jenkins.cluster().set(job, JobStatus.live(JobState.RUNNING, "RUNNING"));
        jenkins.cluster().write(job, Stream.OUT, "the key is " + KEY + "\n");
        WaitStep wait = new WaitStep(job.token());
        wait.setInterval("1s");
        StepProbe probe = new StepProbe(build);
        probe.start(wait);
        eventually(() -> build.log().contains("the key is "));
        jenkins.cluster().set(job, DONE);
        probe.answer();

        assertThat(build.log()).contains("the key is ****").doesNotContain(KEY);
    }

    @Test
    void aJobThatIsRunAgainOutsideOfTheBlockGetsItAndDoesNotKeepIt() throws Exception {
        JobHandle failed = submitted("X: " + KEY, "train");
        RetryStep again = new RetryStep(failed.token());
        again.setInterval("1s");
        StepProbe probe = new StepProbe(build);
        probe.start(again);
        eventually(() -> tokens().size() == 2);
        JobHandle second = JobHandle.parse(tokens().get(1));
        jenkins.cluster().set(second, DONE);
        probe.answer();

        assertThat(JobRequests.of(build, second.key()).getEnv()).isEqualTo("X: " + KEY);
        assertNowhereKept();
    }

    private void assertNowhereKept() throws IOException {
        try (var files = Files.walk(home)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(KEY);
            }
        }
    }

    private List<String> tokens() {
        String mark = "[tao] token ";
        return build.log()
                .lines()
                .filter(line -> line.startsWith(mark))
                .map(line -> line.substring(mark.length()))
                .toList();
    }

    private static void eventually(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(3)).until(condition);
    }
}
