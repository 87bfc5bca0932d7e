package io.jenkins.plugins.tao.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A sweep of 500 cells from a terminal: its submission against a loop of {@code sbatch}, and the threads of its wait. */
final class Cells {
    private static final int CELLS = 500;
    private static final int FEW = 20;
    private static final double MANY = 1.5;
    private static final long SAMPLE_MILLIS = 250;
    private static final String SSH_CONFIG =
            Rig.STATE.resolve("keys/ssh_config").toString();

    private final Rig rig;
    private final Path directory;
    private int next;

    Cells(Rig rig) throws IOException {
        this.rig = rig;
        directory = Files.createTempDirectory("tao-cells");
        Files.writeString(directory.resolve("tao-targets.yaml"), """
                targets:
                  rig:
                    backend: slurm
                    hosts: ["127.0.0.1:2222"]
                    user: tao
                    key: %1$s/tao_ed25519
                    knownHosts: %1$s/known_hosts
                    baseDirectory: %2$s
                """.formatted(Rig.STATE.resolve("keys"), rig.base));
        sweep("all.yaml", CELLS, "");
        sweep("few.yaml", FEW, "");
        sweep("array.yaml", CELLS, "carry: array\n");
    }

    private void sweep(String name, int cells, String more) throws IOException {
        Files.writeString(
                directory.resolve(name),
                "target: rig\ncommand: 'true'\ngpus: 0\ncpus: 1\ntime: 5m\nmatrix: {env.SEED: 0.." + (cells - 1) + "}\n"
                        + more);
    }

    Figure run() throws Exception {
        String loop = "cd " + rig.base + "; i=0; while [ $i -lt " + CELLS
                + " ]; do sbatch --parsable -o /dev/null --wrap true; i=$((i + 1)); done";
        tao("submit", "few.yaml", "-q", "--id", rig.run + "-few");
        int fewThreads = threads("wait", rig.run + "-few", "-q", "--no-archive");
        double yardstick = Measure.millis(() -> ended(process(List.of("ssh", "-F", SSH_CONFIG, "login1", loop))));
        double ours = Measure.millis(() -> tao("submit", "all.yaml", "-q", "--id", rig.run + "-all"));
        int threads = threads("wait", rig.run + "-all", "-q", "--no-archive");
        double array = Measure.millis(() -> tao("submit", "array.yaml", "-q", "--id", rig.run + "-array"));
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("a loop of sbatch in one ssh session", Measure.ms(yardstick));
        numbers.put("`tao submit` of " + CELLS + " cells", Measure.ms(ours));
        numbers.put("ratio", Measure.ratio(ours / yardstick));
        numbers.put("`tao submit` of the same as one array (`carry: array`)", Measure.ms(array));
        numbers.put("ratio of the array", Measure.ratio(array / yardstick));
        numbers.put("most threads of `tao wait` for " + FEW + " cells", String.valueOf(fewThreads));
        numbers.put("most threads of `tao wait` for " + CELLS + " cells", String.valueOf(threads));
        return new Figure(
                "A sweep of " + CELLS + " cells",
                "submission at most 1.5 times a loop of sbatch in one ssh session, in a new process; no more threads to wait for "
                        + CELLS + " cells than for " + FEW,
                ours / yardstick <= MANY && threads <= fewThreads + 2,
                "One process each; ours starts a JVM, makes all checks, stages, sends and records each cell. Threads are those that the"
                        + " kernel counts, the JVM's own included.",
                numbers);
    }

    private int tao(String... arguments) throws Exception {
        return ended(process(command(arguments)));
    }

    private static List<String> command(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(Path.of("tao").toAbsolutePath().toString()));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /** The most threads that the process ever had. */
    private int threads(String... arguments) throws Exception {
        Process process = process(command(arguments));
        Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
        int most = 0;
        while (!process.waitFor(SAMPLE_MILLIS, TimeUnit.MILLISECONDS)) {
            most = Math.max(most, threads(status));
        }
        ended(process);
        return most;
    }

    private static int threads(Path status) {
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("Threads:"))
                    .mapToInt(line ->
                            Integer.parseInt(line.substring("Threads:".length()).strip()))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0; // it has ended just now
        }
    }

    private Process process(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out" + next++).toFile());
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        return builder.start();
    }

    private int ended(Process process) throws Exception {
        int code = process.waitFor();
        if (code != 0) {
            throw new IllegalStateException(
                    "process ended with " + code + ": " + Files.readString(directory.resolve("out" + (next - 1))));
        }
        return code;
    }
}
