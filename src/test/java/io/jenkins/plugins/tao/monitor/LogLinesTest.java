package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class LogLinesTest {
    private final LogLines lines = new LogLines();

    private List<String> feed(String text) {
        return lines.feed(text.getBytes(StandardCharsets.UTF_8)).lines().toList();
    }

    @Test
    void aLineWithoutItsEndIsHeldBack() {
        assertThat(feed("one\ntw")).containsExactly("one");
        assertThat(lines.heldBytes()).isEqualTo(2);
        assertThat(feed("o\n")).containsExactly("two");
        assertThat(lines.heldBytes()).isZero();
    }

    @Test
    void aLineThatEndsWithSeveralCarriageReturnsIsNotLost() {
        assertThat(feed("epoch 1\r\r\nepoch 2\r\n")).containsExactly("epoch 1", "epoch 2");
    }

    @Test
    void aProgressBarIsFoldedIntoItsLastState() {
        assertThat(feed("Epoch 1:  10%\rEpoch 1:  90%\rEpoch 1: 100%\r\nnext\r\n"))
                .containsExactly("Epoch 1: 100%", "next");
    }

    @Test
    void theRestIsGivenOutAtTheEndOnce() {
        feed("no end");

        assertThat(lines.flush()).isEqualTo("no end\n");
        assertThat(lines.flush()).isEmpty();
    }

    @Test
    void aLineWithoutAnyEndIsCutAndHeldMemoryStaysBounded() {
        List<String> cut = feed("x".repeat(100_000));

        assertThat(cut).hasSize(6).allMatch(piece -> piece.length() == 16 * 1024);
        assertThat(lines.heldBytes()).isLessThan(16 * 1024);
    }

    @Test
    void aLongLineThatCameWholeIsCutAtTheSameLength() {
        List<String> cut = feed("é".repeat(20_000) + "\nshort\n");

        assertThat(cut).hasSize(3).last().isEqualTo("short");
        assertThat(String.join("", cut.subList(0, 2))).isEqualTo("é".repeat(20_000));
    }

    @Test
    void bytesThatAreNoTextAreReplacedNotLost() {
        byte[] damaged = {'a', (byte) 0xff, 'b', '\n'};

        assertThat(lines.feed(damaged)).isEqualTo("a\ufffdb\n");
    }

    @RepeatedTest(50)
    void piecesGiveTheSameLinesAsTheWhole(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        byte[] text = "Zug\nübergröße 7 €\n\nlast line 🚂\n".repeat(5).getBytes(StandardCharsets.UTF_8);

        List<String> got = new ArrayList<>();
        for (int from = 0; from < text.length; ) {
            int to = Math.min(text.length, from + 1 + random.nextInt(9));
            got.addAll(lines.feed(Arrays.copyOfRange(text, from, to)).lines().toList());
            from = to;
        }

        assertThat(got)
                .isEqualTo(new String(text, StandardCharsets.UTF_8).lines().toList());
    }

    @Test
    void aTextWithOneLongLineKeepsTheOthersAsTheyAre() {
        String text = "short\n\n" + "x".repeat(16 * 1024) + "\n" + "y".repeat(16 * 1024 + 1) + "\nlast\n";

        assertThat(feed(text)).containsExactly("short", "", "x".repeat(16 * 1024), "y".repeat(16 * 1024), "y", "last");
    }

    @Test
    void aLineThatIsHeldMakesOneWithTheNextPiece() {
        feed("x".repeat(16 * 1024 - 1));

        assertThat(feed("x\nnext\n")).containsExactly("x".repeat(16 * 1024), "next");
    }
}
