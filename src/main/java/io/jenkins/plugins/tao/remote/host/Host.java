package io.jenkins.plugins.tao.remote.host;

import io.jenkins.plugins.tao.backend.BackendException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/**
 * A machine that runs shell text: over SSH, or this one. The text reaches {@code /bin/sh} on its standard input, so
 * that a login shell such as csh never reads our quoting and no process list shows it. Safe for several threads.
 */
public interface Host extends AutoCloseable {
    /**
     * Runs {@code script} and waits for its end.
     *
     * @param script POSIX shell text, secrets allowed: it is never written anywhere
     * @param limit how long it may take, connecting included
     * @return both outputs and the exit code, whatever that is
     * @throws BackendException.Unreachable if no complete answer came in time: nothing is known of the script's fate
     * @throws BackendException.Denied if the host or its key refuses us
     */
    Reply run(String script, Duration limit) throws BackendException;

    /**
     * Like {@link #run} for outputs of any size: standard output goes to {@code sink} as it comes, in bounded memory,
     * and {@link Reply#out} is empty.
     */
    Reply stream(String script, OutputStream sink, Duration limit) throws BackendException;

    /**
     * Like {@link #run} for a script that reads a stream of any size from its standard input: what {@code feed} writes, in bounded
     * memory. The script prints little before it has read to the end, and may end before it has.
     */
    default Reply send(String script, Feed feed, Duration limit) throws BackendException {
        throw new UnsupportedOperationException(name() + " takes no stream");
    }

    /** What is written to the standard input of a script. */
    @FunctionalInterface
    interface Feed {
        /**
         * Writes all of it; called once.
         *
         * @throws BackendException if it cannot be made: then the script gets no more
         */
        void writeTo(OutputStream out) throws IOException, BackendException;
    }

    /** What to call it in messages: {@code tao@login1:22}. */
    String name();

    /** What a person should know of how it is reached now, such as which login host stands in for another. */
    default Optional<String> standIn() {
        return Optional.empty();
    }

    @Override
    void close();
}
