package io.jenkins.plugins.tao.code;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Git checkout in a directory, by the program {@code git}. */
public final class Checkout {
    private final Path directory;

    /** An empty repository in {@code directory}. */
    public Checkout(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        git("init", "-q");
    }

    /** Writes a file. */
    public Checkout file(String name, String content) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return this;
    }

    /** Commits everything and returns the commit. */
    public String commit() throws IOException {
        git("add", "--all");
        git("-c", "user.name=tester", "-c", "user.email=tester@example.org", "commit", "-q", "-m", "all");
        return git("rev-parse", "HEAD").strip();
    }

    /** Runs git and returns what it printed, whatever its exit code. */
    public String git(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("git", "-c", "init.defaultBranch=main"));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        git.getOutputStream().close();
        return new String(git.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
}
