package io.jenkins.plugins.tao.jenkins.run;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.FilePath;
import io.jenkins.plugins.tao.code.CodeLimits;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a job takes of the workspace of its build. Reading it waits for the agent.
 *
 * @param spec the experiment spec, where the job names a file
 * @param code the files that its command starts in, where it names a directory
 */
public record WorkspaceFiles(Optional<String> spec, Optional<WorkspaceCode> code) {
    private static final long LONGEST = 4 << 20;

    /** Nothing. */
    public static WorkspaceFiles none() {
        return new WorkspaceFiles(Optional.empty(), Optional.empty());
    }

    /**
     * What {@code request} names.
     *
     * @param workspace empty outside of a node
     * @throws IllegalArgumentException if there is no workspace, a name leads out of it, or a file is not what it should be
     */
    public static WorkspaceFiles read(JobRequest request, @Nullable FilePath workspace)
            throws IOException, InterruptedException {
        Optional<String> spec = Optional.empty();
        if (!request.getSpecFile().isEmpty()) {
            require(
                    request.getSpec().isEmpty(),
                    "the job has a spec and a specFile; keep one, and change single values of it with set");
            spec = Optional.of(spec(named(workspace, "specFile", request.getSpecFile()), request.getSpecFile()));
        }
        return new WorkspaceFiles(spec, code(request, workspace));
    }

    /** The code that {@code request} names; empty for none. */
    public static Optional<WorkspaceCode> code(JobRequest request, @Nullable FilePath workspace)
            throws IOException, InterruptedException {
        return request.getCode().isEmpty() || GitRequest.isGit(request.getCode())
                ? Optional.empty()
                : Optional.of(WorkspaceCode.read(
                        named(workspace, "code", request.getCode()), request.getCode(), CodeLimits.defaults()));
    }

    /** The code of an earlier start of {@code request}; empty where the workspace holds other files by now. */
    public static Optional<WorkspaceCode> again(JobRequest request, @Nullable FilePath workspace)
            throws IOException, InterruptedException {
        return code(request, workspace).filter(found -> found.version().equals(request.getCodeId()));
    }

    /**
     * What the job file {@code name} says.
     *
     * @param workspace null outside of a node
     * @throws IllegalArgumentException if there is no workspace, the name leads out of it, or there is no such file
     */
    public static String jobFile(String name, @Nullable FilePath workspace) throws InterruptedException {
        return existing(named(workspace, "file", name), "file", name);
    }

    private static String spec(FilePath file, String name) throws InterruptedException {
        String text = existing(file, "specFile", name);
        require(
                !FormText.map("the file '" + name + "' of specFile", text).isEmpty(),
                "the file '%s' of specFile is empty",
                name);
        return text;
    }

    private static String existing(FilePath file, String field, String name) throws InterruptedException {
        try {
            require(file.exists(), "there is no file '%s' in the workspace, which %s names", name, field);
            require(file.length() <= LONGEST, "the file '%s' of %s is larger than 4 MiB", name, field);
            return text(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file '" + name + "' cannot be read: " + e.getMessage(), e);
        }
    }

    /** What a file holds, as UTF-8: {@code FilePath.readToString} takes the default charset of the agent. */
    public static String text(FilePath file) throws IOException, InterruptedException {
        try (InputStream in = file.read()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static FilePath named(@Nullable FilePath workspace, String field, String name) {
        if (workspace == null) {
            throw new IllegalArgumentException(
                    field + " '" + name + "' lies in a workspace: put the step into node { … }");
        }
        require(
                !name.startsWith("/")
                        && !name.contains("\\")
                        && !List.of(name.split("/", -1)).contains(".."),
                "%s is a path below the workspace, such as 'specs/dino.yaml' or '.'; was '%s'",
                field,
                name);
        return name.equals(".") ? workspace : workspace.child(name);
    }
}
