package io.jenkins.plugins.tao.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TailTest {
    @Test
    void aShortPieceIsPassedOnAsItIs() {
        Tail tail = new Tail(new byte[100], new Position("log", 100), true, false);

        assertThat(tail.pieces()).containsExactly(tail);
    }

    @Test
    void aLongOneIsCutIntoTheSameBytesAtTheSamePlaces() {
        byte[] bytes = new byte[150_000];
        new Random(1).nextBytes(bytes);

        List<Tail> pieces = new Tail(bytes, new Position("log", 1_150_000), true, false)
                .pieces()
                .toList();

        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        pieces.forEach(piece -> joined.writeBytes(piece.bytes()));
        assertThat(joined.toByteArray()).isEqualTo(bytes);
        assertThat(pieces.stream().map(Tail::next))
                .containsExactly(
                        new Position("log", 1_065_536), new Position("log", 1_131_072), new Position("log", 1_150_000));
        assertThat(pieces.stream().map(Tail::restarted)).containsExactly(true, false, false);
        assertThat(pieces.stream().map(Tail::more)).containsExactly(true, true, false);
    }
}
