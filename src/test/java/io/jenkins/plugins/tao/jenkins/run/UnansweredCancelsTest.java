package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a kept request when the submission ends without a job. */
class UnansweredCancelsTest {
    @TempDir
    Path directory;

    private FakeJenkins jenkins;
    private Path file;

    @BeforeEach
    void kept() throws IOException {
        jenkins = FakeJenkins.in(directory.resolve("home"), new CancelRequests());
        file = Files.writeString(directory.resolve("train-1.unanswered.xml"), "as Jenkins wrote it");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private void ends(Throwable failure) {
        ends(failure, new UnansweredCancels(directory.toFile()));
    }

    private static void ends(Throwable failure, UnansweredCancels requests) {
        JobRequest request = (JobRequest) Proxy.newProxyInstance(
                JobRequest.class.getClassLoader(),
                new Class<?>[] {JobRequest.class},
                (proxy, method, arguments) -> "dgx");
        UnansweredWish cancel = new UnansweredWish(new JobKey("train-1"), "train#1", "anna", request, List.of());
        requests.answered(cancel, null, failure);
    }

    @Test
    void itIsForgottenWhenNothingWasSent() {
        ends(new CancellationException("given up before anything was sent"));

        assertThat(file).doesNotExist();
    }

    @Test
    void itIsForgottenWhenTheTargetRefusedTheJob() {
        ends(new BackendException.Rejected("there is no partition 'gpux'", "Use another."));

        assertThat(file).doesNotExist();
    }

    @Test
    void itStaysForTheNextJenkinsWhenNobodyKnowsWhetherThereIsAJob() {
        ends(new BackendException.Unreachable("no answer", "Wait."));
        ends(new BackendException.Denied("the key is refused", "Use another."));
        ends(new IllegalStateException("the process ends"));

        assertThat(file).exists();
    }

    @Test
    void itIsAskedForAgainSomeMinutesAfterEachAnswerThatSettledNothingAndOnceAtATime() {
        UnansweredCancels requests = new UnansweredCancels(directory.toFile());
        ends(new BackendException.Unreachable("no answer", "Wait."), requests);
        ends(new BackendException.Unreachable("no answer", "Wait."), requests);
        assertThat(jenkins.ticker().waiting()).isEqualTo(1);

        jenkins.ticker().advance(Duration.ofMinutes(5)); // its target 'dgx' is not configured, so it is due again

        await().until(() -> jenkins.ticker().waiting() == 1);
        assertThat(file).exists();
    }
}
