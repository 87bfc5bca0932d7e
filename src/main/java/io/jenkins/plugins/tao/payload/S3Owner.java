package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.http.HttpStream;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Whose results lie at an address that several jobs may have used. The uploader in the container ({@code results.py}) notes
 * its job in {@code .tao/owner} before it stores anything, so that the storage's own clock tells what is older.
 *
 * @param job the id of the job that was there last
 * @param since when it began to store, as {@link S3Listing.Entry#written}; empty where that is not known
 */
record S3Owner(String job, String since) {
    private static final String OURS = ".tao/";
    private static final String NOTE = OURS + "owner";
    private static final int LONGEST = 1024;

    /** No job: an address that is called after the job needs no note. */
    private static final S3Owner NONE = new S3Owner("", "");

    static S3Owner of(S3Bucket bucket, S3Address results, List<S3Listing.Entry> entries) throws BackendException {
        for (S3Listing.Entry entry : entries) {
            if (entry.path().equals(NOTE)) {
                return new S3Owner(read(bucket, results.resolve(NOTE)), entry.written());
            }
        }
        return NONE;
    }

    private static String read(S3Bucket bucket, S3Address note) throws BackendException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (HttpStream content = bucket.open(note.key())) {
            content.copyTo(text, LONGEST);
        } catch (IOException e) {
            throw new IllegalStateException("a buffer in memory takes what is read", e);
        }
        return text.toString(StandardCharsets.UTF_8).strip();
    }

    /** Whether it is a note of ours and no result. */
    static boolean isNote(S3Listing.Entry entry) {
        return entry.path().startsWith(OURS);
    }

    /** Why a file is none of {@code key}'s results; empty when it may be one. */
    Optional<String> whyNot(JobKey key, S3Listing.Entry entry) {
        if (job.isEmpty()) {
            return Optional.empty();
        }
        if (!job.equals(key.value())) {
            return Optional.of("lies where job '" + job + "' has stored its results since");
        }
        return entry.written().compareTo(since) < 0
                ? Optional.of("is older than this job: another one left it there")
                : Optional.empty();
    }
}
