package io.jenkins.plugins.tao.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Controller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The functions of leases under real shells. */
final class LeaseShellTest {
    private static final Controller A = new Controller("host-a", "it's \"A\" $(id)", "");
    private static final Controller B = new Controller("host-b", "B", "");

    @TempDir
    Path directory;

    private Path leases;

    @BeforeEach
    void leases() throws IOException {
        leases = Files.createDirectories(directory.resolve("leases"));
    }

    private String shell(String shell, Controller controller, String script) throws Exception {
        Path text = Files.writeString(
                directory.resolve("script"),
                LeaseShell.of(controller) + "\nlease=" + leases + "/job\n" + script + "\n");
        Process process = new ProcessBuilder(shell, text.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    private boolean takes(Controller controller, String how) throws Exception {
        return shell("/bin/sh", controller, "lease_take $lease " + how + " && echo taken")
                .equals("taken\n");
    }

    private List<String> holders() throws IOException {
        try (Stream<Path> files = Files.list(leases.resolve("job"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private void age(Duration age) throws IOException {
        for (String holder : holders()) {
            Files.setLastModifiedTime(
                    leases.resolve("job").resolve(holder),
                    FileTime.from(Instant.now().minus(age)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/bin/bash"})
    void aFreeLeaseIsTakenAndToldInTheHoldersWords(String shell) throws Exception {
        assertThat(shell(shell, A, "lease_take $lease && echo taken")).isEqualTo("taken\n");

        LeaseNote note = LeaseNote.parse(shell(shell, B, "lease_take $lease || lease_tell $lease"))
                .orElseThrow();

        assertThat(note.holder()).isEqualTo("host-a");
        assertThat(note.name()).isEqualTo("job");
        assertThat(note.who()).isEqualTo(A.words());
        assertThat(note.since()).isPresent();
        assertThat(note.renewed()).isPresent();
    }

    @Test
    void ourOwnLeaseIsOursHoweverOldAndAnothersOnlyWhileItIsRenewed() throws Exception {
        assertThat(takes(A, "")).isTrue();
        age(LeaseShell.LEASE.plusMinutes(1));

        assertThat(takes(A, "")).isTrue();
        assertThat(takes(B, "")).isTrue();
        assertThat(holders()).containsExactly("host-b");
        age(LeaseShell.LEASE.minusMinutes(2));
        assertThat(takes(A, "")).isFalse();
        assertThat(takes(A, "force")).isTrue();
    }

    @Test
    void whoTakesAnExpiredLeaseHasAFreshOne() throws Exception {
        takes(A, "");
        age(LeaseShell.LEASE.plusMinutes(1));

        takes(B, "");

        assertThat(Files.getLastModifiedTime(leases.resolve("job/host-b")).toInstant())
                .isAfter(Instant.now().minusSeconds(60));
    }

    @Test
    void whoLosesTheRaceForcesNoMore() throws Exception {
        takes(A, "");
        String slowMove = "mv() { if [ -z \"$raced\" ]; then raced=1; command mv $lease/host-a $lease/host-c; fi;"
                + " command mv \"$@\"; }";

        assertThat(shell("/bin/sh", B, slowMove + "\nlease_take $lease force && echo taken || echo lost"))
                .isEqualTo("lost\n");
        assertThat(holders()).containsExactly("host-c");
    }

    @Test
    void nobodyHoldsNothingAndRespectsOthers() throws Exception {
        assertThat(takes(Controller.NONE, "")).isTrue();
        assertThat(leases.resolve("job")).doesNotExist();
        takes(A, "");
        assertThat(takes(Controller.NONE, "")).isFalse();
        assertThat(takes(Controller.NONE, "force")).isFalse();
    }

    @Test
    void aLeaseWhoseMakerDiedHalfWayIsMadeAnew() throws Exception {
        Files.createDirectory(leases.resolve("job"));
        Files.setLastModifiedTime(
                leases.resolve("job"), FileTime.from(Instant.now().minus(Duration.ofMinutes(5))));

        assertThat(takes(A, "")).isTrue();
        assertThat(holders()).containsExactly("host-a");
    }

    @Test
    void whereNoLeaseCanBeWrittenNobodyIsKeptFromWhatNobodyHolds() throws Exception {
        Path file = Files.createFile(directory.resolve("no-directory"));

        assertThat(shell("/bin/sh", A, "lease_take " + file + "/job && echo taken"))
                .isEqualTo("taken\n");
    }

    @Test
    void renewingWritesOursOnlyAndFindsTheTwin() throws Exception {
        takes(A, "");
        age(Duration.ofMinutes(20));
        Controller one = new Controller("host-a", "A", "s-1");
        Controller two = new Controller("host-a", "A", "s-2");
        String renew = "lease_renew " + leases + " job absent";

        assertThat(shell("/bin/sh", B, renew)).startsWith("job host-a ").endsWith("swept\n");
        assertThat(shell("/bin/sh", one, "lease_begun=\n" + renew)).isEqualTo("swept\n");
        assertThat(shell("/bin/sh", one, "lease_begun=1\n" + renew)).isEqualTo("swept\n");
        assertThat(shell("/bin/sh", two, "lease_begun=\n" + renew)).isEqualTo("swept\n");
        assertThat(shell("/bin/sh", one, "lease_begun=1\n" + renew)).isEqualTo("twin\n");
        assertThat(Files.getLastModifiedTime(leases.resolve("job/host-a")).toInstant())
                .isAfter(Instant.now().minusSeconds(60));
        assertThat(leases.resolve("absent")).doesNotExist();
    }
}
