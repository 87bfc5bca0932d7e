package io.jenkins.plugins.tao.cli;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.remote.ssh.SshWarmUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;

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
            "org/bouncycastle/jcajce/provider/asymmetric/ec/",
            "org/bouncycastle/asn1/sec/",
            "org/bouncycastle/asn1/x9/",
            "org/bouncycastle/math/ec/");
    private static final String CLASS = ".class";
    private static final String RUN = """
            {"schema":1,"id":"train-%1$d","outcome":{"word":"succeeded"},"origin":{"build":"#%1$d"},\
            "times":{"submittedAt":"2026-01-%1$dT01:00:00Z"},"metrics":{"map":{"last":%2$s,"count":1,"curve":[[0,1]]}}}""";

    private WarmUp() {}

    public static void main(String[] arguments) throws Exception {
        Path jar = Path.of(
                WarmUp.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (JarFile entries = new JarFile(jar.toFile())) {
            entries.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(CLASS) && PACKAGES.stream().anyMatch(name::startsWith))
                    .forEach(WarmUp::load);
        } catch (IOException e) {
            throw new IllegalStateException("the classes of " + jar + " cannot be listed", e);
        }
        // beside the jar: a target of Slurm refuses directories of one machine, such as /tmp
        Path home = Files.createTempDirectory(jar.resolveSibling(""), "tao-warm-up");
        try {
            run(home, "list");
            judgeRuns(home);
            askOverSsh(home);
        } catch (IOException | GeneralSecurityException e) { // without a connection the archive has fewer classes
            System.getLogger(WarmUp.class.getName()).log(System.Logger.Level.DEBUG, "no connection", e);
        } finally {
            remove(home);
        }
    }

    /** A user of its own, so that nothing is written among the records of the real one; the programs are the real ones. */
    private static void run(Path home, String... arguments) {
        Main.run(Map.of("PATH", System.getenv().getOrDefault("PATH", "")), home, arguments);
    }

    /** A lambda is archived where it has run once: here those of a gate that fails. */
    private static void judgeRuns(Path home) throws IOException {
        Path history = home.resolve(RunHistory.FILE);
        for (int day = 10; day < 30; day++) {
            Files.write(history, List.of(RUN.formatted(day, day < 28 ? 0.4 : 0.3)), CREATE, APPEND);
        }
        String gate = "kpi: map, noWorseThan: last good, direction: higher";
        run(home, "gate", "--archive-dir", home.toString(), "--gate", gate);
        run(home, "history", "--archive-dir", home.toString());
    }

    /** Commands over SSH load classes of the JDK too, and no list of packages names them. */
    private static void askOverSsh(Path home) throws IOException, GeneralSecurityException {
        try (SshWarmUp server = SshWarmUp.start(home)) {
            String login = String.join(
                    ", ",
                    "hosts: '" + server.address() + "'",
                    "user: tao",
                    "key: '" + server.key() + "'",
                    "knownHosts: '" + server.knownHosts() + "'",
                    "baseDirectory: '" + home.resolve("jobs") + "'");
            String targets = Files.writeString(
                            home.resolve("targets.yaml"),
                            "targets:\n  box: {backend: ssh, " + login + "}\n  cluster: {backend: slurm, " + login
                                    + "}\n")
                    .toString();
            run(home, "ls", "box", home.toString(), "--targets", targets);
            run(home, "ls", "cluster", home.toString(), "--targets", targets);
            Path job = Files.writeString(home.resolve("job.yaml"), "target: cluster\ncommand: 'true'\ngpus: 0\n");
            slurm(Files.createDirectories(server.programs()));
            run(home, "submit", job.toString(), "--id", "warm-up", "--targets", targets);
            run(home, "status", "warm-up");
        }
    }

    /** Programs of a Slurm that takes each job and has nothing to say of it. */
    private static void slurm(Path programs) throws IOException {
        for (String name : List.of("sinfo", "squeue", "sacct", "scontrol", "sbatch")) {
            Path program = Files.writeString(programs.resolve(name), "#!/bin/sh\necho 1\n");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
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
