package io.jenkins.plugins.tao.remote.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.remote.BusyboxHost;
import io.jenkins.plugins.tao.remote.CuttingProxy;
import io.jenkins.plugins.tao.remote.LoopbackSshServer;
import io.jenkins.plugins.tao.remote.LossyHost;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions of a tree on a machine, where jobs work in them between two pushes. */
class UploadTest {
    @TempDir
    Path directory;

    private final LocalHost host = new LocalHost();
    private Path tree;
    private Path there;

    @BeforeEach
    void aTree() throws IOException {
        tree = Files.createDirectories(directory.resolve("tree"));
        there = directory.resolve("code/net");
        Files.writeString(tree.resolve("settings"), "lr=1\n");
        Files.writeString(tree.resolve("train.py"), "print(1)\n");
    }

    private Path push() throws BackendException {
        return Path.of(Upload.push(host, tree, there.toString()).path());
    }

    @Test
    @Promise("GB-27")
    void aFileThatAJobMadeShorterIsSentAnewAndTheVersionOfThatJobIsLeftAlone() throws Exception {
        Path old = push();
        Files.writeString(old.resolve("settings"), "lr");
        Files.writeString(tree.resolve("train.py"), "print(2)\n");

        Path next = push();

        assertThat(old.resolve("settings")).hasContent("lr");
        assertThat(next.resolve("settings")).hasContent("lr=1\n");
        assertThat(next.resolve("train.py")).hasContent("print(2)\n");
    }

    @Test
    void aFileThatAJobRewroteInTheSameLengthIsSentAnewAndNothingElseIs() throws Exception {
        Files.writeString(tree.resolve("weights"), "w".repeat(100_000));
        Path old = push();
        Files.writeString(old.resolve("settings"), "lr=9\n");
        Files.writeString(tree.resolve("train.py"), "print(2)\n");

        Upload.Done done = Upload.push(host, tree, there.toString());

        assertThat(Path.of(done.path()).resolve("settings")).hasContent("lr=1\n");
        assertThat(done.sentBytes()).isEqualTo("lr=1\nprint(2)\n".length());
        assertThat(old.resolve("settings")).hasContent("lr=9\n");
    }

    @Test
    void aFileThatAJobRemovedIsSentAnew() throws Exception {
        Path old = push();
        Files.delete(old.resolve("train.py"));
        Files.writeString(tree.resolve("settings"), "lr=2\n");

        assertThat(push().resolve("train.py")).hasContent("print(1)\n");
    }

    @Test
    void whatAJobWritesIntoItsVersionIsInNoOther() throws Exception {
        Path old = push();
        Files.writeString(tree.resolve("train.py"), "print(2)\n");
        Path next = push();

        Files.writeString(old.resolve("settings"), "lr=9\n");

        assertThat(next.resolve("settings")).hasContent("lr=1\n");
    }

    @Test
    void aModeThatChangesDoesNotChangeTheVersionBefore() throws Exception {
        Path old = push();
        assertThat(tree.resolve("train.py").toFile().setExecutable(true)).isTrue();

        Path next = push();
        assertThat(tree.resolve("train.py").toFile().setExecutable(false)).isTrue();
        Files.writeString(tree.resolve("settings"), "lr=2\n");
        Path last = push();

        assertThat(Files.isExecutable(old.resolve("train.py"))).isFalse();
        assertThat(Files.isExecutable(next.resolve("train.py"))).isTrue();
        assertThat(Files.isExecutable(last.resolve("train.py"))).isFalse();
    }

    @Test
    void anAnswerLostAtAnyStepCostsOnePieceAtMostAndNoPush() throws Exception {
        Files.write(tree.resolve("weights"), new byte[3_000_000]);
        LossyHost calm = new LossyHost(host);
        long whole = Upload.push(calm, tree, directory + "/calm").sentBytes();

        for (int step = 1; step <= calm.commands(); step++) {
            int broken = step;
            LossyHost line = new LossyHost(host);
            line.loseReplies(number -> number >= broken && number < broken + 3);
            Upload.Done done = Upload.push(line, tree, directory + "/cut" + step);

            assertThat(done.sentBytes()).as("step " + step).isBetween(whole - 1024 * 1024, whole);
            assertThat(Path.of(done.path()).resolve("weights")).hasSize(3_000_000);
            assertThat(directory.resolve("cut" + step + "/current/train.py")).hasContent("print(1)\n");
        }
    }

    @Test
    void aLineThatStaysDeadIsGivenUpAfterFourTriesAndThePushGoesOnLater() throws Exception {
        Files.write(tree.resolve("weights"), new byte[3_000_000]);
        LossyHost line = new LossyHost(host);
        line.loseReplies(number -> number > 1);

        assertThatThrownBy(() -> Upload.push(line, tree, there.toString()))
                .isInstanceOf(BackendException.Unreachable.class);
        int commands = line.commands();
        line.loseReplies(number -> false);

        assertThat(commands).isEqualTo(2 + 3);
        assertThat(Upload.push(line, tree, there.toString()).sentBytes()).isZero();
    }

    @Test
    @Promise({"TR-59", "TR-60"})
    void aPushWhoseLineIsCutGoesOnWithTheMebibyteThatIsMissing() throws Exception {
        byte[] weights = new byte[8_000_000];
        new Random(7).nextBytes(weights);
        Files.write(tree.resolve("weights"), weights);
        try (LoopbackSshServer server = new LoopbackSshServer().start();
                CuttingProxy proxy = new CuttingProxy(server.address().port())) {
            String known = server.knownHostsLine().replaceFirst("\\S+", "127.0.0.1");
            SshLogin login = new SshLogin(
                    List.of(proxy.address()), LoopbackSshServer.USER, server.key(), HostKeys.ofText(known));
            try (SshHost far = new SshHost(login, "lab")) {
                far.run("true", Duration.ofMinutes(1));
                proxy.cutOnceAfter(5_000_000);

                Upload.Done done = Upload.push(far, tree, there.toString());

                assertThat(Path.of(done.path()).resolve("weights")).hasBinaryContent(weights);
                assertThat(proxy.connections()).isEqualTo(2);
                assertThat(done.sentBytes()).isLessThan(8_000_000 + 4_000_000);
            }
        }
    }

    /** Two commands, whatever the number of files: what is there, and all of it. */
    @Test
    @Promise("TR-60")
    void manySmallFilesTakeTwoCommands() throws Exception {
        for (int i = 0; i < 300; i++) {
            Files.writeString(Files.createDirectories(tree.resolve("d" + i % 7)).resolve("f" + i), "x" + i);
        }
        LossyHost line = new LossyHost(host);

        Upload.Done done = Upload.push(line, tree, there.toString());

        assertThat(line.commands()).isEqualTo(2);
        assertThat(done.files()).isEqualTo(302);
        assertThat(Path.of(done.path()).resolve("d5/f299")).hasContent("x299");
    }

    @Test
    @Promise("TR-57")
    void linksWithinATreeArriveAsLinks() throws Exception {
        Files.createDirectories(tree.resolve("data/v2"));
        Files.writeString(tree.resolve("data/v2/train.tfrecord"), "x");
        Files.createSymbolicLink(tree.resolve("data/latest"), Path.of("v2"));
        Files.createSymbolicLink(tree.resolve("data/v2/settings"), Path.of("../../settings"));

        Path version = push();
        Files.delete(tree.resolve("data/latest"));
        Path without = push();

        assertThat(Files.readSymbolicLink(version.resolve("data/latest"))).hasToString("v2");
        assertThat(version.resolve("data/v2/settings")).hasContent("lr=1\n");
        assertThat(without).isNotEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/hostname", "../../outside", "nowhere"})
    @Promise("TR-57")
    void aLinkThatWouldLeadElsewhereOnTheHostIsRefusedByName(String target) throws Exception {
        Files.createSymbolicLink(Files.createDirectories(tree.resolve("data")).resolve("images"), Path.of(target));

        assertThatThrownBy(this::push)
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("symbolic link 'data/images' leads to " + target);
        assertThat(there).doesNotExist();
    }

    @Test
    @Promise("TR-57")
    void whatIsNeitherFileNorDirectoryNorLinkIsRefusedByName() throws Exception {
        host.run("mkfifo " + tree.resolve("pipe") + "\n", Duration.ofMinutes(1));

        assertThatThrownBy(this::push).hasMessageContaining("'pipe' is neither");
    }

    @Test
    void namesOfAnyKindArriveWithBusyboxAndWithoutOpenssl() throws Exception {
        Path odd = Files.createDirectories(tree.resolve("-odd 'é\\"));
        Files.writeString(odd.resolve("$x `y`"), "odd\n");
        assertThat(Files.writeString(odd.resolve("run me"), "#!/bin/sh\n")
                        .toFile()
                        .setExecutable(true))
                .isTrue();

        for (Host other : List.of(host, new BusyboxHost(directory))) {
            Path place = Files.createTempDirectory(directory, "there");
            Path first = Path.of(Upload.push(other, tree, place.toString()).path());
            Files.writeString(tree.resolve("settings"), "lr=" + place + "\n");
            Upload.Done second = Upload.push(other, tree, place.toString());

            assertThat(first.resolve("-odd 'é\\/$x `y`")).hasContent("odd\n");
            assertThat(Path.of(second.path()).resolve("-odd 'é\\/run me")).isExecutable();
            assertThat(second.sentBytes()).isEqualTo(Files.size(tree.resolve("settings")));
        }
    }

    /** Deeper than any path may be long, which stops root as well. */
    @Test
    void aFolderThatCannotBeReadIsTheUsersToMendAndNoFaultOfOurs() throws Exception {
        host.run(
                "cd " + tree + "; d=" + "d".repeat(200)
                        + "; n=0; while [ $n -lt 25 ]; do mkdir $d; cd -P $d; n=$((n + 1)); done\n",
                Duration.ofMinutes(1));

        try {
            assertThatThrownBy(this::push)
                    .isInstanceOf(BackendException.Rejected.class)
                    .hasMessageContaining("The directory " + tree + " could not be read: ");
        } finally {
            host.run("rm -rf " + tree + "\n", Duration.ofMinutes(1));
        }
    }
}
