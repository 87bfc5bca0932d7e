package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.history.ManyRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ./tao}, a process for each command, against OpenSSH's client with the plain command of Slurm. */
final class Terminal {
    private static final int ROUNDS = 7;
    private static final int JOBS = 200;
    private static final int BYTE_ROUNDS = 3;
    private static final long GIB = 1L << 30;
    private static final String LINE =
            "[2026-11-21 05:00:00] INFO epoch 12 step 3456 loss 0.12345 lr 0.00100 images/s 812.5 eta 1:02:03";
    private static final double SHORT = 2.5;
    private static final double BYTES_READ = 1.5;
    private static final double RUN = 1.3;
    private static final double MANY = 1.5;
    private static final double VERSION_MILLIS = 250;
    private static final double GATE_MILLIS = 1000;
    private static final double HISTORY_MILLIS = 1500;
    private static final String SSH_CONFIG =
            Rig.STATE.resolve("keys/ssh_config").toString();

    private final Rig rig;
    private final Path directory;
    private int next;

    Terminal(Rig rig) throws IOException {
        this.rig = rig;
        directory = Files.createTempDirectory("tao-bench");
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
        Files.writeString(directory.resolve("job.yaml"), "target: rig\ncommand: 'true'\ngpus: 0\ncpus: 1\ntime: 5m\n");
    }

    List<Figure> run() throws Exception {
        String id = rig.run + "-known";
        tao("submit", "job.yaml", "--id", id); // builds what the launcher builds once
        double version = median(() -> tao("--version"));
        double ssh = median(() -> ssh("squeue -h -u tao -o %i"));
        double status = median(() -> tao("status", id));
        double sbatch = median(() -> ssh("cd " + rig.base + " && sbatch --parsable -o /dev/null --wrap true"));
        double submit = median(() -> tao("submit", "job.yaml", "-q"));
        double wait = median(() -> ssh("cd " + rig.base + " && sbatch --wait -o /dev/null --wrap true"));
        double run = median(() -> tao("run", "job.yaml", "-q", "--no-archive"));
        return List.of(
                commands(version, ssh, status, sbatch, submit), whole(wait, run), many(), bytes(), judged(version));
    }

    private static Figure commands(double version, double ssh, double status, double sbatch, double submit) {
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("`tao --version`", Measure.ms(version));
        numbers.put("`ssh squeue`", Measure.ms(ssh));
        numbers.put("`tao status`", Measure.ms(status) + ", ratio " + Measure.ratio(status / ssh));
        numbers.put("`ssh sbatch`", Measure.ms(sbatch));
        numbers.put("`tao submit`", Measure.ms(submit) + ", ratio " + Measure.ratio(submit / sbatch));
        return new Figure(
                "A command in a terminal",
                "`submit` and `status` at most 2.5 times the plain ssh command, `--version` at most 250 ms",
                version <= VERSION_MILLIS && status / ssh <= SHORT && submit / sbatch <= SHORT,
                "Whole processes, the start of the JVM included, median of " + ROUNDS
                        + ". `submit` makes all checks of preflight; `ssh sbatch` makes none.",
                numbers);
    }

    private static Figure whole(double wait, double run) {
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("`ssh sbatch --wait`", Measure.ms(wait));
        numbers.put("`tao run`", Measure.ms(run) + ", ratio " + Measure.ratio(run / wait));
        return new Figure(
                "A job of `true` from start to end",
                "at most 1.3 times `ssh sbatch --wait`",
                run / wait <= RUN,
                "Whole processes, median of " + ROUNDS + ".",
                numbers);
    }

    /** Both wait for a held job: what runs already would take the cores from the submission of the others. */
    private Figure many() throws Exception {
        String held = rig.shell("cd " + rig.base + " && sbatch --parsable --hold -o /dev/null --wrap true");
        String loop = "cd " + rig.base + "; i=0; while [ $i -lt " + JOBS + " ]; do sbatch --parsable -d afterok:" + held
                + " -o /dev/null --wrap true; i=$((i + 1)); done";
        double yardstick = Measure.millis(() -> ssh(loop));
        List<String> command = new ArrayList<>(List.of("submit", "-q"));
        String job =
                Files.readString(directory.resolve("job.yaml")) + "options: {dependency: 'afterok:" + held + "'}\n";
        for (int i = 0; i < JOBS; i++) {
            Files.writeString(directory.resolve("job" + i + ".yaml"), job);
            command.add("job" + i + ".yaml");
        }
        double ours = Measure.millis(() -> tao(command.toArray(new String[0])));
        rig.shell("scancel -u tao");
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("a loop of sbatch in one ssh session", Measure.ms(yardstick));
        numbers.put("`tao submit` of " + JOBS + " files", Measure.ms(ours));
        numbers.put("ratio", Measure.ratio(ours / yardstick));
        return new Figure(
                JOBS + " job files in one command",
                "at most 1.5 times a loop of sbatch in one ssh session, in a new process",
                ours / yardstick <= MANY,
                "One process each; the jobs wait for a held one. Ours starts a JVM, makes all checks, stages, sends and records each job.",
                numbers);
    }

    /** A log of one GiB and a file of one GiB, of jobs that have ended. */
    private Figure bytes() throws Exception {
        String printed = ended("log", "yes '" + LINE + "' | head -c " + GIB, "[]");
        String log = rig.shell("ls " + rig.base + "/slurm-logs/*" + printed + "*.out");
        double cat = median(BYTE_ROUNDS, () -> ssh("cat " + log));
        double logs = median(BYTE_ROUNDS, () -> tao("logs", "-f", printed));
        String made = ended("model", "head -c " + GIB + " /dev/urandom > {results_dir}/model.pth", "[model.pth]");
        String there = "login1:" + rig.base + "/results/" + made + "/model.pth";
        String here = directory.resolve("model.pth").toString();
        double scp = median(BYTE_ROUNDS, () -> process(List.of("scp", "-q", "-F", SSH_CONFIG, there, here)));
        double wait = Measure.millis(() -> tao("wait", made, "-q")); // the next one finds the file here
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("`ssh cat` of a log of 1 GiB", Measure.ms(cat));
        numbers.put("`tao logs` of it", Measure.ms(logs) + ", ratio " + Measure.ratio(logs / cat));
        numbers.put("`scp` of a file of 1 GiB", Measure.ms(scp));
        numbers.put("`tao wait` that archives it", Measure.ms(wait) + ", ratio " + Measure.ratio(wait / scp));
        return new Figure(
                "1 GiB through the command line",
                "a log at most 1.5 times `ssh cat`, a file at most 1.3 times `scp`",
                logs / cat <= BYTES_READ && wait / scp <= RUN,
                "Whole processes, median of " + BYTE_ROUNDS
                        + ", `tao wait` once; both write files. `tao wait` compares checksums.",
                numbers);
    }

    /** Runs a job to its end. */
    private String ended(String name, String command, String archive) throws Exception {
        String id = rig.run + "-" + name;
        Files.writeString(
                directory.resolve(name + ".yaml"),
                "target: rig\ngpus: 0\ncpus: 1\ntime: 10m\narchive: " + archive + "\ncommand: |\n  " + command + "\n");
        tao("submit", name + ".yaml", "--id", id, "-q");
        rig.shell("while squeue -h -u tao | grep -q .; do sleep 1; done");
        return id;
    }

    private Figure judged(double version) throws Exception {
        Path runs = directory.resolve("runs");
        ManyRuns.write(runs, 2000, 20);
        double one = median(() -> gate(runs, 1));
        double six = median(() -> gate(runs, 6));
        double history = median(() -> tao("history", "--archive-dir", runs.toString()));
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("`tao --version`", Measure.ms(version));
        numbers.put("`tao gate`, one gate", Measure.ms(one) + ", " + Measure.ms(one - version) + " more");
        numbers.put("`tao gate`, six gates", Measure.ms(six) + ", " + Measure.ms(six - version) + " more");
        numbers.put("`tao history`", Measure.ms(history));
        return new Figure(
                "A history of 2,000 runs by 20 metrics",
                "`gate` at most 1 s more than `--version`, `history` at most 1.5 s",
                six - version <= GATE_MILLIS && history <= HISTORY_MILLIS,
                "Whole processes, median of " + ROUNDS + "; 27 MB, each metric with a curve of 40 values.",
                numbers);
    }

    private int gate(Path runs, int gates) throws Exception {
        List<String> command = new ArrayList<>(List.of("gate", "--archive-dir", runs.toString()));
        for (int i = 0; i < gates; i++) {
            command.addAll(List.of(
                    "--gate", "kpi: metric_" + i + ", noWorseThan: median of 14, direction: higher, minDrop: 0.3"));
        }
        return tao(command.toArray(new String[0]));
    }

    private static double median(Callable<?> work) throws Exception {
        return median(ROUNDS, work);
    }

    private static double median(int rounds, Callable<?> work) throws Exception {
        double[] times = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            times[i] = Measure.millis(work);
        }
        return Measure.median(times);
    }

    private int tao(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Path.of("tao").toAbsolutePath().toString()));
        command.addAll(Arrays.asList(arguments));
        return process(command);
    }

    private int ssh(String script) throws Exception {
        return process(List.of("ssh", "-F", SSH_CONFIG, "login1", script));
    }

    private int process(List<String> command) throws Exception {
        Path out = directory.resolve("out" + next++);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        int code = builder.start().waitFor();
        if (code != 0) {
            throw new IllegalStateException(command + " ended with " + code + ": " + Files.readString(out));
        }
        Files.delete(out);
        return code;
    }
}
