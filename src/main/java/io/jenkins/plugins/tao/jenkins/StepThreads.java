package io.jenkins.plugins.tao.jenkins;

import hudson.security.ACL;
import hudson.security.ACLContext;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of all steps together, whatever their number: what is too much for them waits in line. They end when idle.
 *
 * @param steps steps that begin and end: files and credentials, never the network
 * @param calls single calls that wait for a target
 */
record StepThreads(ExecutorService steps, ExecutorService calls) implements AutoCloseable {
    private static final int STEPS = 4;
    private static final int CALLS = 8;
    private static final long IDLE_SECONDS = 30;

    static StepThreads start() {
        return new StepThreads(bounded(STEPS, "step"), bounded(CALLS, "step call"));
    }

    /** Work that comes after {@link #close} is dropped: the next process takes it up again. */
    private static ExecutorService bounded(int threads, String name) {
        AtomicInteger count = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread =
                            new Thread(() -> asJenkins(task), "tao-run " + name + " " + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Builds that nobody may read are found all the same; whoever a step works for is looked up by itself. */
    private static void asJenkins(Runnable work) {
        try (ACLContext as = ACL.as2(ACL.SYSTEM2)) {
            assert as != null;
            work.run();
        }
    }

    @Override
    public void close() {
        steps.shutdownNow();
        calls.shutdownNow();
    }
}
