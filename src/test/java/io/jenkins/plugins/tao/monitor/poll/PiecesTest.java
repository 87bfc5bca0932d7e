package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Tail;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PiecesTest {
    @Test
    void aShortPieceIsPassedOnAsItIs() {
        Tail tail = new Tail(new byte[100], new Position("log", 100), true, false);

        assertThat(Pieces.of(tail)).containsExactly(tail);
    }

    @Test
    void aLongOneIsCutIntoTheSameBytesAtTheSamePlaces() {
        byte[] bytes = new byte[600_000];
        new Random(1).nextBytes(bytes);

        List<Tail> pieces = Pieces.of(new Tail(bytes, new Position("log", 1_600_000), true, false))
                .toList();

        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        pieces.forEach(piece -> joined.writeBytes(piece.bytes()));
        assertThat(joined.toByteArray()).isEqualTo(bytes);
        assertThat(pieces.stream().map(Tail::next))
                .containsExactly(
                        new Position("log", 1_262_144), new Position("log", 1_524_288), new Position("log", 1_600_000));
        assertThat(pieces.stream().map(Tail::restarted)).containsExactly(true, false, false);
        assertThat(pieces.stream().map(Tail::more)).containsExactly(true, true, false);
    }
}
