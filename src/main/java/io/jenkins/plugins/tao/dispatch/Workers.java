package io.jenkins.plugins.tao.dispatch;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that may block: one for each target under poll, a few for single calls and a few for files. All are
 * daemons and end when idle.
 *
 * @param polls rounds of polling; as many as targets, so that a hanging one delays only its own jobs
 * @param calls submissions and other single calls; the rest wait in line
 * @param fetches transfers of artifacts; the rest wait in line
 */
record Workers(ExecutorService polls, ExecutorService calls, ExecutorService fetches) implements AutoCloseable {
    private static final int CALLS = 8;
    private static final int FETCHES = 4;
    private static final long IDLE_SECONDS = 30;

    static Workers start() {
        return new Workers(
                new ThreadPoolExecutor(
                        0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), named("poll")),
                bounded(CALLS, "call"),
                bounded(FETCHES, "fetch"));
    }

    private static ExecutorService bounded(int threads, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "tao-run " + name + " " + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public void close() {
        polls.shutdownNow();
        calls.shutdownNow();
        fetches.shutdownNow();
    }
}
