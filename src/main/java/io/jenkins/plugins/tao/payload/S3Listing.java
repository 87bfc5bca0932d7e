package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.http.HttpSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What lies in an S3 storage, asked from here and not from the machines. For one thread at a time. */
public record S3Listing(S3Settings settings, HttpSettings http) {
    /**
     * An object below an address.
     *
     * @param path from that address on; empty for the object that the address itself names
     * @param size in bytes
     * @param written when it was stored, to the second, as in {@code 2026-11-22T18:00:00}; empty where that is not known
     */
    public record Entry(String path, long size, String written) {
        private static final int SECONDS = 19;

        static Entry of(S3Object object, int from) {
            String written = Optional.ofNullable(object.lastModified())
                    .map(time -> time.toString().substring(0, SECONDS))
                    .orElse("");
            return new Entry(
                    object.key().substring(from),
                    Optional.ofNullable(object.size()).orElse(0L),
                    written);
        }
    }

    /** Whether there is an object of this name, or any below it; one or two small questions. */
    public boolean exists(S3Address address) throws BackendException {
        String key = address.key();
        try (S3Bucket bucket = new S3Bucket(settings, address.bucket(), http)) {
            Optional<S3Object> first = bucket.first(key);
            return first.isPresent()
                    && (key.isEmpty()
                            || first.get().key().equals(key)
                            || bucket.first(key + "/").isPresent());
        }
    }

    /** Whether the bucket is there and may be listed, empty or not. */
    void checkBucket(String name) throws BackendException {
        try (S3Bucket bucket = new S3Bucket(settings, name, http)) {
            bucket.first("");
        }
    }

    /**
     * The object of this name and all below it.
     *
     * @param most no more than this many
     */
    public List<Entry> list(S3Address address, int most) throws BackendException {
        try (S3Bucket bucket = new S3Bucket(settings, address.bucket(), http)) {
            return list(bucket, address, most);
        }
    }

    static List<Entry> list(S3Bucket bucket, S3Address address, int most) throws BackendException {
        String key = address.key();
        List<Entry> entries = new ArrayList<>();
        if (!key.isEmpty()) {
            bucket.first(key)
                    .filter(object -> object.key().equals(key))
                    .ifPresent(object -> entries.add(Entry.of(object, key.length())));
        }
        String prefix = key.isEmpty() ? "" : key + "/";
        bucket.list(prefix, most - entries.size(), name -> !name.endsWith("/"))
                .forEach(object -> entries.add(Entry.of(object, prefix.length())));
        return entries;
    }
}
