package io.jenkins.plugins.tao.cli;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.remote.ssh.SshWarmUp;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.jar.JarFile;

/**
 * Loads the classes that most commands need. The launcher runs it once for each build under {@code
 * -XX:ArchiveClassesAtExit}: a JVM that starts from the archive neither reads nor verifies these classes again.
 *
 * @see <a href="https://docs.oracle.com/en/java/javase/17/vm/class-data-sharing.html">Class Data Sharing</a>, read for JDK 17
 */
final class WarmUp {
    private static final List<String> PACKAGES = List.of(
            "io/jenkins/plugins/tao/",
            "org/apache/sshd/common/",
            "org/apache/sshd/client/",
            "com/fasterxml/jackson/core/",
            "com/fasterxml/jackson/annotation/",
            "com/fasterxml/jackson/databind/",
            "org/yaml/snakeyaml/",
            "org/apache/commons/numbers/",
            "org/apache/commons/statistics/",
            "org/slf4j/",
            "org/bouncycastle/asn1/",
            "org/bouncycastle/crypto/",
            "org/bouncycastle/jcajce/provider/",
            "org/bouncycastle/math/ec/");
    private static final String CLASS = ".class";
    private static final String RUN = """
            {"schema":1,"id":"train-%1$d","outcome":{"word":"succeeded"},"origin":{"build":"#%1$d"},\
            "times":{"submittedAt":"2026-01-%1$dT01:00:00Z"},"metrics":{"map":{"last":%2$s,"count":1,"curve":[[0,1]]}}}""";

    private WarmUp() {}

    public static void main(String[] arguments) throws Exception {
        URI jar =
                WarmUp.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        try (JarFile entries = new JarFile(Path.of(jar).toFile())) {
            entries.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(CLASS) && PACKAGES.stream().anyMatch(name::startsWith))
                    .forEach(WarmUp::load);
        } catch (IOException e) {
            throw new IllegalStateException("the classes of " + jar + " cannot be listed", e);
        }
        Main.run("list");
        try {
            judgeRuns();
            askOverSsh();
        } catch (IOException | GeneralSecurityException e) { // without a connection the archive has fewer classes
            System.getLogger(WarmUp.class.getName()).log(System.Logger.Level.DEBUG, "no connection", e);
        }
    }

    /** A lambda is archived where it has run once: here those of a gate that fails. */
    private static void judgeRuns() throws IOException {
        Path directory = Files.createTempDirectory("tao-warm-up");
        try {
            Path history = directory.resolve(RunHistory.FILE);
            for (int day = 10; day < 30; day++) {
                Files.write(history, List.of(RUN.formatted(day, day < 28 ? 0.4 : 0.3)), CREATE, APPEND);
            }
            String gate = "kpi: map, noWorseThan: last good, direction: higher";
            Main.run("gate", "--archive-dir", directory.toString(), "--gate", gate);
            Main.run("history", "--archive-dir", directory.toString());
        } finally {
            remove(directory);
        }
    }

    /** Commands over SSH load classes of the JDK too, and no list of packages names them. */
    private static void askOverSsh() throws IOException, GeneralSecurityException {
        Path directory = Files.createTempDirectory("tao-warm-up");
        try (SshWarmUp server = SshWarmUp.start(directory)) {
            String login = String.join(
                    ", ",
                    "hosts: '" + server.address() + "'",
                    "user: tao",
                    "key: '" + server.key() + "'",
                    "knownHosts: '" + server.knownHosts() + "'",
                    "baseDirectory: /srv/tao-warm-up");
            Path targets = Files.writeString(
                    directory.resolve("targets.yaml"),
                    "targets:\n  box: {backend: ssh, " + login + "}\n  cluster: {backend: slurm, " + login + "}\n");
            Main.run("ls", "box", directory.toString(), "--targets", targets.toString());
            Main.run("ls", "cluster", directory.toString(), "--targets", targets.toString());
        } finally {
            remove(directory);
        }
    }

    private static void remove(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    /** Some classes need a library that is not here; nobody uses them. */
    private static void load(String name) {
        try {
            WarmUp.class
                    .getClassLoader()
                    .loadClass(name.substring(0, name.length() - CLASS.length()).replace('/', '.'));
        } catch (ClassNotFoundException | LinkageError e) {
            System.getLogger(WarmUp.class.getName()).log(System.Logger.Level.DEBUG, "left out", e);
        }
    }
}
