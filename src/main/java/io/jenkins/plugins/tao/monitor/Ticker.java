package io.jenkins.plugins.tao.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The one owner of time: tells it, and calls back later. Tests move it by hand. */
public interface Ticker extends AutoCloseable {
    /** The time now. */
    Instant now();

    /** Runs {@code task} once after {@code delay}; it must not block. */
    Alarm after(Duration delay, Runnable task);

    @Override
    void close();

    /** A call that is due later. */
    @FunctionalInterface
    interface Alarm {
        /** Makes sure the call is not made, unless it has begun. */
        void cancel();
    }

    /** The real time, on one daemon thread that only hands tasks on. */
    static Ticker system() {
        ThreadFactory daemon = task -> {
            Thread thread = new Thread(task, "tao-run ticker");
            thread.setDaemon(true);
            return thread;
        };
        // What falls due while everything shuts down has nobody left to serve.
        ScheduledExecutorService timer =
                new ScheduledThreadPoolExecutor(1, daemon, new ThreadPoolExecutor.DiscardPolicy());
        return new Ticker() {
            @Override
            public Instant now() {
                return Instant.now();
            }

            @Override
            public Alarm after(Duration delay, Runnable task) {
                ScheduledFuture<?> future = timer.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
                return () -> future.cancel(false);
            }

            @Override
            public void close() {
                timer.shutdownNow();
            }
        };
    }
}
