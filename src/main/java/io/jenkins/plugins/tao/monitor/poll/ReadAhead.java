package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BiConsumer;

/**
 * Reads on in many streams until they have no more, a bounded number of times. While a large piece is looked at, the next
 * one is on its way: else a long log would wait for the network half of the time and for us the other half.
 *
 * @param io takes the reads that are made ahead
 */
record ReadAhead(Reader reader, Executor io) {
    private static final int READS = 8;
    private static final long LARGE = 1 << 20;

    /** One read of a backend. */
    @FunctionalInterface
    interface Reader {
        Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException;
    }

    /** A read that is under way, or is made when asked for. */
    @FunctionalInterface
    private interface Piece {
        Map<StreamRef, Tail> get() throws BackendException;
    }

    /**
     * Hands all that is read to {@code taker}, in this thread.
     *
     * @return where to read on in the streams that have more still
     */
    Map<StreamRef, Position> readAll(Map<StreamRef, Position> wanted, BiConsumer<StreamRef, Tail> taker)
            throws BackendException {
        Map<StreamRef, Position> from = wanted;
        Piece next = now(from);
        for (int reads = 1; reads <= READS && !from.isEmpty(); reads++) {
            Set<StreamRef> asked = from.keySet();
            Map<StreamRef, Tail> tails = next.get();
            from = rest(from, tails);
            next = reads < READS && !from.isEmpty() && isLarge(tails) ? ahead(from) : now(from);
            inOrder(asked, tails, taker);
        }
        return from;
    }

    /** A stream that says it has more and stays where it is has no more: to ask again would never end. */
    private static Map<StreamRef, Position> rest(Map<StreamRef, Position> asked, Map<StreamRef, Tail> tails) {
        Map<StreamRef, Position> rest = new LinkedHashMap<>();
        inOrder(asked.keySet(), tails, (ref, tail) -> {
            if (tail.more() && !tail.next().equals(asked.get(ref))) {
                rest.put(ref, tail.next());
            }
        });
        return rest;
    }

    /** In the order they were asked for, whatever map a backend answers with: a build log reads the same each time. */
    private static void inOrder(Set<StreamRef> asked, Map<StreamRef, Tail> tails, BiConsumer<StreamRef, Tail> taker) {
        for (StreamRef ref : asked) {
            Tail tail = tails.get(ref);
            if (tail != null) {
                taker.accept(ref, tail);
            }
        }
    }

    private static boolean isLarge(Map<StreamRef, Tail> tails) {
        return tails.values().stream().mapToLong(tail -> tail.bytes().length).sum() >= LARGE;
    }

    private Piece now(Map<StreamRef, Position> from) {
        return () -> reader.read(from);
    }

    private Piece ahead(Map<StreamRef, Position> from) {
        FutureTask<Map<StreamRef, Tail>> read = new FutureTask<>(() -> reader.read(from));
        io.execute(read);
        return () -> await(read);
    }

    private static Map<StreamRef, Tail> await(Future<Map<StreamRef, Tail>> read) throws BackendException {
        try {
            return read.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BackendException told) {
                throw told;
            }
            throw new IllegalStateException("a read that was made ahead failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendException.Unreachable("Reading on was interrupted.", "It is read on later.", e);
        }
    }
}
