package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.Rigs;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The machines without a scheduler that {@code src/test/rigs/box/up} brings up on loopback. */
public final class BoxRig {
    private static final Path STATE = Rigs.BOXES;
    private static final Path BOX = Path.of("src/test/rigs/box/box");

    /** The number of the box with real engines. */
    static final int ENGINES = 4;

    private BoxRig() {}

    public static void assumeUp() {
        Rigs.assumeUp(STATE);
    }

    static void assumeEngines() {
        Rigs.assumeUp(STATE);
        Assumptions.assumeTrue(
                Rigs.isAlive(STATE.resolve("pid/box" + ENGINES + ".pid")),
                "no box with podman and docker: run src/test/rigs/box/up as root");
    }

    public static int port(int box) {
        return 2230 + box;
    }

    static SshLogin login(int box) {
        return login(port(box), HostKeys.ofFile(STATE.resolve("keys/known_hosts")));
    }

    /** The box with real podman and docker; {@code root} may log in there too. */
    static SshLogin engines(String user) {
        SshLogin login = login(ENGINES);
        return new SshLogin(login.hosts(), user, login.key(), login.knownHosts());
    }

    /** By another port of this machine, such as a proxy's, with the key of that box. */
    public static SshLogin through(int port, int box) throws IOException {
        String known = Files.readString(STATE.resolve("keys/known_hosts"))
                .replace("[127.0.0.1]:" + port(box) + " ", "[127.0.0.1]:" + port + " ");
        return login(port, HostKeys.ofText(known));
    }

    private static SshLogin login(int port, HostKeys keys) {
        return new SshLogin(
                List.of(new SshAddress("127.0.0.1", port)),
                "tao",
                SshKey.ofFile(STATE.resolve("keys/tao_ed25519"), Optional.empty()),
                keys);
    }

    /** A target with a directory of its own on the disk of the box. */
    static SshTarget target(int box, String subdirectory) {
        return new SshTarget("box" + box, login(box), "/box/" + subdirectory, BoxUsual.SETTINGS);
    }

    /** {@code box reboot box1}. */
    static void box(String... words) throws IOException, InterruptedException {
        Rigs.run(BOX, words);
    }
}
