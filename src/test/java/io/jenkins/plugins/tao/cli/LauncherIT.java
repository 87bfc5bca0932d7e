package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.remote.ssh.SshWarmUp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher {@code tao} beside a jar, in a directory of its own. */
class LauncherIT {
    private static final Path JAR = Path.of("target/tao-run-cli.jar").toAbsolutePath();

    @TempDir
    Path directory;

    private String tao(Path root, String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(root.resolve("tao").toString()), Stream.of(arguments))
                                .toList())
                .redirectErrorStream(true);
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }

    private static List<Path> archives(Path root) throws Exception {
        try (Stream<Path> files = Files.list(root.resolve("target"))) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        }
    }

    private Path root(String name) throws Exception {
        assumeTrue(Files.exists(JAR), "no " + JAR + ": run ./mvnw package");
        Path root = Files.createDirectories(directory.resolve(name));
        Files.createDirectories(root.resolve("target"));
        Files.copy(Path.of("tao"), root.resolve("tao"));
        assertThat(root.resolve("tao").toFile().setExecutable(true)).isTrue();
        Files.copy(JAR, root.resolve("target/tao-run-cli.jar"));
        return root;
    }

    /**
     * The classes of SSH and cryptography that a command reads from jars and from the JDK's modules are few. In a path with
     * a blank the archive of JDK 17 has fewer classes.
     */
    @Test
    @Promise("TR-61")
    void aCommandOverSshHasTheClassesOfItsConnectionFromTheArchive() throws Exception {
        Path root = root("root");
        tao(root, "--version");
        Path loaded = directory.resolve("loaded");
        try (SshWarmUp server = SshWarmUp.start(Files.createDirectories(directory.resolve("ssh")))) {
            Path targets = Files.writeString(directory.resolve("targets.yaml"), """
                    targets: {box: {backend: ssh, hosts: '%s', user: tao, key: '%s', knownHosts: '%s', baseDirectory: /srv/tao}}
                    """.formatted(
                            server.address(), server.key(), server.knownHosts()));
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin/java").toString(),
                            "-XX:SharedArchiveFile=" + archives(root).get(0),
                            "-Xlog:disable",
                            "-Xlog:class+load:file=" + loaded,
                            "-XX:+UseSerialGC",
                            "-cp",
                            root.resolve("target/tao-run-cli.jar").toString(),
                            "io.jenkins.plugins.tao.cli.Main",
                            "ls",
                            "box",
                            directory.toString(),
                            "--targets",
                            targets.toString())
                    .redirectErrorStream(true)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(printed).isZero();
        }
        List<String> ofSsh = Files.readAllLines(loaded).stream()
                .filter(line ->
                        line.matches(".* (org\\.apache\\.sshd|org\\.bouncycastle|javax\\.crypto|sun\\.security)\\..*"))
                .toList();
        assertThat(ofSsh).hasSizeGreaterThan(500);
        assertThat(ofSsh.stream().filter(line -> !line.contains("shared objects file")))
                .hasSizeLessThan(20);
    }

    @Test
    @Promise("TR-61")
    void theFirstCommandMakesAnArchiveOfClassesAndTheNextOnesUseIt() throws Exception {
        Path root = root("a root with blanks");

        assertThat(tao(root, "--version")).startsWith("tao-run ").hasLineCount(1);
        assertThat(archives(root))
                .singleElement()
                .satisfies(archive -> assertThat(archive).isNotEmptyFile());
        assertThat(tao(root, "list")).startsWith("tao: no job was sent from here.");

        Files.writeString(archives(root).get(0), "damaged", java.nio.file.StandardOpenOption.TRUNCATE_EXISTING);
        assertThat(tao(root, "--version")).startsWith("tao-run ").hasLineCount(1);
    }
}
