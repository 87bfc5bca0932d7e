package io.jenkins.plugins.tao.backend.notebook;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.Optional;

/**
 * What a notebook for Colab is made with.
 *
 * @param drive a folder of Google Drive, below {@code MyDrive}
 * @param keep how often results are copied there
 * @param git an https address that git clones; the command starts in it
 * @param revision which tag, branch or commit of it
 */
public record ColabOptions(
        @Option(defaultsTo = "`" + FOLDER + "`") Optional<String> drive,
        @Option(defaultsTo = "every 5 minutes") Optional<Duration> keep,
        Optional<String> git,
        @Option(defaultsTo = "its default branch") Optional<String> revision)
        implements JobOptions {
    private static final String FOLDER = "tao-run";
    private static final Duration KEEP = Duration.ofMinutes(5);

    public ColabOptions {
        drive.ifPresent(folder -> require(
                folder.matches("[A-Za-z0-9_-][A-Za-z0-9_. /-]*") && !folder.contains(".."),
                "drive '%s' must be a folder below MyDrive, such as trainings/tao",
                folder));
        keep.ifPresent(time -> require(time.toSeconds() >= 1, "keep must be at least one second, was %s", time));
        git.ifPresent(KaggleWords::git);
        revision.ifPresent(KaggleWords::revision);
        require(revision.isEmpty() || git.isPresent(), "revision needs git");
    }

    String folder() {
        return drive.orElse(FOLDER);
    }

    Duration keepEvery() {
        return keep.orElse(KEEP);
    }
}
