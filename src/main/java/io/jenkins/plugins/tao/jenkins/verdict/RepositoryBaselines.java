package io.jenkins.plugins.tao.jenkins.verdict;

import hudson.FilePath;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.history.Baselines;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceFiles;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Baselines in a file of the workspace, which the Pipeline commits: then they are reviewed and travel with the code. */
public final class RepositoryBaselines {
    private final String name;
    private final FilePath file;

    /**
     * The file {@code name} of {@code workspace}.
     *
     * @throws IllegalArgumentException if there is no workspace, or the name leads out of it
     */
    public RepositoryBaselines(@Nullable FilePath workspace, String name) {
        if (workspace == null) {
            throw new IllegalArgumentException(
                    "The file of baselines '" + name + "' lies in a workspace: put the step into node { … }.");
        }
        if (name.startsWith("/")
                || name.contains("\\")
                || List.of(name.split("/")).contains("..")) {
            throw new IllegalArgumentException(
                    "The file of baselines is named by its path in the workspace, such as ci/baselines.jsonl; was '"
                            + name + "'.");
        }
        this.name = name;
        file = workspace.child(name);
    }

    /** What it holds; nothing while it is not there. */
    public Baselines.Known read() throws IOException, InterruptedException {
        return Baselines.parse(text().lines().filter(line -> !line.isBlank()).toList(), name);
    }

    /** Adds blessings. */
    public void add(List<Blessed> blessings) throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder(text());
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
        blessings.forEach(blessed -> text.append(Baselines.line(blessed)).append('\n'));
        file.getParent().mkdirs();
        file.write(text.toString(), "UTF-8");
    }

    private String text() throws IOException, InterruptedException {
        return file.exists() ? WorkspaceFiles.text(file) : "";
    }
}
