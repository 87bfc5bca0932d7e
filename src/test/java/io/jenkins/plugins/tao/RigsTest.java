package io.jenkins.plugins.tao;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RigsTest {
    @TempDir
    private Path state;

    @Test
    void aRigIsUpAsLongAsAHostOfItRuns() throws Exception {
        Files.createFile(Files.createDirectory(state.resolve("keys")).resolve("tao_ed25519"));
        Path pid = Files.createDirectory(state.resolve("pid")).resolve("login1.pid");
        assertThat(Rigs.isUp(state)).isFalse();

        Process host = new ProcessBuilder("sleep", "600").start();
        String stat = Files.readString(Path.of("/proc/" + host.pid() + "/stat"));
        String started = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
        Files.writeString(pid, host.pid() + " " + started + "\n");
        assertThat(Rigs.isUp(state)).isTrue();

        host.destroyForcibly().waitFor();

        assertThat(Rigs.isUp(state)).as("what a dead rig left behind").isFalse();
    }

    @Test
    void aNumberThatAnotherProcessHasByNowIsNoRig() throws Exception {
        Files.createFile(Files.createDirectory(state.resolve("keys")).resolve("tao_ed25519"));
        Path pid = Files.createDirectory(state.resolve("pid")).resolve("login1.pid");
        Files.writeString(pid, ProcessHandle.current().pid() + " 1\n");

        assertThat(Rigs.isUp(state)).isFalse();
    }
}
