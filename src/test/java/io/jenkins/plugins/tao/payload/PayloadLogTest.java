package io.jenkins.plugins.tao.payload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.job.JobKey;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadLogTest {
    private static final JobKey KEY = new JobKey("dino-1");
    private static final String LOG = """
            one

            @tao[dino-1] status {"epoch":"é"}
            tw
            @tao[dino-1] status {}
            o é


            @tao[other] exit 3
            @tao[dino-1\s
            @

            @tao[dino-1] word from a newer frame
            end
            @tao[dino-1] exit 7
            """;
    private static final String OUTPUT = "one\ntwo é\n\n\n@tao[other] exit 3\n@tao[dino-1 \n@\nend";

    private final PayloadLog log = PayloadLog.ofBytes(KEY);

    @Test
    void outputStatusAndExitCodeComeApart() {
        PayloadLog.Piece piece = log.split(LOG.getBytes(UTF_8), true);

        assertThat(new String(piece.output(), UTF_8)).isEqualTo(OUTPUT);
        assertThat(new String(piece.status(), UTF_8)).isEqualTo("{\"epoch\":\"é\"}\n{}\n");
        assertThat(piece.exitCode()).hasValue(7);
        assertThat(piece.consumed()).isEqualTo(LOG.getBytes(UTF_8).length);
    }

    /** Whatever the size of the pieces, the same comes out; a line's end may be shown before it is known to be ours. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 16, 31, 64, 1000})
    void theSameComesOutHoweverItIsCut(int size) {
        byte[] bytes = LOG.getBytes(UTF_8);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream status = new ByteArrayOutputStream();
        OptionalInt exit = OptionalInt.empty();
        int from = 0;
        for (int until = size; from < bytes.length; until = Math.min(bytes.length, until + size)) {
            PayloadLog.Piece piece =
                    log.split(Arrays.copyOfRange(bytes, from, Math.min(until, bytes.length)), until >= bytes.length);
            output.writeBytes(piece.output());
            status.writeBytes(piece.status());
            exit = piece.exitCode().isPresent() ? piece.exitCode() : exit;
            from += piece.consumed();
        }

        assertThat(output.toString(UTF_8).replace("tw\no", "two").replace("end\n", "end"))
                .isEqualTo(OUTPUT);
        assertThat(status.toString(UTF_8)).isEqualTo("{\"epoch\":\"é\"}\n{}\n");
        assertThat(exit).hasValue(7);
    }

    @Test
    void aFinishedLineIsShownAtOnce() {
        PayloadLog.Piece piece = log.split("epoch 1\n".getBytes(UTF_8), false);

        assertThat(new String(piece.output(), UTF_8)).isEqualTo("epoch 1\n");
        assertThat(piece.consumed()).isEqualTo(8);
    }

    @Test
    void anUnfinishedMarkWaitsForItsRest() {
        PayloadLog.Piece piece = log.split("epoch\n\n@tao[dino-1] stat".getBytes(UTF_8), false);

        assertThat(new String(piece.output(), UTF_8)).isEqualTo("epoch\n");
        assertThat(piece.status()).isEmpty();
        assertThat(piece.consumed()).isEqualTo(6);
    }

    @Test
    void aMarkThatNeverEndsDoesNotStopTheReading() {
        byte[] bytes = ("\n@tao[dino-1] status " + "x".repeat(600_000)).getBytes(UTF_8);

        PayloadLog.Piece piece = log.split(bytes, false);

        assertThat(piece.consumed()).isEqualTo(bytes.length);
        assertThat(piece.output()).isEmpty();
    }

    @Test
    void aLogWithoutItsEmptyLinesKeepsTheLinesApart() {
        PayloadLog lines = PayloadLog.ofLines(KEY);
        byte[] bytes = "one\n@tao[dino-1] status {}\ntwo\n\n@tao[dino-1] exit 0\n".getBytes(UTF_8);

        PayloadLog.Piece piece = lines.split(bytes, true);

        assertThat(new String(piece.output(), UTF_8)).isEqualTo("one\ntwo\n");
        assertThat(piece.exitCode()).hasValue(0);
    }

    @Test
    void nothingGivesNothing() {
        assertThat(log.split(new byte[0], false).consumed()).isZero();
        assertThat(log.split(new byte[0], true).output()).isEmpty();
    }
}
