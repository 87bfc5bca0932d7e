package io.jenkins.plugins.tao.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.status.LauncherLines.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LauncherLinesTest {
    @Test
    void theLastVerdictCounts() {
        LauncherLines said = after("Execution status: PASS", "2026-08-03 10:00:09 [INFO] root: Execution status: FAIL");

        assertThat(said.verdict()).contains(Verdict.FAIL);
    }

    @Test
    void anInterruptionIsKeptBesideThePassThatFollowsIt() {
        LauncherLines said = after("Command was interrupted", "Execution status: PASS", "bye");

        assertThat(said).isEqualTo(new LauncherLines(Optional.of(Verdict.PASS), true, false));
    }

    @Test
    void settingsThatCouldNotBeAppliedAreRemembered() {
        assertThat(after("[Multinode] Error overriding configs: 'train'", "Epoch 1")
                        .overrideFailed())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Epoch 3: 12%", "echo 'Execution status: PASS' >> log", "Execution status: PASSED"})
    void otherLinesSayNothing(String line) {
        assertThat(after(line)).isEqualTo(LauncherLines.NONE);
    }

    private static LauncherLines after(String... lines) {
        LauncherLines said = LauncherLines.NONE;
        for (String line : List.of(lines)) {
            said = said.after(line);
        }
        return said;
    }
}
