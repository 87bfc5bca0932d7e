package io.jenkins.plugins.tao.jenkins.step;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.EnvVars;
import hudson.FilePath;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jenkinsci.plugins.workflow.steps.EnvironmentExpander;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.jenkinsci.plugins.workflow.steps.StepExecution;

/** The place of a step in a Pipeline, which keeps how the step ended. */
final class StepProbe extends OwnContext {
    private static final long serialVersionUID = 1L;

    private static final Map<Integer, StepProbe> KNOWN = new ConcurrentHashMap<>();

    private final int number = KNOWN.size() + 1;
    private final transient FakeBuild build;
    private final transient Optional<Path> workspace;
    private transient EnvironmentExpander bound = new Bound(Map.of());
    private transient CompletableFuture<Object> result = new CompletableFuture<>();

    /** Outside of a node. */
    StepProbe(FakeBuild build) {
        this(build, Optional.empty());
    }

    /** On a node that has {@code workspace}. */
    StepProbe(FakeBuild build, Path workspace) {
        this(build, Optional.of(workspace));
    }

    private StepProbe(FakeBuild build, Optional<Path> workspace) {
        this.build = build;
        this.workspace = workspace;
        KNOWN.put(number, this);
    }

    /** A step that was saved comes back to its place. */
    private Object readResolve() {
        return Objects.requireNonNull(KNOWN.get(number), "the step was saved in another test");
    }

    /** Binds secrets around the step, as {@code withCredentials} does. */
    StepProbe binding(Map<String, String> secrets) {
        bound = new Bound(secrets);
        return this;
    }

    /** Starts {@code step}. */
    StepExecution start(Step step) throws Exception {
        StepExecution execution = step.start(this);
        assertNotDone(execution.start());
        return execution;
    }

    private static void assertNotDone(boolean done) {
        if (done) {
            throw new AssertionError("the step held the thread of the Pipeline until its end");
        }
    }

    /** What the step returned. */
    Object answer() throws Exception {
        return result.get(3, TimeUnit.MINUTES);
    }

    /** What the step failed with. */
    Throwable failure() {
        try {
            return new AssertionError(
                    "it returned " + result.orTimeout(3, TimeUnit.MINUTES).join());
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            return cause == null ? e : cause;
        }
    }

    /** Waits for its end, whatever it is. */
    void ended() {
        var unused = result.handle((done, failure) -> true)
                .orTimeout(3, TimeUnit.MINUTES)
                .join();
    }

    /** Makes it as if its step had not ended. */
    void forget() {
        result = new CompletableFuture<>();
    }

    boolean isDone() {
        return result.isDone();
    }

    @Override
    @SuppressWarnings("NullAway") // Jenkins has no workspace outside of a node, and says so by null
    public <T> T get(Class<T> key) throws IOException {
        if (key == FilePath.class) {
            return key.cast(workspace.map(path -> new FilePath(path.toFile())).orElse(null));
        }
        if (key == FlowNode.class) {
            throw new IOException("this Pipeline has no graph");
        }
        if (key == EnvironmentExpander.class) {
            return key.cast(bound);
        }
        if (key == TaskListener.class) {
            return key.cast(build.listener());
        }
        return key.isInstance(build) ? key.cast(build) : null; // nothing else is there
    }

    @Override
    public void onSuccess(Object answer) {
        result.complete(answer);
    }

    @Override
    public void onFailure(Throwable failure) {
        result.completeExceptionally(failure);
    }

    @Override
    public ListenableFuture<Void> saveState() {
        Saved saved = new Saved();
        saved.complete(null);
        return saved;
    }

    /** Secrets by variable. */
    private static final class Bound extends EnvironmentExpander {
        private static final long serialVersionUID = 1L;

        private final HashMap<String, String> secrets;

        Bound(Map<String, String> secrets) {
            this.secrets = new HashMap<>(secrets);
        }

        @Override
        public void expand(EnvVars variables) {
            variables.putAll(secrets);
            variables.put("PLAIN", "seen by all");
        }

        @Override
        public Set<String> getSensitiveVariables() {
            return secrets.keySet();
        }
    }

    private static final class Saved extends CompletableFuture<Void> implements ListenableFuture<Void> {
        @Override
        public void addListener(Runnable listener, Executor executor) {
            var unused = whenCompleteAsync((done, failure) -> listener.run(), executor);
        }
    }
}
