package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.http.HttpSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What lies in an S3 storage, asked from here and not from the machines. For one thread at a time.
 *
 * @param roles what gives keys by role
 */
public record S3Listing(S3Settings settings, HttpSettings http, S3Roles roles) {
    private static final int PAGE = 1000;

    /** Connects to nothing yet. */
    public S3Listing(S3Settings settings, HttpSettings http) {
        this(settings, http, S3Roles.ofMachine(http));
    }

    /**
     * An object below an address.
     *
     * @param path from that address on; empty for the object that the address itself names
     * @param size in bytes
     * @param written when it was stored, to the second, as in {@code 2026-11-22T18:00:00}; empty where that is not known
     */
    public record Entry(String path, long size, String written) {
        private static final int SECONDS = 19;

        static Entry of(S3Reply.Stored object, int from) {
            String written = object.written();
            return new Entry(
                    object.key().substring(from),
                    object.size(),
                    written.substring(0, Math.min(SECONDS, written.length())));
        }
    }

    /** Whether there is an object of this name, or any below it; one or two small questions. */
    public boolean exists(S3Address address) throws BackendException {
        try (S3Client client = new S3Client(settings, address.bucket(), http, roles)) {
            List<S3Reply.Stored> first =
                    client.list(address.key(), 1, Optional.empty()).objects();
            if (first.isEmpty()) {
                return false;
            }
            String key = first.get(0).key();
            return address.key().isEmpty()
                    || key.equals(address.key())
                    || key.startsWith(address.key() + "/")
                    || !client.list(address.key() + "/", 1, Optional.empty())
                            .objects()
                            .isEmpty();
        }
    }

    /** Whether the bucket is there and may be listed, empty or not. */
    void checkBucket(String bucket) throws BackendException {
        try (S3Client client = new S3Client(settings, bucket, http, roles)) {
            client.list("", 1, Optional.empty());
        }
    }

    /**
     * The object of this name and all below it.
     *
     * @param most no more than this many
     */
    public List<Entry> list(S3Address address, int most) throws BackendException {
        try (S3Client client = new S3Client(settings, address.bucket(), http, roles)) {
            return list(client, address, most);
        }
    }

    static List<Entry> list(S3Client client, S3Address address, int most) throws BackendException {
        List<Entry> entries = new ArrayList<>();
        if (!address.key().isEmpty()) {
            for (S3Reply.Stored first :
                    client.list(address.key(), 1, Optional.empty()).objects()) {
                if (first.key().equals(address.key())) {
                    entries.add(Entry.of(first, first.key().length()));
                }
            }
        }
        String prefix = address.key().isEmpty() ? "" : address.key() + "/";
        Optional<String> from = Optional.empty();
        do {
            S3Reply page = client.list(prefix, PAGE, from);
            for (S3Reply.Stored object : page.objects()) {
                if (entries.size() < most && !object.key().endsWith("/")) {
                    entries.add(Entry.of(object, prefix.length()));
                }
            }
            from = page.next();
        } while (from.isPresent() && entries.size() < most);
        return entries;
    }
}
