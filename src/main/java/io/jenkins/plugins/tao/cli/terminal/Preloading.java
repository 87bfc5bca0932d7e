package io.jenkins.plugins.tao.cli.terminal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Loads classes on a second thread while the first one reads files: a cold JVM spends most of a short command on them. */
public final class Preloading {
    private static final Set<String> STARTED = ConcurrentHashMap.newKeySet();

    private Preloading() {}

    /**
     * Starts {@code load}, once in a process.
     *
     * @param what its name among the others, and its thread's
     */
    public static void start(String what, Runnable load) {
        if (STARTED.add(what)) {
            Thread thread = new Thread(load, "tao-run classes " + what);
            thread.setDaemon(true);
            thread.start();
        }
    }
}
