package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.Rigs;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.slurm.CountedSlurm;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The Slurm cluster of src/test/rigs/slurm, a directory of our own on it, and the jobs to take away at the end. */
final class Rig implements AutoCloseable {
    static final Path STATE = Rigs.SLURM;
    private static final int CANCEL_AT_ONCE = 500;

    /** Tells the jobs of this run from those of others. */
    final String run = "bench" + ProcessHandle.current().pid();

    final String base = "/lustre/tao/" + run;
    final CountedSlurm slurm = new CountedSlurm();
    final SshHost host = new SshHost(login(), "rig");
    private final List<String> jobs = new ArrayList<>();

    static boolean isUp() {
        return Rigs.isUp(STATE);
    }

    private static SshLogin login() {
        return new SshLogin(
                List.of(new SshAddress("127.0.0.1", 2222), new SshAddress("127.0.0.1", 2223)),
                "tao",
                SshKey.ofFile(STATE.resolve("keys/tao_ed25519"), Optional.empty()),
                HostKeys.ofFile(STATE.resolve("keys/known_hosts")));
    }

    SlurmTarget target() {
        return Records.of(SlurmTarget.class, "name", "rig", "login", login(), "baseDirectory", base);
    }

    Dispatcher dispatcher() {
        return Dispatcher.start(BackendTypes.of(slurm));
    }

    /** Runs shell text on the login host, past the backend. */
    String shell(String script) throws BackendException {
        return host.run(script, Duration.ofMinutes(10)).text().strip();
    }

    /** Remembers jobs to cancel. */
    void take(Collection<String> ids) {
        jobs.addAll(ids);
    }

    /** Cancels all jobs taken so far. */
    void cancelJobs() throws BackendException {
        for (int from = 0; from < jobs.size(); from += CANCEL_AT_ONCE) {
            shell("scancel " + String.join(" ", jobs.subList(from, Math.min(jobs.size(), from + CANCEL_AT_ONCE))));
        }
        jobs.clear();
    }

    @Override
    public void close() throws BackendException {
        cancelJobs();
        shell("rm -rf " + base);
        host.close();
    }
}
