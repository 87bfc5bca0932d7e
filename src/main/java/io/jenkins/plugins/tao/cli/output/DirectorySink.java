package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.StagedFile;
import io.jenkins.plugins.tao.job.mask.Mask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import lombok.RequiredArgsConstructor;

/** Puts the files of a job below one directory once they are whole, its logs without the values of its secrets. */
@RequiredArgsConstructor
public final class DirectorySink implements ArtifactSink {
    /** Where files are until all of them has come; gone when nothing is on its way. */
    static final String STAGING = ".incoming";

    private final Path directory;
    private final Mask mask;
    private final List<String> files = Collections.synchronizedList(new ArrayList<>());
    private final List<String> skipped = Collections.synchronizedList(new ArrayList<>());

    @Override
    public ArtifactFile open(String path) throws IOException {
        StagedFile.Areas areas = new StagedFile.Areas(directory.resolve(STAGING), directory);
        return StagedFile.open(areas, path, out -> mask.over(path, out), files::add);
    }

    @Override
    public void skipped(String path, String reason) {
        skipped.add(path + ": " + reason);
    }

    /** Takes away the empty directories that were made on the way. */
    public void clear() throws IOException {
        Path staging = directory.resolve(STAGING);
        if (Files.isDirectory(staging)) {
            try (Stream<Path> left = Files.walk(staging)) {
                for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** The files written so far. */
    List<String> files() {
        return List.copyOf(files);
    }

    /** What was left where it is, and why. */
    public List<String> skipped() {
        return List.copyOf(skipped);
    }
}
