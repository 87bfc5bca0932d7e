package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.EnvVars;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jenkinsci.plugins.workflow.steps.BodyExecution;
import org.jenkinsci.plugins.workflow.steps.BodyExecutionCallback;
import org.jenkinsci.plugins.workflow.steps.BodyInvoker;
import org.jenkinsci.plugins.workflow.steps.EnvironmentExpander;
import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search of taoBisect; its blocks are played. */
class BisectStepTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;
    private Blocks blocks;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new TaoRunActions());
        build = jenkins.build("nightly");
        blocks = new Blocks(new StepProbe(build));
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private static BisectStep step(String budget) {
        BisectStep step = new BisectStep();
        step.setCommits("a\nb\nc\nd\ne\nf\ng\nh");
        step.setBudget(budget);
        return step;
    }

    /** Answers blocks until the search is over: commits from {@code first} on are bad. */
    private void play(char first) throws Exception {
        for (int done = 0; !blocks.probe.isDone(); ) {
            int count = done;
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> blocks.probe.isDone() || blocks.begun.size() > count);
            if (blocks.begun.size() > done) {
                blocks.end(done, blocks.begun.get(done).charAt(0) >= first ? worse() : null);
                done++;
            }
        }
    }

    private static Throwable worse() {
        return new GateFailed("val_mAP is 0.31", true);
    }

    private Map<?, ?> answer() throws Exception {
        return (Map<?, ?>) blocks.probe.answer();
    }

    @Test
    @Promise("NV-21")
    void theFirstBadCommitIsFoundWithTheGateAsJudge() throws Exception {
        step("8").start(blocks).start();
        play('e');

        assertThat(answer().get("first")).isEqualTo("e");
        assertThat(blocks.begun).containsExactly("d", "f", "e");
        assertThat(build.log()).contains("e is bad: val_mAP is 0.31", "The first bad commit is e.");
    }

    @Test
    @Promise("NV-21")
    void aBlockThatFailsByItselfSaysNothingAndANeighbourIsTried() throws Exception {
        step("8").start(blocks).start();
        Awaitility.await().until(() -> blocks.begun.size() == 1);
        blocks.end(0, new IOException("no such commit"));
        Awaitility.await().until(() -> blocks.begun.size() == 2);

        assertThat(blocks.begun).containsExactly("d", "c");
        assertThat(build.log()).contains("d is unknown: no such commit");
    }

    @Test
    @Promise("NV-21")
    void theBudgetEndsTheSearchWithWhatIsLeft() throws Exception {
        step("2").start(blocks).start();
        play('e');

        assertThat(blocks.begun).hasSize(2);
        assertThat(answer().containsKey("first")).isFalse();
        assertThat(String.valueOf(answer().get("sentence"))).contains("the budget of 2 runs is spent");
    }

    @Test
    @Promise("NV-21")
    void anAbortEndsTheSearch() throws Exception {
        step("8").start(blocks).start();
        Awaitility.await().until(() -> blocks.begun.size() == 1);

        blocks.end(0, new FlowInterruptedException(hudson.model.Result.ABORTED, true));

        assertThat(blocks.probe.failure()).isInstanceOf(FlowInterruptedException.class);
        assertThat(blocks.begun).hasSize(1);
    }

    @Test
    void whatIsAskedForIsCheckedFirst() {
        BisectStep nothing = new BisectStep();

        assertThatThrownBy(() -> nothing.start(blocks)).hasMessageContaining("the oldest first and the bad one last");
        assertThatThrownBy(() -> step("0").start(blocks)).hasMessageContaining("at least one run");
    }

    /** A Pipeline whose blocks begin, and end as a test says. */
    private static final class Blocks extends StepContext {
        private static final long serialVersionUID = 1L;

        private final transient StepProbe probe;
        private final transient List<String> begun = new CopyOnWriteArrayList<>();
        private final transient List<BodyExecutionCallback> callbacks = new CopyOnWriteArrayList<>();

        Blocks(StepProbe probe) {
            this.probe = probe;
        }

        void end(int block, @Nullable Throwable failure) {
            if (failure == null) {
                callbacks.get(block).onSuccess(this, "");
            } else {
                callbacks.get(block).onFailure(this, failure);
            }
        }

        @Override
        public <T> T get(Class<T> key) throws IOException {
            return probe.get(key);
        }

        @Override
        public void onSuccess(Object result) {
            probe.onSuccess(result);
        }

        @Override
        public void onFailure(Throwable failure) {
            probe.onFailure(failure);
        }

        @Override
        public ListenableFuture<Void> saveState() {
            return probe.saveState();
        }

        @Override
        public BodyInvoker newBodyInvoker() {
            return new Invoker(this);
        }
    }

    private static final class Invoker extends BodyInvoker {
        private final Blocks blocks;
        private final EnvVars variables = new EnvVars();
        private boolean judged;

        Invoker(Blocks blocks) {
            this.blocks = blocks;
        }

        @Override
        public BodyInvoker withContext(Object context) {
            try {
                if (context instanceof EnvironmentExpander expander) {
                    expander.expand(variables);
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            judged |= context instanceof BisectJudge;
            return this;
        }

        @Override
        public BodyInvoker withDisplayName(@Nullable String name) {
            return this;
        }

        @Override
        public BodyInvoker withCallback(BodyExecutionCallback callback) {
            blocks.callbacks.add(callback);
            return this;
        }

        @Override
        @SuppressWarnings("NullAway") // a played block cannot be cancelled
        public BodyExecution start() {
            assertThat(judged).isTrue();
            blocks.begun.add(variables.get("TAO_COMMIT"));
            return null;
        }
    }
}
