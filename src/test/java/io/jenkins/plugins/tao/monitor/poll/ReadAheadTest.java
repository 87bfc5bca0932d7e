package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Long logs, read while what came before is told. */
final class ReadAheadTest {
    private static final StreamRef LOG =
            new StreamRef(SimulatedCluster.handle(1, Instant.parse("2026-11-21T00:00:00Z")), Stream.OUT);

    /** What happened, in its order. */
    private final List<String> order = new ArrayList<>();

    private int fileBytes;
    private int pieceBytes;

    private Map<StreamRef, Tail> read(Map<StreamRef, Position> from) {
        long at = from.getOrDefault(LOG, Position.START).byteOffset();
        order.add("read " + at);
        int count = (int) Math.min(pieceBytes, fileBytes - at);
        return Map.of(LOG, new Tail(new byte[count], new Position("log", at + count), false, at + count < fileBytes));
    }

    private Map<StreamRef, Position> readAll(ReadAhead.Reader reader, Executor io) throws BackendException {
        return new ReadAhead(reader, io)
                .readAll(
                        Map.of(LOG, Position.START),
                        (ref, tail) -> order.add("told " + tail.next().byteOffset()));
    }

    @Test
    void whileALargePieceIsToldTheNextOneIsOnItsWay() throws Exception {
        fileBytes = 5 << 20;
        pieceBytes = 2 << 20;

        Map<StreamRef, Position> rest = readAll(this::read, Runnable::run);

        assertThat(rest).isEmpty();
        assertThat(order)
                .containsExactly(
                        "read 0", "read 2097152", "told 2097152", "read 4194304", "told 4194304", "told 5242880");
    }

    @Test
    void theNextPieceIsReadInAnotherThreadWhileThisOneTells() throws Exception {
        fileBytes = 4 << 20;
        pieceBytes = 2 << 20;
        CompletableFuture<String> isBeingRead = new CompletableFuture<>();
        CompletableFuture<String> isTold = new CompletableFuture<>();
        Set<Thread> tellers = new HashSet<>();
        ExecutorService io = Executors.newSingleThreadExecutor();
        ReadAhead.Reader slow = from -> {
            if (from.getOrDefault(LOG, Position.START).byteOffset() > 0) {
                isBeingRead.complete("");
                isTold.orTimeout(5, TimeUnit.MINUTES).join();
            }
            return read(from);
        };

        new ReadAhead(slow, io).readAll(Map.of(LOG, Position.START), (ref, tail) -> {
            isBeingRead.orTimeout(5, TimeUnit.MINUTES).join();
            isTold.complete("");
            tellers.add(Thread.currentThread());
        });
        io.shutdown();

        assertThat(tellers).containsExactly(Thread.currentThread());
    }

    @Test
    void smallPiecesNeedNoSecondThread() throws Exception {
        fileBytes = 2500;
        pieceBytes = 1000;

        readAll(this::read, task -> order.add("another thread"));

        assertThat(order).containsExactly("read 0", "told 1000", "read 1000", "told 2000", "read 2000", "told 2500");
    }

    @Test
    void ofALogWithoutEndTheRestIsLeftForTheNextRound() throws Exception {
        fileBytes = Integer.MAX_VALUE;
        pieceBytes = 1 << 20;

        Map<StreamRef, Position> rest = readAll(this::read, Runnable::run);

        assertThat(rest).containsEntry(LOG, new Position("log", 8L << 20));
        assertThat(order.stream().filter(line -> line.startsWith("read"))).hasSize(8);
        assertThat(order.stream().filter(line -> line.startsWith("told"))).hasSize(8);
    }

    @Test
    void whatWasReadBeforeTheTargetFellSilentIsTold() {
        fileBytes = 4 << 20;
        pieceBytes = 2 << 20;

        assertThatThrownBy(() -> readAll(
                        from -> {
                            if (from.getOrDefault(LOG, Position.START).byteOffset() > 0) {
                                throw new Unreachable("The connection broke.", "Wait.");
                            }
                            return read(from);
                        },
                        Runnable::run))
                .isInstanceOf(Unreachable.class)
                .hasMessage("The connection broke.");

        assertThat(order).containsExactly("read 0", "told 2097152");
    }

    @Test
    void aStreamThatSaysMoreAndStaysWhereItIsIsNotAskedForEver() throws Exception {
        ReadAhead.Reader stuck = from -> {
            order.add("read");
            return Map.of(LOG, new Tail(new byte[0], from.getOrDefault(LOG, Position.START), false, true));
        };

        assertThat(readAll(stuck, Runnable::run)).isEmpty();
        assertThat(order).containsExactly("read", "told 0");
    }
}
