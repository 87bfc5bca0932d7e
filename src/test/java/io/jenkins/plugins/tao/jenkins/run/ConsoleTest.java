package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleTest {
    @Test
    @Promise("JK-20")
    void aLineThatSeveralRanksWriteIsShownForTheFirst() {
        Console console = new Console(Long.MAX_VALUE, true);

        List<String> shown = console.shown(List.of(
                "[rank0]: loss 0.5",
                "[rank1]: loss 0.5",
                "[rank2]: loss 0.5",
                "[rank1]: CUDA error",
                "a line of its own"));

        assertThat(shown).containsExactly("[rank0]: loss 0.5", "[rank1]: CUDA error", "a line of its own");
    }

    @Test
    @Promise("JK-20")
    void ranksAreToldByWhatTorchrunAndSrunPutBeforeALine() {
        assertThat(new Console(Long.MAX_VALUE, true).shown(List.of("[default0]:x", "[default1]:x")))
                .containsExactly("[default0]:x");
        assertThat(new Console(Long.MAX_VALUE, true).shown(List.of("0: x", "1: x")))
                .containsExactly("0: x");
        assertThat(new Console(Long.MAX_VALUE, true).shown(List.of("[0] x", "[1] x", "[1]x", "[2]x")))
                .containsExactly("[0] x", "[1]x", "[2]x");
    }

    @Test
    @Promise("JK-20")
    void aRankThatRepeatsItselfIsShownEachTime() {
        List<String> lines = List.of("[rank0]: same", "[rank0]: same", "12:30 is no rank", "12:30 is no rank");

        assertThat(new Console(Long.MAX_VALUE, true).shown(lines)).isEqualTo(lines);
    }

    @Test
    void withoutFoldingEachLineIsShown() {
        List<String> lines = List.of("[rank0]: x", "[rank1]: x");

        assertThat(new Console(Long.MAX_VALUE, false).shown(lines)).isEqualTo(lines);
    }

    @Test
    @Promise("JK-20")
    void beyondTheLimitOneLineSaysWhereTheRestIs() {
        Console console = new Console(12, false);

        assertThat(console.shown(List.of("12345", "12345"))).containsExactly("12345", "12345");
        assertThat(console.isFull()).isFalse();
        assertThat(console.shown(List.of("6", "7"))).singleElement().asString().contains("the rest is in the archive");
        assertThat(console.shown(List.of("8"))).isEmpty();
        assertThat(console.isFull()).isTrue();
    }
}
