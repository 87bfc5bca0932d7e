package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.ArtifactChoice;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.HttpStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Brings the results of a job home from S3, when the container that made them is long gone. */
public final class S3Fetch {
    private static final int MOST_FILES = 100_000;

    private final S3Settings settings;
    private final HttpSettings http;

    /** Connects to nothing yet. */
    public S3Fetch(S3Settings settings, HttpSettings http) {
        this.settings = settings;
        this.http = http;
    }

    /**
     * Copies the files of {@code plan} below {@code results} to {@code results/…} of the sink; {@code status.json}
     * always comes. What is too large is told to the sink.
     */
    public void copy(S3Address results, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        ArtifactChoice choice = new ArtifactChoice(plan, sink);
        List<String> globs = new ArrayList<>(Stream.STATUS_FILES);
        globs.addAll(plan.globs());
        Predicate<String> wanted = choice.matching(globs);
        try (S3Client client = new S3Client(settings, results.bucket(), http)) {
            for (S3Listing.Entry entry : S3Listing.list(client, results, MOST_FILES)) {
                String name = "results/" + entry.path();
                if (wanted.test(entry.path()) && choice.take(name, entry.size())) {
                    copyFile(client, results.resolve(entry.path()), entry.size(), sink, name);
                }
            }
        }
    }

    private static void copyFile(S3Client client, S3Address from, long size, ArtifactSink sink, String name)
            throws BackendException {
        try (HttpStream content = client.open(from.key());
                OutputStream file = sink.open(name)) {
            long copied = content.copyTo(file, size);
            if (copied != size) {
                sink.skipped(name, "changed while it was read: " + copied + " of " + size + " bytes came");
            }
        } catch (IOException e) {
            throw new Rejected(
                    "The artifact " + name + " could not be stored: " + e.getMessage() + ".",
                    "Make room or mend permissions where artifacts are stored, then fetch again.");
        }
    }
}
