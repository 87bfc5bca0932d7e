package io.jenkins.plugins.tao.jenkins.config;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Asks in the background, and waits briefly: a form that asks a silent address is shown all the same. The answer that
 * comes later is given to the next one who asks the same within a minute, once.
 */
final class BriefQuestions<A> {
    private static final int MOST = 100;

    private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();

    private final ConcurrentMap<Object, Question<A>> asked = new ConcurrentHashMap<>();
    private final ExecutorService threads;
    private final Duration patience;
    private final LongSupplier nanos;

    BriefQuestions(ExecutorService threads, Duration patience) {
        this(threads, patience, System::nanoTime);
    }

    BriefQuestions(ExecutorService threads, Duration patience, LongSupplier nanos) {
        this.threads = threads;
        this.patience = patience;
        this.nanos = nanos;
    }

    /**
     * The answer; empty while there is none yet.
     *
     * @param key what tells this question from others
     * @throws ExecutionException with why there will be none
     */
    Optional<A> ask(Object key, Callable<A> question) throws ExecutionException {
        asked.values().removeIf(Question::isOld); // what was so then says nothing of now
        if (asked.size() >= MOST) {
            asked.values().removeIf(Future::isDone);
        }
        Future<A> answer = asked.computeIfAbsent(key, absent -> begun(question));
        try {
            A given = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            asked.remove(key, answer);
            return Optional.of(given);
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException | CancellationException e) {
            asked.remove(key, answer);
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private Question<A> begun(Callable<A> question) {
        Question<A> task = new Question<>(question, nanos);
        threads.execute(task);
        return task;
    }

    /** A question that knows when it was answered. */
    private static final class Question<A> extends FutureTask<A> {
        private final LongSupplier nanos;
        private volatile long doneAt;

        Question(Callable<A> question, LongSupplier nanos) {
            super(question);
            this.nanos = nanos;
        }

        @Override
        protected void done() {
            doneAt = nanos.getAsLong();
        }

        boolean isOld() {
            return isDone() && nanos.getAsLong() - doneAt > FRESH_NANOS;
        }
    }
}
