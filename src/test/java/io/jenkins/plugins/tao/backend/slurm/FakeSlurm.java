package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Slurm's commands as scripts in a directory that comes first on the PATH; each notes how it was called. */
public final class FakeSlurm {
    public final Path base;
    private final Path bin;

    public FakeSlurm(Path directory) throws IOException {
        base = Files.createDirectories(directory.resolve("base"));
        bin = Files.createDirectories(directory.resolve("bin"));
        for (String folder : List.of("exit", "secrets", "submit", "slurm-logs", "sbatch")) {
            Files.createDirectories(base.resolve(folder));
        }
        command("scontrol", "[ \"$1\" != show ] || echo gpu01");
        command("scancel", ":");
        command("sinfo", ":");
        command("sacct", ":");
        command("squeue", ":");
        command("srun", "while case $1 in --*) true;; *) false;; esac; do shift; done; exec \"$@\"");
    }

    public void command(String name, String body) throws IOException {
        Path file = bin.resolve(name);
        Files.writeString(file, "#!/bin/sh\necho \"" + name + " $*\" >> '" + base + "/calls'\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    public String calls() throws IOException {
        Path calls = base.resolve("calls");
        return Files.exists(calls) ? Files.readString(calls) : "";
    }

    public SlurmTarget target() {
        return Records.of(
                SlurmTarget.class,
                "name",
                "fake",
                "login",
                Sample.target().build().login(),
                "baseDirectory",
                base.toString(),
                "sharedRoots",
                List.of(base.toString()));
    }

    public Process start(String shell, Path script, Map<String, String> env, Path out, Path err) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(shell, script.toString())));
        builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
        builder.environment().putAll(env);
        return builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    }

    /** This machine with these commands. */
    public Host host() {
        return host("");
    }

    /** The same whose login says {@code setting} before each script. */
    public Host host(String setting) {
        return new Played(new LocalHost(), "PATH='" + bin + "':$PATH; export PATH\n" + setting + "\n");
    }

    private record Played(Host host, String setting) implements Host {
        @Override
        public String name() {
            return "played";
        }

        @Override
        public Reply run(String script, Duration limit) throws BackendException {
            return host.run(setting + script, limit);
        }

        @Override
        public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
            return host.stream(setting + script, sink, limit);
        }

        @Override
        public void close() {
            host.close();
        }
    }

    /** Runs shell text as a login host would. */
    public String shell(String text) throws IOException, InterruptedException {
        Path script = Files.writeString(base.resolve("shell-text"), text);
        Path out = base.resolve("shell-out");
        Process process = start("/bin/sh", script, Map.of(), out, base.resolve("shell-err"));
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IOException("the shell text did not end");
        }
        return Files.readString(out);
    }
}
