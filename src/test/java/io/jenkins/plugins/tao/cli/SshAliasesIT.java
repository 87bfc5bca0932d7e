package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Rigs;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The aliases that {@code ssh} itself uses for the rigs, against their real sshd. */
@Promise({"TR-58", "SL-14"})
@NeedsRig(
        value = {"box", "slurm"},
        shared = true)
class SshAliasesIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    private String answer(Path state, String backend, String alias, String more) throws Exception {
        Rigs.assumeUp(state);
        Path keys = state.resolve("keys");
        Bench bench = new Bench(directory, BackendTypes.load());
        Path config = bench.write("config", more + Files.readString(keys.resolve("ssh_config")));
        bench.env.put("TAO_SSH_CONFIG", config.toString());
        bench.env.put("PATH", System.getenv("PATH")); // ssh itself reads the configuration
        bench.write(
                "tao-targets.yaml",
                "targets: {t: {backend: " + backend + ", hosts: " + alias + ", baseDirectory: /data/tao, knownHosts: "
                        + keys.resolve("known_hosts") + "}}");
        Target target =
                Targets.find(Optional.empty(), bench.surroundings()).named("t").target();
        SshLogin login = target instanceof SlurmTarget slurm ? slurm.login() : ((SshTarget) target).login();
        try (SshHost host = new SshHost(login, "t")) {
            return host.run("id -un", LIMIT).text().strip() + " " + host.name();
        }
    }

    @Test
    void anAliasOfALoginHostIsReached() throws Exception {
        assertThat(answer(Rigs.SLURM, "slurm", "login2", "")).isEqualTo("tao tao@127.0.0.1:2223");
    }

    @Test
    @Promise("GB-05")
    void anAliasOfABoxIsReached() throws Exception {
        assertThat(answer(Rigs.BOXES, "ssh", "box1", "")).isEqualTo("tao tao@127.0.0.1:2231");
    }

    @Test
    void aBoxBehindAnotherIsReachedThroughIt() throws Exception {
        assertThat(answer(Rigs.BOXES, "ssh", "box2", "Host box2\n  ProxyJump box1\n"))
                .isEqualTo("tao tao@127.0.0.1:2232");
    }
}
