package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.Rigs;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.StagedFile;
import io.jenkins.plugins.tao.remote.files.Download;
import io.jenkins.plugins.tao.remote.files.Upload;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

/** Trees to and from a box of src/test/rigs/box, against {@code scp} and {@code rsync}. */
final class Moving {
    private static final Path STATE = Rigs.BOXES;
    private static final long SIZE = 1L << 30;
    private static final int FILES = 3000;
    private static final int ROUNDS = 3;
    private static final int PIECE = 1 << 20;

    private final Path work;
    private final String there = "/box/bench" + ProcessHandle.current().pid();
    private final Table big = new Table();
    private final Table small = new Table();

    private Moving(Path work) {
        this.work = work;
    }

    static boolean isUp() {
        return Files.isReadable(STATE.resolve("keys/tao_ed25519"));
    }

    static List<Figure> run() throws Exception {
        Moving moving = new Moving(Files.createTempDirectory("bench"));
        try {
            moving.measure();
        } finally {
            command("rm", "-rf", moving.work.toString());
            moving.ssh("rm -rf " + moving.there);
        }
        String done =
                " Debian's sshd on loopback. Each time over a new connection, ours with SHA-256 of both sides and in one JVM."
                        + " In turns, files cached; the median of " + ROUNDS + ".";
        return List.of(
                new Figure(
                        "1 GiB to and from a box",
                        "at most 1.3 times scp's time",
                        moving.big.met,
                        "One file of random bytes." + done,
                        moving.big.numbers),
                new Figure(
                        "3,000 small files to and from a box",
                        "at most 1.5 times rsync's time",
                        moving.small.met,
                        "Files of 200 to 2,000 bytes in 30 folders." + done,
                        moving.small.numbers));
    }

    /** What was seen with one tree. */
    private static final class Table {
        private final Map<String, String> numbers = new LinkedHashMap<>();
        private boolean met = true;
    }

    private void measure() throws Exception {
        Path large = Files.createDirectories(work.resolve("big"));
        byte[] piece = new byte[PIECE];
        Random random = new Random(7);
        try (OutputStream out = Files.newOutputStream(large.resolve("model.pth"))) {
            for (long at = 0; at < SIZE; at += PIECE) {
                random.nextBytes(piece);
                out.write(piece);
            }
        }
        Path many = Files.createDirectories(work.resolve("small"));
        for (int i = 0; i < FILES; i++) {
            Path folder = Files.createDirectories(many.resolve("d" + i % 30));
            byte[] content = new byte[200 + random.nextInt(1800)];
            random.nextBytes(content);
            Files.write(folder.resolve("f" + i), content);
        }
        ssh("mkdir -p " + there + "/from && chmod 700 " + there);
        String config = STATE.resolve("keys/ssh_config").toString();
        push(many); // a first round, so that the JVM has compiled what it needs, as in a Jenkins that runs
        ssh("rm -rf " + there + "/ours");
        List<String> scp = List.of("scp", "-q", "-r", "-F", config);
        List<String> rsync = List.of("rsync", "-r", "-e", "ssh -F " + config);
        compare(big, "push", "scp", 1.3, push(scp, large), () -> push(large));
        compare(small, "push", "rsync", 1.5, push(rsync, many), () -> push(many));
        command(with(scp, large.resolve("model.pth").toString(), "box1:" + there + "/from/model.pth"));
        compare(big, "fetch", "scp", 1.3, fetch(scp, "/from/model.pth"), () -> fetch("/from"));
        ssh("rm " + there + "/from/model.pth");
        command(with(rsync, many + "/", "box1:" + there + "/from/"));
        compare(small, "fetch", "rsync", 1.5, fetch(rsync, "/from"), () -> fetch("/from"));
        local(big, large, 1.3);
        local(small, many, 1.5);
    }

    private void compare(Table table, String what, String other, double most, Callable<?> yardstick, Callable<?> ours)
            throws Exception {
        double[] theirs = new double[ROUNDS];
        double[] mine = new double[ROUNDS];
        double[] ratio = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            theirs[i] = Measure.millis(yardstick);
            mine[i] = Measure.millis(ours);
            ratio[i] = mine[i] / theirs[i];
            ssh("rm -rf " + there + "/ours " + there + "/theirs");
            command("rm", "-rf", work.resolve("in").toString());
        }
        table.numbers.put(what + ", " + other, Measure.ms(Measure.median(theirs)));
        table.numbers.put(what + ", tao-run", Measure.ms(Measure.median(mine)));
        table.numbers.put(what + ", of its time", Measure.ratio(Measure.median(ratio)));
        System.out.println(what + " " + other + " " + java.util.Arrays.toString(theirs) + " ours "
                + java.util.Arrays.toString(mine) + " ratio " + Measure.ratio(Measure.median(ratio)));
        table.met &= Measure.median(ratio) <= most;
    }

    private void local(Table table, Path tree, double most) throws Exception {
        Path copy = work.resolve("in");
        compare(
                table,
                "push on this machine",
                "rsync",
                most,
                () -> command("rsync", "-r", tree + "/", work.resolve("in") + "/"),
                () -> Upload.push(new LocalHost(), tree, copy.resolve("ours").toString()));
    }

    private Callable<?> push(List<String> program, Path tree) {
        return () -> command(with(program, tree.toString(), "box1:" + there + "/theirs"));
    }

    private Callable<?> fetch(List<String> program, String from) {
        return () -> {
            Files.createDirectories(work.resolve("in"));
            return command(with(
                    program, "box1:" + there + from, work.resolve("in/theirs").toString()));
        };
    }

    private Upload.Done push(Path tree) throws Exception {
        try (Host host = host()) {
            return Upload.push(host, tree, there + "/ours");
        }
    }

    private Map<String, String> fetch(String from) throws Exception {
        Path in = work.resolve("in/ours");
        try (Host host = host()) {
            Download download = new Download(host, ArtifactPlan.of(List.of("**")), new Folder(in));
            Map<String, String> sums = download.copy("results", there + from, List.of("**"));
            download.end();
            return sums;
        }
    }

    private static Host host() {
        SshLogin login = new SshLogin(
                List.of(new SshAddress("127.0.0.1", 2231)),
                "tao",
                SshKey.ofFile(STATE.resolve("keys/tao_ed25519"), Optional.empty()),
                HostKeys.ofFile(STATE.resolve("keys/known_hosts")));
        return new SshHost(login, "box1");
    }

    private String ssh(String script) throws Exception {
        try (Host host = host()) {
            return host.run(script + "\n", Duration.ofMinutes(2)).text();
        }
    }

    private static List<String> with(List<String> program, String... more) {
        List<String> words = new ArrayList<>(program);
        words.addAll(List.of(more));
        return words;
    }

    private static int command(String... words) throws Exception {
        return command(List.of(words));
    }

    private static int command(List<String> words) throws Exception {
        int code = new ProcessBuilder(words).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException(words + " ended with " + code);
        }
        return code;
    }

    /** Keeps files below one directory. */
    private record Folder(Path directory) implements ArtifactSink {
        @Override
        public ArtifactFile open(String path) throws IOException {
            StagedFile.Areas areas = new StagedFile.Areas(directory.resolve(".incoming"), directory);
            return StagedFile.open(areas, path, UnaryOperator.identity(), kept -> {});
        }

        @Override
        public void skipped(String path, String reason) {
            throw new IllegalStateException(path + " " + reason);
        }
    }
}
