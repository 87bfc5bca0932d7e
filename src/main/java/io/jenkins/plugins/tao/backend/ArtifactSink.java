package io.jenkins.plugins.tao.backend;

import java.io.IOException;

/** Takes the files of a job. */
public interface ArtifactSink {
    /** How the name of a skipped log begins where its newest part has come: its oldest lines are missing. */
    String FRONT = "the front of ";

    /**
     * Begins a file, under a temporary name until it is kept.
     *
     * @param path relative, with {@code /}, without {@code ..}: {@code logs/main.out}, {@code results/train/status.json}
     */
    ArtifactFile open(String path) throws IOException;

    /** Tells that {@code path} was not brought home, and why. */
    void skipped(String path, String reason);

    /** That {@code path} could not be stored here. */
    static BackendException.Rejected notStored(String path, IOException why) {
        return new BackendException.Rejected(
                "The artifact " + path + " could not be stored: " + why.getMessage() + ".",
                "Make room or correct the permissions where artifacts are stored, then fetch again.");
    }
}
