package io.jenkins.plugins.tao.spec;

import io.jenkins.plugins.tao.ProcessTree;
import io.jenkins.plugins.tao.job.Checkpoints;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Runs the command of a training as a frame does, with a results directory laid out as a network leaves it. */
final class CheckpointCase {
    private static final int LONGEST_MINUTES = 5;
    private static final int END_OF_ARCHIVE = 22;

    private final Path root;
    private final List<String> shell;

    CheckpointCase(Path root, String shell) {
        this.root = root;
        this.shell = List.of(shell.split(" "));
    }

    static Stream<String> shells() {
        return Stream.of("dash", "bash", "busybox sh");
    }

    /** What came of a run. */
    record Ran(int code, String text) {}

    /** Runs {@code command} as the job {@code key}, whose results directory is the root. */
    Ran run(String key, String command, Checkpoints request) throws Exception {
        return run(key, command, request, Map.of());
    }

    Ran run(String key, String command, Checkpoints request, Map<String, String> env) throws Exception {
        Path bin = Files.createDirectories(root.resolveSibling("bin"));
        for (String network : List.of("dino", "pointpillars", "bevfusion", "efficientdet_tf2", "cosmos-rl")) {
            program(bin.resolve(network), "echo \"$*|$TAO_RESUME_CHECKPOINT\"");
        }
        program(bin.resolve("sleep"), "[ \"$1\" != 1 ] || printf . >>'" + looks() + "'\nexec /bin/sleep \"$@\"");
        JobSpec job = JobSpec.of(command).checkpoints(request).build();
        String text = FilledJob.of(job, new JobKey(key), FilledJob.Place.of(root.toString(), "/spec.yaml", 1))
                .command();
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(shell.stream(), Stream.of("-c", text)).toList())
                .redirectErrorStream(true);
        builder.environment().putAll(Map.of("TAO_JOB_ID", key, "tao_ck_pause", "0", "tao_ck_every", "1"));
        builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
        builder.environment().putAll(env);
        Path said = root.resolveSibling(key + ".log");
        Process process = builder.redirectOutput(said.toFile()).start();
        process.getOutputStream().close();
        if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
            ProcessTree.kill(process);
            throw new AssertionError("the command did not end: " + Files.readString(said));
        }
        return new Ran(process.exitValue(), Files.readString(said));
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        file.toFile().setExecutable(true);
    }

    /** Has a dot for each look that is over: after one, and at no other time, the text sleeps for a second. A shell whose sleep is its own adds none. */
    Path looks() {
        return root.resolveSibling("looks");
    }

    Path path(String name) {
        return root.resolve(name);
    }

    /** A file as torch.save writes it. */
    Path whole(String name) {
        Path file = path(name);
        try {
            Files.createDirectories(file.resolveSibling(""));
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
                zip.putNextEntry(new ZipEntry("archive/data.pkl"));
                zip.write(name.getBytes(StandardCharsets.UTF_8));
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same whose end has not been written. */
    Path half(String name) throws IOException {
        byte[] all = Files.readAllBytes(whole(name));
        Files.write(path(name), Arrays.copyOf(all, all.length - END_OF_ARCHIVE));
        return path(name);
    }

    /** The same of a node that lost its power: its length is right, its end is zeros. */
    Path zeros(String name) throws IOException {
        byte[] all = Files.readAllBytes(whole(name));
        Arrays.fill(all, all.length - END_OF_ARCHIVE, all.length, (byte) 0);
        Files.write(path(name), all);
        return path(name);
    }

    void write(String name, String text) throws IOException {
        Files.createDirectories(path(name).resolveSibling(""));
        Files.writeString(path(name), text);
    }

    void link(String name, String to) throws IOException {
        Files.deleteIfExists(path(name));
        Files.createSymbolicLink(path(name), Path.of(to));
    }

    /** Lets all files below a folder be of the night before. */
    void old(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(path(folder))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(86_400)));
            }
        }
    }

    /** The names in a folder, sorted. */
    List<String> names(String folder) throws IOException {
        try (Stream<Path> files = Files.list(path(folder))) {
            return List.copyOf(new TreeSet<>(
                    files.map(file -> String.valueOf(file.getFileName())).toList()));
        }
    }
}
