package io.jenkins.plugins.tao.jenkins.step;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.AbortException;
import hudson.FilePath;
import hudson.model.Run;
import hudson.model.TaskListener;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException;
import org.jspecify.annotations.Nullable;

/** The place of a {@code taoRun} in a build without a Pipeline, whose executor waits for its end. Nothing of it is saved. */
public final class StepInBuild extends OwnContext {
    private static final long serialVersionUID = 1L;

    private final transient Place place;
    private final transient CompletableFuture<Optional<Object>> end = new CompletableFuture<>();

    /** In {@code workspace}; null for none. */
    public StepInBuild(Run<?, ?> run, TaskListener listener, @Nullable FilePath workspace) {
        place = new Place(Stream.of(Optional.of(run), Optional.of(listener), Optional.ofNullable(workspace))
                .flatMap(Optional::stream)
                .map(Object.class::cast)
                .toList());
    }

    /**
     * Does what {@code step} asks for, and judges it.
     *
     * @param gates what the job is judged by, each with its keys; empty for those of the job file, if the step has one
     * @return what {@code taoRun} returns; empty for nothing
     * @throws IOException as the build shows it
     * @throws InterruptedException if the build was aborted; the job is ended before that, or left as {@code onAbort} says
     */
    public Optional<Object> run(RunStep step, List<Map<String, String>> gates)
            throws IOException, InterruptedException {
        step.checkWait();
        JudgedExecution execution = new JudgedExecution(this, step, gates);
        execution.start();
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw shown(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            stop(execution, e);
            throw e;
        }
    }

    private void stop(JudgedExecution execution, InterruptedException cause) throws IOException {
        try {
            execution.stop(cause);
        } catch (Exception e) { // as Jenkins declares it
            throw shown(e);
        }
        var unused = end.handle((done, failure) -> done).join();
    }

    private static IOException shown(Throwable failure) {
        if (failure instanceof FlowInterruptedException) {
            return new AbortException(JobCancelled.by(failure)); // someone cancelled the job, and not the build
        }
        return failure instanceof IOException known ? known : new IOException(failure);
    }

    @Override
    @SuppressWarnings("NullAway") // what is not there is null
    public <T> T get(Class<T> key) {
        return place.parts().stream()
                .filter(key::isInstance)
                .map(key::cast)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void onSuccess(Object result) {
        end.complete(Optional.ofNullable(result));
    }

    @Override
    public void onFailure(Throwable failure) {
        end.completeExceptionally(failure);
    }

    @Override
    public ListenableFuture<Void> saveState() {
        Saved saved = new Saved();
        saved.complete(null);
        return saved;
    }

    /** Run, listener and workspace. */
    private record Place(List<Object> parts) {}

    private static final class Saved extends CompletableFuture<Void> implements ListenableFuture<Void> {
        @Override
        public void addListener(Runnable listener, Executor executor) {
            var unused = whenCompleteAsync((done, failure) -> listener.run(), executor);
        }
    }
}
