package io.jenkins.plugins.tao;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** The processes that one process has started, itself among them, as a container holds them. */
public final class ProcessTree {
    private ProcessTree() {}

    /** Ends all of it; afterwards none of it writes a file. */
    public static void kill(Process root) {
        Set<ProcessHandle> all = new LinkedHashSet<>();
        // a stopped process starts no other: only then is the list whole
        for (List<ProcessHandle> found = alive(root, all); !found.isEmpty(); found = alive(root, all)) {
            stop(found);
            all.addAll(found);
        }
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(ProcessTree::awaitExit);
    }

    /** {@code onExit} waits until a parent has taken note of the end; init may need two seconds for the orphans that it got. */
    private static void awaitExit(ProcessHandle process) {
        while (process.isAlive() && !isZombie(process)) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean isZombie(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.startsWith(") Z", stat.lastIndexOf(')'));
        } catch (IOException e) {
            return false; // it is gone, or this system has no such file
        }
    }

    private static List<ProcessHandle> alive(Process root, Set<ProcessHandle> known) {
        List<ProcessHandle> found = new ArrayList<>(root.descendants().toList());
        found.add(root.toHandle());
        found.removeIf(each -> known.contains(each) || !each.isAlive());
        return found;
    }

    private static void stop(List<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of("kill", "-STOP"));
        processes.forEach(each -> command.add(Long.toString(each.pid())));
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
