package io.jenkins.plugins.tao.jenkins.step;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.EnvVars;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jenkinsci.plugins.workflow.steps.BodyExecution;
import org.jenkinsci.plugins.workflow.steps.BodyExecutionCallback;
import org.jenkinsci.plugins.workflow.steps.BodyInvoker;
import org.jenkinsci.plugins.workflow.steps.EnvironmentExpander;
import org.jspecify.annotations.Nullable;

/** The place of a step with a block: each run of it begins, and ends as a test says, or when it is cancelled. */
final class PlayedBlocks extends OwnContext {
    private static final long serialVersionUID = 1L;

    private final transient StepProbe probe;
    private final transient List<Block> begun = new CopyOnWriteArrayList<>();

    PlayedBlocks(StepProbe probe) {
        this.probe = probe;
    }

    StepProbe probe() {
        return probe;
    }

    /** What a variable was in each run of the block, in their order. */
    List<String> begun(String variable) {
        return begun.stream().map(block -> block.variables.get(variable)).toList();
    }

    /** Whether the run of this number was given a thing of this type. */
    boolean has(int block, Class<?> type) {
        return begun.get(block).contexts.stream().anyMatch(type::isInstance);
    }

    boolean isOver(int block) {
        return begun.get(block).isDone();
    }

    void end(int block, @Nullable Throwable failure) {
        begun.get(block).end(failure);
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

    private static final class Invoker extends BodyInvoker {
        private final PlayedBlocks blocks;
        private final EnvVars variables = new EnvVars();
        private final List<Object> contexts = new ArrayList<>();
        private final List<BodyExecutionCallback> callbacks = new ArrayList<>();

        Invoker(PlayedBlocks blocks) {
            this.blocks = blocks;
        }

        @Override
        public BodyInvoker withContext(Object context) {
            contexts.add(context);
            try {
                if (context instanceof EnvironmentExpander expander) {
                    expander.expand(variables);
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return this;
        }

        @Override
        public BodyInvoker withDisplayName(@Nullable String name) {
            return this;
        }

        @Override
        public BodyInvoker withCallback(BodyExecutionCallback callback) {
            callbacks.add(callback);
            return this;
        }

        @Override
        public BodyExecution start() {
            Block block = new Block(blocks, variables, contexts, callbacks);
            blocks.begun.add(block);
            return block;
        }
    }

    /** One run. */
    private static final class Block extends BodyExecution {
        private static final long serialVersionUID = 1L;

        private final PlayedBlocks blocks;
        private final transient EnvVars variables;
        private final transient List<Object> contexts;
        private final transient List<BodyExecutionCallback> callbacks;
        private final transient CompletableFuture<Object> result = new CompletableFuture<>();

        Block(PlayedBlocks blocks, EnvVars variables, List<Object> contexts, List<BodyExecutionCallback> callbacks) {
            this.blocks = blocks;
            this.variables = variables;
            this.contexts = contexts;
            this.callbacks = callbacks;
        }

        void end(@Nullable Throwable failure) {
            if (failure == null ? result.complete("") : result.completeExceptionally(failure)) {
                callbacks.forEach(callback -> {
                    if (failure == null) {
                        callback.onSuccess(blocks, "");
                    } else {
                        callback.onFailure(blocks, failure);
                    }
                });
            }
        }

        @Override
        public boolean cancel(Throwable cause) {
            end(cause);
            return true;
        }

        @Override
        public boolean cancel(boolean interrupt) {
            return cancel(new InterruptedException());
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isDone() {
            return result.isDone();
        }

        @Override
        public Object get() {
            return result.join();
        }

        @Override
        public Object get(long time, TimeUnit unit) {
            return result.orTimeout(time, unit).join();
        }
    }
}
