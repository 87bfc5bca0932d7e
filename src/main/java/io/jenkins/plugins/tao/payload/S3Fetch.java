package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.ArtifactChoice;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.HttpStream;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import lombok.RequiredArgsConstructor;

/** Brings the results of a job home from S3, when the container that made them is long gone. */
@RequiredArgsConstructor
public final class S3Fetch {
    private static final int MOST_FILES = 100_000;

    private final S3Settings settings;
    private final HttpSettings http;
    private final Set<String> kept = new HashSet<>();

    /** Whether a file has come whole, by its name in the sink. */
    public boolean has(String name) {
        return kept.contains(name);
    }

    /**
     * Copies the files of {@code plan} below {@code results} to {@code results/…} of the sink; {@code status.json}
     * always comes. What is too large, or was left there by another job, is told to the sink.
     *
     * @param job whose results they are
     * @throws Unreadable if a file came in part only; it is not kept, the others are
     */
    public void copy(S3Address results, JobKey job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        ArtifactChoice choice = new ArtifactChoice(plan, sink);
        Predicate<String> wanted = choice.matching(plan.withStatus());
        try (S3Bucket bucket = new S3Bucket(settings, results.bucket(), http)) {
            List<S3Listing.Entry> entries = S3Listing.list(bucket, results, MOST_FILES);
            S3Owner owner = S3Owner.of(bucket, results, entries);
            for (S3Listing.Entry entry : entries) {
                String name = "results/" + entry.path();
                S3Address from = results.resolve(entry.path());
                if (S3Owner.isNote(entry) || !wanted.test(entry.path())) {
                    continue;
                }
                Optional<String> other = owner.whyNot(job, entry);
                if (other.isPresent()) {
                    sink.skipped(name, other.get());
                } else if (choice.take(name, entry.size(), from.toString())) {
                    copyFile(bucket, from, entry.size(), choice, sink, name);
                }
            }
            if (entries.size() >= MOST_FILES) {
                choice.failed("results", "has more than " + MOST_FILES + " files; the others stay at " + results);
            }
        }
        choice.end("Some files from " + results, "Fetch again; they stay where they are.");
    }

    private void copyFile(
            S3Bucket bucket, S3Address from, long size, ArtifactChoice choice, ArtifactSink sink, String name)
            throws BackendException {
        try (HttpStream content = bucket.open(from.key());
                ArtifactFile file = sink.open(name)) {
            long copied = content.copyTo(file.content(), size);
            if (copied == size) {
                file.keep();
                kept.add(name);
            } else {
                choice.failed(name, "changed while it was read: " + copied + " of " + size + " bytes came");
            }
        } catch (Unreadable e) {
            choice.failed(name, "came in part only: " + e.getMessage());
        } catch (IOException e) {
            throw ArtifactSink.notStored(name, e);
        }
    }
}
