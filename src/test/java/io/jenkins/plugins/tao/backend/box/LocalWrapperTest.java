package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The wrapper of a job alone, under each shell that may be a machine's {@code sh}. */
class LocalWrapperTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private StagedJobs jobs() {
        return new StagedJobs(temporary, new LocalTarget("here", temporary + "/tao", BoxUsual.SETTINGS));
    }

    private static JobSpec job(String command) {
        return JobSpec.of(command).build();
    }

    @Test
    void aJobOverItsWallTimeIsEndedInWhateverShellTheWrapperRuns() throws Exception {
        for (String shell : List.of("dash", "bash", "busybox sh")) {
            Path job = jobs().staged("wall-" + shell.replace(' ', '-'), job("sleep 600"));
            Files.writeString(job.resolve("settings"), Files.readString(job.resolve("settings")) + "tao_wall=1\n");

            jobs().run(shell, job, "# complete");

            assertThat(Files.readString(job.resolve("attempt-1/exit"))).startsWith("143 ");
            assertThat(job.resolve("attempt-1/time-limit")).exists();
        }
    }

    @Test
    void theQueueForGpusWorksInWhateverShellTheWrapperRuns() throws Exception {
        Path machine = Files.createDirectories(temporary.resolve("machine"));
        Files.writeString(
                machine.resolve("gpus"),
                "0, U0, G, 1, 0, 80, 0, 1, 1, 1, 1, 1\n1, U1, G, 1, 0, 80, 0, 1, 1, 1, 1, 1\n");
        Files.writeString(machine.resolve("apps"), "U0, 77, 4000, python\n");
        String path = "export PATH=" + Path.of("src/test/rigs/box/bin").toAbsolutePath() + ":$PATH TAO_RIG_MACHINE="
                + machine + "; ";
        for (String shell : List.of("dash", "bash", "busybox sh")) {
            Path job = jobs().staged(
                            "gpus-" + shell.replace(' ', '-'),
                            job("echo \"on $CUDA_VISIBLE_DEVICES\" >{results_dir}/on"));
            Files.writeString(
                    job.resolve("settings"),
                    Files.readString(job.resolve("settings")) + "tao_wanted=1\ntao_most=1\ntao_verify=\n");

            new LocalHost()
                    .run(
                            path + "printf '# complete' | setsid -w " + shell + " " + job + "/wrapper.sh " + job
                                    + "/attempt-1",
                            Duration.ofMinutes(5));

            assertThat(Files.readString(job.resolve("attempt-1/exit"))).startsWith("0 ");
            assertThat(temporary.resolve("tao/results/" + job.getFileName() + "/on"))
                    .content()
                    .isEqualTo("on 1\n");
            assertThat(temporary.resolve("tao/gpus/held")).isEmptyDirectory();
        }
    }

    private Path inOtherBase(String name, Path results, String command) throws Exception {
        return new StagedJobs(temporary, new LocalTarget("there", temporary + "/other", BoxUsual.SETTINGS))
                .staged(
                        name,
                        JobSpec.of(command).resultsDirectory(results.toString()).build());
    }

    @Test
    @Promise("TR-29")
    void aResultsDirectoryOfALivingJobOfAnotherBaseIsRefused() throws Exception {
        Path results = temporary.resolve("shared");
        for (String shell : List.of("dash", "bash", "busybox sh")) {
            String name = shell.replace(' ', '-');
            Path second = inOtherBase("b-" + name, results, "touch '" + results + "/second'");
            Path first = jobs().staged(
                            "a-" + name,
                            JobSpec.of("sh '" + temporary + "/run-second' && sleep 0.1")
                                    .resultsDirectory(results.toString())
                                    .build());
            Files.writeString(
                    temporary.resolve("run-second"),
                    "printf '# complete' | env -u TAO_RUN TAO_RUN=" + second + "/attempt-1/ setsid -w " + shell + " "
                            + second + "/wrapper.sh " + second + "/attempt-1\n");

            jobs().run(shell, first, "# complete");

            assertThat(Files.readString(second.resolve("attempt-1/exit"))).startsWith("79 ");
            assertThat(Files.readString(second.resolve("attempt-1/launch")))
                    .contains("is in use by job a-" + name, "remove " + results + "/.tao-run-owner");
            assertThat(results.resolve("second")).doesNotExist();
            assertThat(Files.readString(first.resolve("attempt-1/exit"))).startsWith("0 ");
            assertThat(results).isEmptyDirectory();
        }
    }

    @Test
    @Promise("TR-29")
    void whatADeadJobLeftKeepsNobodyOutAndWhatAnotherMachineHasDoes() throws Exception {
        Path results = Files.createDirectories(temporary.resolve("shared"));
        Path marker = results.resolve(".tao-run-owner");
        String host =
                new LocalHost().run("uname -n", Duration.ofMinutes(5)).text().strip();
        Files.writeString(marker, host + " " + temporary + "/gone/jobs/old/attempt-1\n");
        Path after = inOtherBase("after", results, "true");
        jobs().run("dash", after, "# complete");
        assertThat(Files.readString(after.resolve("attempt-1/exit"))).startsWith("0 ");
        assertThat(marker).doesNotExist();

        Files.writeString(marker, "elsewhere /tao/jobs/far/attempt-1\n");
        Path beside = inOtherBase("beside", results, "true");
        jobs().run("dash", beside, "# complete");
        assertThat(Files.readString(beside.resolve("attempt-1/launch"))).contains("job far on elsewhere");
        assertThat(marker).exists();
    }

    @Test
    void halfOfTheSecretsStartsNothing() throws Exception {
        Path job = jobs().staged("half", job("touch {results_dir}/ran"));

        jobs().run("sh", job, "export TOKEN=ab");

        assertThat(job.resolve("attempt-1/process")).doesNotExist();
    }
}
