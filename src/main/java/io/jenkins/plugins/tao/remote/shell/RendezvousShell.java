package io.jenkins.plugins.tao.remote.shell;

import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.List;

/**
 * The shell text that gives a job the port on which its processes meet: jobs that share a machine get different ones. It
 * runs on the machine itself, because only that machine knows which ports are in use.
 *
 * @see <a href="https://docs.pytorch.org/docs/stable/elastic/run.html">torchrun reads each of its options from PET_…</a>
 */
public final class RendezvousShell {
    /** The variables that {@code tao_rendezvous} exports. */
    public static final List<String> NAMES = List.of("MASTER_PORT", "PET_MASTER_PORT");

    private static final String FUNCTIONS = OwnFile.text(RendezvousShell.class, "rendezvous.sh");

    private RendezvousShell() {}

    /** Defines {@code tao_rendezvous SEED}, which exports {@link #NAMES}. */
    public static String functions() {
        return FUNCTIONS;
    }
}
