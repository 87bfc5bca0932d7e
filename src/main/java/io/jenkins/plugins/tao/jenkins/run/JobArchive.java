package io.jenkins.plugins.tao.jenkins.run;

import hudson.FilePath;
import hudson.Launcher;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import jenkins.util.BuildListenerAdapter;

/** Takes a job's files into a folder of the build and hands them to the build's artifact manager, wherever that keeps them. */
final class JobArchive implements ArtifactSink {
    private final BuildScope scope;
    private final String id;
    private final Path folder;
    private final Map<String, String> taken = new LinkedHashMap<>();

    JobArchive(BuildScope scope, String id) {
        this.scope = scope;
        this.id = id;
        folder = scope.run().getRootDir().toPath().resolve("tao").resolve(id + ".files");
    }

    @Override
    public synchronized OutputStream open(String path) throws IOException {
        Path file = folder.resolve(path).normalize();
        if (!file.startsWith(folder)) {
            throw new IOException("the file name '" + path + "' leaves the archive; it was not taken");
        }
        Files.createDirectories(file.resolveSibling(""));
        taken.put("tao/" + id + "/" + path, path);
        OutputStream out = Files.newOutputStream(file);
        return path.startsWith("logs/") || path.endsWith("status.json")
                ? scope.mask().over(out)
                : out;
    }

    @Override
    public void skipped(String path, String reason) {
        scope.say("  not archived: " + path + ", " + reason);
    }

    /** Archives what was taken and clears the folder; a problem is told and changes nothing else. */
    void store(RunJournal journal) {
        try {
            for (String name : journal.copyTo(folder)) {
                taken.put("tao/" + id + "/" + name, name);
            }
            FilePath files = new FilePath(folder.toFile());
            if (!taken.isEmpty()) {
                scope.run()
                        .pickArtifactManager()
                        .archive(
                                files,
                                new Launcher.LocalLauncher(scope.listener()),
                                BuildListenerAdapter.wrap(scope.listener()),
                                taken);
                scope.say("archived " + taken.size() + " files under tao/" + id + "/");
            }
            files.deleteRecursive();
        } catch (IOException e) {
            scope.say("could not archive the files of " + id + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            scope.say("archiving the files of " + id + " was interrupted");
        }
    }
}
