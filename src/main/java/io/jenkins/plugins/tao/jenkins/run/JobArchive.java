package io.jenkins.plugins.tao.jenkins.run;

import hudson.FilePath;
import hudson.Launcher;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.StagedFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import jenkins.util.BuildListenerAdapter;

/** Takes a job's files into a folder of the build and hands them to the build's artifact manager, wherever that keeps them. */
final class JobArchive implements ArtifactSink {
    private static final int MOST_TOLD = 100;

    private final BuildScope scope;
    private final String id;
    private final Path folder;
    private final Map<String, String> taken = new LinkedHashMap<>();
    private final List<String> notArchived = new ArrayList<>();

    JobArchive(BuildScope scope, String id) {
        this.scope = scope;
        this.id = id;
        folder = scope.run().getRootDir().toPath().resolve("tao").resolve(id + ".files");
    }

    @Override
    public ArtifactFile open(String path) throws IOException {
        StagedFile.Areas areas = new StagedFile.Areas(folder.resolveSibling(id + ".incoming"), folder);
        return StagedFile.open(areas, path, out -> scope.mask().over(path, out), this::kept);
    }

    private synchronized void kept(String path) {
        taken.put("tao/" + id + "/" + path, path);
    }

    @Override
    public void skipped(String path, String reason) {
        scope.say("  not archived: " + path + ", " + reason);
        missing(path + " " + reason);
    }

    /** Not all came, for this reason. */
    void failed(String why) {
        scope.say("could not bring all files of " + id + ": " + why);
        missing("not all files came: " + why);
    }

    private synchronized void missing(String line) {
        if (notArchived.size() < MOST_TOLD) {
            notArchived.add(scope.mask().apply(line));
        }
    }

    /** What was not archived and why, the first of it. */
    synchronized List<String> notArchived() {
        return List.copyOf(notArchived);
    }

    /**
     * Archives what was taken and clears the folder; a problem is told and changes nothing else.
     *
     * @param largestLog logs of more bytes are compressed
     */
    void store(RunJournal journal, long largestLog) {
        journal.left(notArchived());
        journal.conclude(folder);
        try {
            compressLogs(largestLog);
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
            new FilePath(folder.resolveSibling(id + ".incoming").toFile()).deleteRecursive();
        } catch (IOException e) {
            scope.say("could not archive the files of " + id + ": " + e.getMessage());
            missing("not all files could be archived: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            scope.say("archiving the files of " + id + " was interrupted");
            missing("archiving the files was interrupted");
        }
    }

    private synchronized void compressLogs(long largestLog) throws IOException {
        for (Map.Entry<String, String> file : Map.copyOf(taken).entrySet()) {
            Path log = folder.resolve(file.getValue());
            if (file.getValue().startsWith("logs/") && Files.isRegularFile(log) && Files.size(log) > largestLog) {
                Path compressed = log.resolveSibling(log.getFileName() + ".gz");
                try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
                    Files.copy(log, out);
                }
                Files.delete(log);
                taken.remove(file.getKey());
                taken.put(file.getKey() + ".gz", file.getValue() + ".gz");
            }
        }
    }
}
