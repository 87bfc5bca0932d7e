package io.jenkins.plugins.tao.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.cli.Bench;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CancelVerbTest {
    private Bench bench;

    @BeforeEach
    void start(@TempDir Path directory) {
        bench = new Bench(directory);
    }

    @Test
    void aJobIsCancelledWithoutReadingItsLog() {
        bench.write("chatty.yaml", "target: fake\ncommand: sleep\nenv: {CHATTER: '10000'}\n");
        assertThat(bench.tao("submit", "chatty.yaml", "--id", "chatty")).isEqualTo(0);

        assertThat(bench.tao("cancel", "chatty")).isEqualTo(0);

        assertThat(bench.out()).contains("chatty cancelled: by tao cancel of user " + System.getProperty("user.name"));
        assertThat(bench.backend().cancelled()).hasSize(1);
        assertThat(bench.backend().bytesRead()).isZero();
    }

    @Test
    void aJobThatHadEndedByItselfIsToldAsItsFilesTell() {
        bench.write("ended.yaml", "target: fake\ncommand: exit 0\n");
        assertThat(bench.tao("submit", "ended.yaml", "--id", "ended")).isEqualTo(0);

        assertThat(bench.tao("cancel", "ended")).isEqualTo(0);

        assertThat(bench.out()).contains("ended succeeded");
        assertThat(bench.backend().bytesRead()).isPositive();
    }
}
