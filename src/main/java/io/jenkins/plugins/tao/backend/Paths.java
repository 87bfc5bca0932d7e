package io.jenkins.plugins.tao.backend;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What a backend may offer besides: telling whether a path is there for its jobs, and what lies in it. */
public interface Paths {
    /** No answer holds more entries than this. */
    int MOST = 1000;

    /**
     * Looks, without writing anything, at what {@code path} stands for as an input of a job.
     *
     * @return what is there; empty when nothing is
     * @throws BackendException.Rejected if it is no address that this target can look at
     */
    Optional<Listing> list(String path) throws BackendException;

    /** What an entry is; a link is what it leads to. */
    enum Kind {
        FILE,
        DIRECTORY,
        /** A device, a pipe, a socket, or a link that leads nowhere. */
        OTHER
    }

    /**
     * One thing that lies somewhere.
     *
     * @param name without the path before it
     * @param size in bytes, of a file that may be read
     */
    record Entry(String name, Kind kind, OptionalLong size) {}

    /**
     * What a path stands for.
     *
     * @param itself the last part of the path, and what it is
     * @param entries what lies in a directory, by name; empty for anything else
     * @param more whether there is more than {@link #MOST} entries tell
     */
    record Listing(Entry itself, List<Entry> entries, boolean more) {
        public Listing {
            entries = List.copyOf(entries);
        }
    }
}
