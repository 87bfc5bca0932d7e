package io.jenkins.plugins.tao;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The rigs of src/test/rigs: where each keeps its state, and whether it runs. What a dead one left behind does not count. */
public final class Rigs {
    public static final Path SLURM = state("LAB_STATE", "/var/lib/slurmlab");
    public static final Path BOXES = state("BOX_STATE", "/var/lib/taoboxes");
    public static final Path S3 = state("S3_STATE", "/var/lib/s3lab");

    /** Where the start time of a process stands in what follows its name in /proc/PID/stat. */
    private static final int START = 19;

    private Rigs() {}

    private static Path state(String variable, String otherwise) {
        return Path.of(Objects.requireNonNullElse(System.getenv(variable), otherwise));
    }

    /** Skips the test where the rig with this state, {@link #SLURM} or {@link #BOXES}, does not run. */
    public static void assumeUp(Path state) {
        String rig = state.equals(SLURM) ? "slurm" : "box";
        Assumptions.assumeTrue(isUp(state), "no rig " + rig + ": run src/test/rigs/" + rig + "/up as root");
    }

    /** Whether this user can reach the rig, and a host of it runs. */
    public static boolean isUp(Path state) {
        Path pids = state.resolve("pid");
        if (!Files.isReadable(state.resolve("keys/tao_ed25519")) || !Files.isDirectory(pids)) {
            return false;
        }
        try (Stream<Path> files = Files.list(pids)) {
            return files.anyMatch(Rigs::isAlive);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Runs a program of a rig. It shares no stream with this process: the test runner talks with its forks over them, and
     * daemons that the program starts would keep a pipe open.
     *
     * @throws IOException if it ends with another code than 0; with its output
     */
    public static void run(Path program, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toAbsolutePath().toString()));
        command.addAll(List.of(words));
        Path output = Files.createTempFile("rig", ".log");
        try {
            int code = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IOException(command + " ended with " + code + ": " + Files.readString(output));
            }
        } finally {
            Files.delete(output);
        }
    }

    /** Whether the process runs that {@code file} names by its number and its start time, as the rigs write it. */
    public static boolean isAlive(Path file) {
        try {
            String[] words = Files.readString(file).strip().split(" ", -1);
            String stat = Files.readString(Path.of("/proc", words[0], "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return words.length == 2 && fields[START].equals(words[1]) && !fields[0].equals("Z");
        } catch (IOException e) {
            return false;
        }
    }
}
