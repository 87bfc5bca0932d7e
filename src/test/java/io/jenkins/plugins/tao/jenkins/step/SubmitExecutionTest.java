package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a step costs while it waits. */
class SubmitExecutionTest {
    private static final int BRANCHES = 300;
    /** What the pools of the plugin hold together, whatever the number of steps. */
    private static final int FEW = 24;

    @TempDir
    private Path home;

    private final Save save = new Save();
    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new OpenBuilds(), new StateSaves(), new TaoRunActions());
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    @Promise({"TR-41", "JK-22"})
    void threeHundredSubmissionsHoldNoThreadEach() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        jenkins.cluster().hangSubmissionsOn(answer);
        List<Context> contexts =
                IntStream.range(0, BRANCHES).mapToObj(i -> new Context()).toList();
        int before = Thread.activeCount();

        for (Context context : contexts) {
            assertThat(new SubmitExecution(context, new SubmitStep(FakeJenkins.TARGET, "true")).start())
                    .isFalse();
        }
        assertThat(Thread.activeCount() - before)
                .as("threads while Jenkins saves")
                .isLessThanOrEqualTo(FEW);
        save.complete(null);
        await().until(() ->
                build.log().lines().filter(line -> line.contains("submitting ")).count() == BRANCHES);
        assertThat(Thread.activeCount() - before)
                .as("threads while the target is asked")
                .isLessThanOrEqualTo(FEW);

        answer.countDown();
        await().until(() -> contexts.stream().allMatch(context -> context.result.isDone()));
        assertThat(contexts).noneMatch(context -> context.result.isCompletedExceptionally());
    }

    @Test
    @Promise("NV-27")
    void aBudgetThatIsExceededRefusesTheSubmissionBeforeItIsSent() throws Exception {
        TaoGlobalConfiguration.get().setBudgets("- {target: sim, gpuHours: 10}");
        SubmitStep step = new SubmitStep(FakeJenkins.TARGET, "true");
        step.setGpus("8");
        step.setTimeLimit("2h");
        save.complete(null);
        Context context = new Context();

        assertThat(new SubmitExecution(context, step).start()).isFalse();

        await().until(context.result::isDone);
        assertThat(context.result).isCompletedExceptionally();
        assertThat(build.log())
                .contains("FAILED budget: of 10.0 GPU-hours for target 'sim'")
                .contains("this job asks for 16.0 (8 GPUs x 2h): 6.0 above")
                .contains("Manage Jenkins, System, TAO jobs, Budgets");
    }

    private final class Context extends OwnContext {
        private static final long serialVersionUID = 1L;

        private final transient CompletableFuture<Object> result = new CompletableFuture<>();

        @Override
        @SuppressWarnings("NullAway") // Jenkins says by null that something is not there
        public <T> T get(Class<T> key) throws IOException {
            Object found = key == TaskListener.class ? build.listener() : build;
            return key.isInstance(found) ? key.cast(found) : null;
        }

        @Override
        public void onSuccess(Object job) {
            result.complete(job);
        }

        @Override
        public void onFailure(Throwable failure) {
            result.completeExceptionally(failure);
        }

        @Override
        public ListenableFuture<Void> saveState() {
            return save;
        }
    }

    private static final class Save extends CompletableFuture<Void> implements ListenableFuture<Void> {
        @Override
        public void addListener(Runnable listener, Executor executor) {
            var unused = whenCompleteAsync((done, failure) -> listener.run(), executor);
        }
    }
}
