package io.jenkins.plugins.tao.jenkins.run;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Saves of running builds that steps wait for. A save writes the whole build, so its cost grows with the number of branches:
 * steps that ask while one is under way share the next one.
 */
final class SharedSaves {
    private final Executor executor;
    private final Map<String, Queue> queues = new HashMap<>();

    /** Saves whose waiting steps go on by {@code executor}. */
    SharedSaves(Executor executor) {
        this.executor = executor;
    }

    private static final class Queue {
        private List<Consumer<Future<Void>>> waiting = new ArrayList<>();
        private Supplier<ListenableFuture<Void>> save;

        private Queue(Supplier<ListenableFuture<Void>> save) {
            this.save = save;
        }
    }

    /**
     * Saves {@code build} once more after this call.
     *
     * @param save starts a save of the whole build
     * @param then goes on when that is done; the future is done and tells whether it failed
     */
    void request(String build, Supplier<ListenableFuture<Void>> save, Consumer<Future<Void>> then) {
        synchronized (this) {
            Queue queue = queues.get(build);
            if (queue != null) {
                queue.save = save;
                queue.waiting.add(then);
                return;
            }
            queues.put(build, new Queue(save));
        }
        start(build, save, List.of(then));
    }

    private void start(String build, Supplier<ListenableFuture<Void>> save, List<Consumer<Future<Void>>> batch) {
        ListenableFuture<Void> saved;
        try {
            saved = save.get();
        } catch (RuntimeException e) {
            Future<Void> failed = CompletableFuture.failedFuture(e);
            batch.forEach(then -> executor.execute(() -> then.accept(failed)));
            next(build);
            return;
        }
        saved.addListener(
                () -> {
                    batch.forEach(then -> executor.execute(() -> then.accept(saved)));
                    next(build);
                },
                Runnable::run);
    }

    private void next(String build) {
        List<Consumer<Future<Void>>> batch;
        Supplier<ListenableFuture<Void>> save;
        synchronized (this) {
            Queue queue = queues.get(build);
            if (queue == null || queue.waiting.isEmpty()) {
                queues.remove(build);
                return;
            }
            batch = queue.waiting;
            save = queue.save;
            queue.waiting = new ArrayList<>();
        }
        start(build, save, batch);
    }
}
