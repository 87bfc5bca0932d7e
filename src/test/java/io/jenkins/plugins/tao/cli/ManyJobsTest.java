package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verbs about several jobs, and what the command line replaces in a job file. */
class ManyJobsTest {
    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void setUp() {
        bench = new Bench(directory);
        bench.write("good.yaml", "target: fake\nname: good\ncommand: exit 0\nspec: {train: {num_epochs: 5}}\n");
        bench.write("bad.yaml", "target: fake\ncommand: exit 7\n");
        bench.write("long.yaml", "target: fake\ncommand: stay\n");
        bench.write("wrong.yaml", "target: fake\ncommnd: stay\n");
    }

    @Test
    @Promise("TR-62")
    void manyJobFilesAreSubmittedByOneCommandAndTheirTokensStandInOrder() {
        assertThat(bench.tao("submit", "good.yaml", "bad.yaml", "long.yaml")).isEqualTo(0);

        assertThat(bench.out().lines())
                .hasSize(3)
                .satisfiesExactly(
                        first -> assertThat(first).contains("key=good-"),
                        second -> assertThat(second).contains("key=bad-"),
                        third -> assertThat(third).contains("key=long-"));
    }

    @Test
    @Promise("TR-62")
    void oneWrongFileOfManyIsRefusedBeforeTheFirstJobIsSent() {
        assertThat(bench.tao("submit", "good.yaml", "wrong.yaml")).isEqualTo(2);

        assertThat(bench.err()).contains("wrong.yaml:2:1: unknown key 'commnd'");
        assertThat(bench.backend().submitted()).isEmpty();
    }

    @Test
    void anIdNamesOneJobAlone() {
        assertThat(bench.tao("submit", "good.yaml", "bad.yaml", "--id", "one")).isEqualTo(2);

        assertThat(bench.err()).contains("--id names one job, and 2 files are given");
    }

    @Test
    @Promise("TR-70")
    void statusLogsAndCancelTakeSeveralJobs() {
        bench.tao("submit", "good.yaml", "--id", "a");
        bench.tao("submit", "long.yaml", "--id", "b");

        assertThat(bench.tao("status", "a", "b")).isEqualTo(0);
        assertThat(bench.out()).contains("(a) COMPLETED", "(b) RUNNING");
        assertThat(bench.tao("logs", "a", "b")).isEqualTo(0);
        assertThat(bench.out()).contains("==> a <==\nhello from exit 0", "==> b <==\nhello from stay");
        bench.tao("submit", "long.yaml", "--id", "c");
        assertThat(bench.tao("cancel", "--all")).isEqualTo(0);
        assertThat(bench.backend().cancelled())
                .extracting(job -> job.key().value())
                .contains("b", "c");
        assertThat(bench.tao("status", "--all")).isEqualTo(0);
        assertThat(bench.out()).isEmpty();
    }

    @Test
    @Promise("TR-70")
    void listShowsWhatStatusHeard() {
        bench.tao("submit", "long.yaml", "--id", "b");
        assertThat(bench.tao("list")).isEqualTo(0);
        assertThat(bench.out()).containsPattern("b +fake/1 +submitted");

        bench.tao("status", "b");

        assertThat(bench.tao("list")).isEqualTo(0);
        assertThat(bench.out()).containsPattern("b +fake/1 +RUNNING");
    }

    @Test
    @Promise("TR-70")
    void listFiltersByTargetStateAndWhetherAJobLives() {
        bench.tao("run", "good.yaml", "--id", "done");
        bench.tao("submit", "long.yaml", "--id", "going");
        bench.tao("status", "going");

        bench.tao("list", "--live");
        assertThat(bench.out()).contains("going").doesNotContain("done");
        bench.tao("list", "--state", "succeeded");
        assertThat(bench.out()).contains("done").doesNotContain("going");
        bench.tao("list", "--state", "running");
        assertThat(bench.out()).contains("going").doesNotContain("done");
        bench.tao("list", "--target", "other");
        assertThat(bench.out()).isEmpty();
        bench.tao("list", "--state", "runing");
        assertThat(bench.err()).contains("no job matches. Known are RUNNING, succeeded on fake.");
    }

    @Test
    @Promise("TR-70")
    void aMemberOfAJobThatIsNoArrayIsRefused() {
        bench.tao("submit", "long.yaml", "--id", "b");

        assertThat(bench.tao("status", "b[3]")).isEqualTo(2);

        assertThat(bench.err()).contains("Jobs of the target 'fake' have no members.", "Leave out [3].");
    }

    @Test
    @Promise("TR-71")
    void whatTheJobFileSaysCanBeReplaced() {
        int code = bench.tao(
                "submit",
                "good.yaml",
                "--env",
                "NCCL_DEBUG=INFO",
                "--env",
                "X=a=b",
                "--time",
                "90m",
                "--nodes",
                "2",
                "--gpus",
                "4",
                "--set",
                "train.num_epochs=7",
                "--set",
                "train.optim.lr=1e-4",
                "--set",
                "gpu_ids=[0, 1]");

        assertThat(code).as(bench::err).isEqualTo(0);
        assertThat(bench.backend().submitted()).singleElement().satisfies(spec -> {
            assertThat(spec.env()).containsEntry("NCCL_DEBUG", "INFO").containsEntry("X", "a=b");
            assertThat(spec.resources().nodes()).isEqualTo(2);
            assertThat(spec.resources().gpusPerNode()).hasValue(4);
            assertThat(spec.resources().wallTime()).hasValue(java.time.Duration.ofMinutes(90));
            assertThat(spec.spec().toString()).isEqualTo("{train={num_epochs=7, optim={lr=1.0E-4}}, gpu_ids=[0, 1]}");
        });
    }

    @Test
    @Promise("TR-71")
    void aWrongReplacementIsNamedAsItWasWritten() {
        assertThat(bench.tao("submit", "good.yaml", "--time", "soon")).isEqualTo(2);
        assertThat(bench.err()).contains("--time");
        assertThat(bench.tao("submit", "good.yaml", "--env", "NOVALUE")).isEqualTo(2);
        assertThat(bench.err()).contains("--env takes a name and a value, as in --env NCCL_DEBUG=INFO");
        assertThat(bench.tao("submit", "good.yaml", "--set", "train..lr=1")).isEqualTo(2);
        assertThat(bench.err()).contains("'train..lr' is no path of a spec");
        assertThat(bench.tao("submit", "good.yaml", "--set", "train.num_epochs.x=1"))
                .isEqualTo(2);
        assertThat(bench.err()).contains("--set train.num_epochs.x: 'num_epochs' holds a single value at ");
        assertThat(bench.backend().submitted()).isEmpty();
    }
}
