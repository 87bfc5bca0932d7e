package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What runs before and after a command, as a value. */
class CommandHooksTest {
    @Test
    void blankOnesAreNoneAndLeaveTheCommandAsItIs() {
        Hooks blank = new Hooks(Optional.of("  "), Optional.of("\n"));

        assertThat(blank).isEqualTo(Hooks.NONE);
        assertThat(blank.around("dino train")).isEqualTo("dino train");
    }

    @Test
    void oneAloneStandsOnItsSideOfTheCommand() {
        assertThat(new Hooks(Optional.of("nvidia-smi"), Optional.empty()).around("dino train"))
                .containsSubsequence("nvidia-smi", "dino train")
                .doesNotContain("post");
        assertThat(new Hooks(Optional.empty(), Optional.of("du -sh .")).around("dino train"))
                .containsSubsequence("dino train", "du -sh .")
                .doesNotContain("pre command");
    }

    @Test
    void aTextThatNoShellTakesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Hooks(Optional.of("a\0"), Optional.empty()))
                .withMessageContaining("pre must not hold a NUL");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Hooks(Optional.empty(), Optional.of("a\0")))
                .withMessageContaining("post must not hold a NUL");
    }
}
