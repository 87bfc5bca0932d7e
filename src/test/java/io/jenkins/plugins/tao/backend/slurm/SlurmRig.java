package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.Rigs;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmRest;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The real Slurm on loopback that {@code src/test/rigs/slurm/up} brings up. */
public final class SlurmRig {
    static final Path STATE = Rigs.SLURM;
    private static final Path LAB = Path.of("src/test/rigs/slurm/lab");

    private SlurmRig() {}

    public static void assumeUp() {
        Rigs.assumeUp(STATE);
    }

    /** Cancels all jobs whose names end in {@code -run}; does nothing without a rig. */
    public static void cancelAll(Host host, String run) throws BackendException {
        if (Rigs.isUp(STATE)) {
            shell(host, "squeue -h -u tao -o '%i %j' | awk '/-" + run + "/ {print $1}' | xargs -r scancel");
        }
    }

    static SshLogin login() {
        return new SshLogin(
                List.of(new SshAddress("127.0.0.1", 2222), new SshAddress("127.0.0.1", 2223)),
                "tao",
                SshKey.ofFile(STATE.resolve("keys/tao_ed25519"), Optional.empty()),
                HostKeys.ofFile(STATE.resolve("keys/known_hosts")));
    }

    /** A target with a base directory of its own below {@code /lustre/tao}. */
    public static Records.Draft<SlurmTarget> target(String subdirectory) {
        return Records.draft(SlurmTarget.class)
                .with("name", "rig")
                .with("login", login())
                .with("baseDirectory", "/lustre/tao/" + subdirectory)
                .with("maxGpusPerNode", 8);
    }

    /** The rig's slurmrestd with the token that it made. */
    public static SlurmRest rest() {
        try {
            Path token = STATE.resolve("keys/rest_token");
            return rest(Files.exists(token) ? Files.readString(token) : "none");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    public static SlurmRest rest(String token) {
        return new SlurmRest("http://127.0.0.1:6820", "tao", SecretSource.known(Secret.of(token)), Optional.empty());
    }

    /** A token of user tao that was good for a second. */
    public static String expiredToken() throws IOException, InterruptedException {
        Process made = new ProcessBuilder("scontrol", "token", "username=tao", "lifespan=1").start();
        String token = new String(made.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        made.waitFor();
        Process over = new ProcessBuilder("sleep", "2").start(); // the end of a token is a matter of real time
        over.waitFor();
        return token;
    }

    /** Options of a job with one set. */
    public static SlurmOptions options(String name, String value) {
        return Records.draft(SlurmOptions.class).with(name, value).build();
    }

    /** Runs shell text as the cluster's user, past the backend. */
    public static String shell(Host host, String script) throws BackendException {
        Reply reply = host.run(script, Duration.ofMinutes(1));
        return (reply.text() + reply.err()).strip();
    }

    /** Runs {@code lab off gpu02}, {@code lab on ctl} and the like. */
    public static void lab(String... words) throws IOException, InterruptedException {
        Rigs.run(LAB, words);
    }
}
