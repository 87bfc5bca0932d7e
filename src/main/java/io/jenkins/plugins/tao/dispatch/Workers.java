package io.jenkins.plugins.tao.dispatch;

import java.util.concurrent.BlockingQueue;
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
                pool(0, Integer.MAX_VALUE, new SynchronousQueue<>(), "poll"),
                bounded(CALLS, "call"),
                bounded(FETCHES, "fetch"));
    }

    private static ExecutorService bounded(int threads, String name) {
        ThreadPoolExecutor pool = pool(threads, threads, new LinkedBlockingQueue<>(), name);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Work that comes after {@link #close} is dropped: the process is going, and the next one takes it up again. */
    private static ThreadPoolExecutor pool(int least, int most, BlockingQueue<Runnable> queue, String name) {
        return new ThreadPoolExecutor(
                least,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                queue,
                named(name),
                new ThreadPoolExecutor.DiscardPolicy());
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
