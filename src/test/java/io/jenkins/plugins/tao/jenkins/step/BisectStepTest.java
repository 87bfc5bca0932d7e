package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException;
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
    private PlayedBlocks blocks;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new TaoRunActions());
        build = jenkins.build("nightly");
        blocks = new PlayedBlocks(new StepProbe(build));
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
        for (int done = 0; !blocks.probe().isDone(); ) {
            int count = done;
            Awaitility.await().until(() -> blocks.probe().isDone() || begun().size() > count);
            if (begun().size() > done) {
                blocks.end(done, begun().get(done).charAt(0) >= first ? worse() : null);
                done++;
            }
        }
    }

    private List<String> begun() {
        return blocks.begun("TAO_COMMIT");
    }

    private static Throwable worse() {
        return new GateFailed("val_mAP is 0.31", true);
    }

    private Map<?, ?> answer() throws Exception {
        return (Map<?, ?>) blocks.probe().answer();
    }

    @Test
    @Promise("NV-21")
    void theFirstBadCommitIsFoundWithTheGateAsJudge() throws Exception {
        step("8").start(blocks).start();
        play('e');

        assertThat(answer().get("first")).isEqualTo("e");
        assertThat(begun()).containsExactly("d", "f", "e");
        assertThat(blocks.has(0, BisectJudge.class)).isTrue();
        assertThat(build.log()).contains("e is bad: val_mAP is 0.31", "The first bad commit is e.");
    }

    @Test
    @Promise("NV-21")
    void aBlockThatFailsByItselfSaysNothingAndANeighbourIsTried() throws Exception {
        step("8").start(blocks).start();
        Awaitility.await().until(() -> begun().size() == 1);
        blocks.end(0, new IOException("no such commit"));
        Awaitility.await().until(() -> begun().size() == 2);

        assertThat(begun()).containsExactly("d", "c");
        assertThat(build.log()).contains("d is unknown: no such commit");
    }

    @Test
    @Promise("NV-21")
    void theBudgetEndsTheSearchWithWhatIsLeft() throws Exception {
        step("2").start(blocks).start();
        play('e');

        assertThat(begun()).hasSize(2);
        assertThat(answer().containsKey("first")).isFalse();
        assertThat(String.valueOf(answer().get("sentence"))).contains("the budget of 2 runs is spent");
    }

    @Test
    @Promise("NV-21")
    void anAbortEndsTheSearch() throws Exception {
        step("8").start(blocks).start();
        Awaitility.await().until(() -> begun().size() == 1);

        blocks.end(0, new FlowInterruptedException(hudson.model.Result.ABORTED, true));

        assertThat(blocks.probe().failure()).isInstanceOf(FlowInterruptedException.class);
        assertThat(begun()).hasSize(1);
    }

    @Test
    void whatIsAskedForIsCheckedFirst() {
        BisectStep nothing = new BisectStep();

        assertThatThrownBy(() -> nothing.start(blocks)).hasMessageContaining("the oldest first and the bad one last");
        assertThatThrownBy(() -> step("0").start(blocks)).hasMessageContaining("at least one run");
    }
}
