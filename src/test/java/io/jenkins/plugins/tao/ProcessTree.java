package io.jenkins.plugins.tao;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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
        all.forEach(each -> each.onExit().join());
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
