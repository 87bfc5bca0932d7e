package io.jenkins.plugins.tao.jenkins.run;

import hudson.FilePath;
import hudson.Launcher;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.StagedFile;
import io.jenkins.plugins.tao.jenkins.page.BuildFolder;
import io.jenkins.plugins.tao.job.text.Sentences;
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
import lombok.RequiredArgsConstructor;

/** Takes a job's files into a folder of the build and hands them to the build's artifact manager, wherever that keeps them. */
@RequiredArgsConstructor
final class JobArchive implements ArtifactSink {
    private static final int MOST_TOLD = 100;

    private final BuildScope scope;
    private final String id;
    private final Map<String, String> taken = new LinkedHashMap<>();
    private final List<String> notArchived = new ArrayList<>();

    /** Where they lie until they are archived; asked at each use, for a build moves with its job. */
    private Path folder() {
        return BuildFolder.of(scope.run()).resolve(id + ".files");
    }

    private Path incoming() {
        return folder().resolveSibling(id + ".incoming");
    }

    @Override
    public ArtifactFile open(String path) throws IOException {
        return StagedFile.open(
                () -> new StagedFile.Areas(incoming(), folder()),
                path,
                out -> scope.mask().over(path, out),
                this::kept);
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
        if (!notArchived().isEmpty()) {
            journal.left(notArchived());
        }
        journal.conclude(this::folder);
        boolean archived = false;
        try {
            compressLogs(largestLog);
            for (String name : journal.copyTo(folder())) {
                taken.put("tao/" + id + "/" + name, name);
            }
            if (!taken.isEmpty()) {
                archive();
                archived = true;
                scope.say("archived " + Sentences.count(taken.size(), "file") + " under tao/" + id + "/");
            }
            new FilePath(folder().toFile()).deleteRecursive();
            new FilePath(incoming().toFile()).deleteRecursive();
        } catch (IOException e) {
            scope.say("could not archive the files of " + id + ": " + e.getMessage());
            missing("not all files could be archived: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            scope.say("archiving the files of " + id + " was interrupted");
            missing("archiving the files was interrupted");
        }
        journal.settle(archived);
    }

    /** Once more where the build was moved meanwhile: then files were passed over, or came to where it no longer is. */
    private void archive() throws IOException, InterruptedException {
        Path from;
        do {
            from = folder();
            try {
                scope.run()
                        .pickArtifactManager()
                        .archive(
                                new FilePath(from.toFile()),
                                new Launcher.LocalLauncher(scope.listener()),
                                BuildListenerAdapter.wrap(scope.listener()),
                                taken);
            } catch (IOException e) {
                if (from.equals(folder())) {
                    throw e;
                }
            }
            if (!from.equals(folder())) {
                BuildFolder.removeRemains(
                        from.resolve("../../archive/tao").resolve(id).normalize());
            }
        } while (!from.equals(folder()));
    }

    private synchronized void compressLogs(long largestLog) throws IOException {
        for (Map.Entry<String, String> file : Map.copyOf(taken).entrySet()) {
            Path log = folder().resolve(file.getValue());
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
