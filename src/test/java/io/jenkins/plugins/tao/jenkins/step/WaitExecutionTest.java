package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.model.Action;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the graph of a Pipeline shows of a step that waits. */
class WaitExecutionTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);

    @TempDir
    private Path home;

    @Test
    @Promise("TR-39")
    void itsNodeShowsTheNameAndTheNewestStateOfTheJob() {
        try (FakeJenkins jenkins = FakeJenkins.in(home, new LiveBuilds(), new TaoRunActions())) {
            Node node = new Node();
            jenkins.cluster().set(JOB, JobStatus.live(JobState.PENDING, "PENDING"));
            new WaitExecution(new Context(jenkins.build("train"), node), new WaitStep(JOB.token())).start();
            await().until(() -> node.labels().equals(List.of("sim/1 PENDING")));

            jenkins.cluster().set(JOB, JobStatus.live(JobState.RUNNING, "RUNNING"));

            await().until(() -> node.labels().equals(List.of("sim/1 RUNNING")));
        }
    }

    @Test
    @Promise("TR-77")
    void inABuildWithVeryManyJobsItsNodeIsWrittenAtTheEndAlone() {
        try (FakeJenkins jenkins = FakeJenkins.in(home, new LiveBuilds(), new CancelRequests(), new TaoRunActions())) {
            FakeBuild build = jenkins.build("train");
            for (int i = 1; i <= 100; i++) {
                JobHandle job = SimulatedCluster.handle(i, Instant.EPOCH);
                jenkins.cluster().set(job, JobStatus.live(JobState.PENDING, "PENDING"));
                WaitExecution wait = new WaitExecution(new Context(build, new Node()), new WaitStep(job.token()));
                wait.start();
                await().until(() -> wait.getStatus().contains("PENDING"));
            }
            JobHandle job = SimulatedCluster.handle(101, Instant.EPOCH);
            Node node = new Node();
            jenkins.cluster().set(job, JobStatus.live(JobState.PENDING, "PENDING"));
            WaitExecution last = new WaitExecution(new Context(build, node), new WaitStep(job.token()));
            last.start();
            await().until(() -> last.getStatus().contains("PENDING"));
            jenkins.cluster().set(job, JobStatus.live(JobState.RUNNING, "RUNNING"));
            await().until(() -> last.getStatus().contains("RUNNING"));
            assertThat(node.labels()).isEmpty();

            jenkins.cluster()
                    .set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));

            await().until(() -> node.labels().equals(List.of("sim/101 succeeded")));
        }
    }

    /** A node that keeps what it shows. */
    private static final class Node extends FlowNode {
        private final List<Action> actions = new CopyOnWriteArrayList<>();

        @Override
        @SuppressWarnings("deprecation") // as Jenkins declares it
        public List<Action> getActions() {
            return new java.util.AbstractList<>() {
                @Override
                public Action get(int index) {
                    return actions.get(index);
                }

                @Override
                public Action set(int index, Action action) {
                    return actions.set(index, action);
                }

                @Override
                public int size() {
                    return actions.size();
                }
            };
        }

        @Override
        public void addAction(Action action) {
            actions.add(action);
        }

        List<String> labels() {
            return actions.stream().map(Action::getDisplayName).toList();
        }
    }

    private static final class Context extends OwnContext {
        private static final long serialVersionUID = 1L;

        private final transient FakeBuild build;
        private final transient Node node;

        Context(FakeBuild build, Node node) {
            this.build = build;
            this.node = node;
        }

        @Override
        @SuppressWarnings("NullAway") // Jenkins says by null that something is not there
        public <T> T get(Class<T> key) throws IOException {
            Object found = key == TaskListener.class ? build.listener() : key == FlowNode.class ? node : build;
            return key.isInstance(found) ? key.cast(found) : null;
        }

        @Override
        public void onSuccess(Object result) {
            // no job of this test ends
        }

        @Override
        public void onFailure(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public ListenableFuture<Void> saveState() {
            throw new UnsupportedOperationException("nothing to save");
        }
    }
}
