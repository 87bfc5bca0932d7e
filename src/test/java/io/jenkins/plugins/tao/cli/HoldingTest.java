package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as one controller among others. */
final class HoldingTest {
    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void bench() {
        bench = new Bench(directory);
    }

    @Test
    void aJobThatAnotherControllerHoldsIsCancelledOnlyOnceTakenOver() {
        bench.write("long.yaml", "target: fake\ncommand: stay\n");
        bench.tao("submit", "long.yaml", "--id", "held");
        bench.backend().willBeHeldBy("Jenkins https://ci.example/");

        assertThat(bench.tao("cancel", "held")).isEqualTo(2);
        assertThat(bench.err()).contains("held by Jenkins https://ci.example/", "Take it over.");
        assertThat(bench.tao("cancel", "held", "--no-wait")).isEqualTo(2);
        assertThat(bench.backend().cancelled()).isEmpty();

        assertThat(bench.tao("cancel", "held", "--take-over")).isEqualTo(0);
        assertThat(bench.backend().cancelled()).hasSize(1);
    }

    @Test
    void waitTakesOverWhenAsked() {
        bench.write("done.yaml", "target: fake\ncommand: exit 0\n");
        bench.tao("submit", "done.yaml", "--id", "mine");
        bench.backend().willBeHeldBy("another");

        assertThat(bench.tao("wait", "mine", "--take-over")).isEqualTo(0);

        assertThat(bench.tao("cancel", "mine", "--no-wait")).isEqualTo(0);
    }

    @Test
    void aCommandLineIsTheSameControllerEachTime() {
        bench.write("done.yaml", "target: fake\ncommand: exit 0\n");
        bench.tao("submit", "done.yaml", "--id", "one");
        String first = bench.backend().controller().id();
        bench.tao("submit", "done.yaml", "--id", "two");

        assertThat(bench.backend().controller().id()).isEqualTo(first).startsWith("tao-");
        assertThat(bench.backend().controller().words()).startsWith("tao of " + System.getProperty("user.name") + "@");
    }

    @Test
    void cleanGoesOnUntilNothingIsLeftAndADryRunOnlyTells() {
        assertThat(bench.tao("clean", "fake", "--dry-run")).isEqualTo(0);
        assertThat(bench.out()).contains("old-0\n", "and more\n", "Would remove what was staged for 1 job: 2 MiB");

        assertThat(bench.tao("clean", "fake")).isEqualTo(0);
        assertThat(bench.out()).contains("old-1\nold-2\n", "Removed what was staged for 2 jobs: 4 MiB");
    }
}
