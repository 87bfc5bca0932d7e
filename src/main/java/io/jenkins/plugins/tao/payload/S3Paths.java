package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Paths.Entry;
import io.jenkins.plugins.tao.backend.Paths.Kind;
import io.jenkins.plugins.tao.backend.Paths.Listing;
import io.jenkins.plugins.tao.http.HttpSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** One look at an S3 address, as {@link Paths} has it: what lies below a slash is a directory. */
public final class S3Paths {
    /** Objects read at most: below a folder there may be millions. */
    private static final int READ = 10_000;

    private S3Paths() {}

    /**
     * Looks at {@code path} in the storage of a target.
     *
     * @return what is there; empty when nothing is
     */
    public static Optional<Listing> list(String target, Optional<S3Settings> storage, String path, HttpSettings http)
            throws BackendException {
        S3Address address = address(target, path);
        if (storage.isEmpty()) {
            throw new Rejected(
                    "The target '" + target + "' has no keys to look at " + address + ".",
                    "Please " + S3Settings.WANTED + ".");
        }
        return listing(address, new S3Listing(storage.get(), http).list(address, READ));
    }

    private static S3Address address(String target, String path) throws Rejected {
        if (!S3Address.isMeant(path)) {
            throw new Rejected(
                    "'" + path + "' cannot be looked at from here: what lies on the volumes of target '" + target
                            + "' is seen by its jobs alone.",
                    "Give an s3:// address, or run a job with the command: ls -l " + path);
        }
        try {
            return S3Address.parse(path);
        } catch (IllegalArgumentException e) {
            throw new Rejected(e.getMessage() + ".", "Correct the address.");
        }
    }

    private static Optional<Listing> listing(S3Address address, List<S3Listing.Entry> found) {
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Entry> entries = new TreeMap<>();
        for (S3Listing.Entry object : found) {
            int slash = object.path().indexOf('/');
            if (slash > 0) {
                String name = object.path().substring(0, slash);
                entries.putIfAbsent(name + "/", new Entry(name, Kind.DIRECTORY, OptionalLong.empty()));
            } else if (!object.path().isEmpty()) {
                entries.put(object.path(), new Entry(object.path(), Kind.FILE, OptionalLong.of(object.size())));
            }
        }
        boolean more = found.size() >= READ || entries.size() > Paths.MOST;
        return Optional.of(new Listing(
                itself(address, found.get(0), entries.isEmpty()),
                entries.values().stream().limit(Paths.MOST).toList(),
                more));
    }

    private static Entry itself(S3Address address, S3Listing.Entry first, boolean alone) {
        return alone
                ? new Entry(address.name(), Kind.FILE, OptionalLong.of(first.size()))
                : new Entry(address.name(), Kind.DIRECTORY, OptionalLong.empty());
    }
}
