package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a kept wish when the submission ends without a job. */
class UnansweredWishesTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void kept() throws IOException {
        file = Files.writeString(directory.resolve("train-1.unanswered.xml"), "as Jenkins wrote it");
    }

    private void ends(Throwable failure) {
        JobRequest request = (JobRequest) Proxy.newProxyInstance(
                JobRequest.class.getClassLoader(),
                new Class<?>[] {JobRequest.class},
                (proxy, method, arguments) -> "dgx");
        UnansweredWish wish = new UnansweredWish(new JobKey("train-1"), "train#1", "anna", request);
        new UnansweredWishes(directory.toFile()).answered(wish, null, failure);
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
}
