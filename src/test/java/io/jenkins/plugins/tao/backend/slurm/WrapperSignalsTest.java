package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.reply.ExitRecord;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signals, ranks and their ends, in the generated script under a real bash. */
final class WrapperSignalsTest extends WrapperStage {
    /** srun as a shell sees it: its process id is known, so that the played scancel can signal the first process of the task. */
    private void playSignals() throws IOException {
        String pid = slurm.base + "/task-pid";
        slurm.command(
                "srun",
                "while case $1 in --*) true;; *) false;; esac; do shift; done; echo $$ > '" + pid + "'; exec \"$@\"");
        slurm.command(
                "scancel",
                "case $* in *--signal=TERM*) kill -TERM $(cat '" + pid + "');; *--signal=KILL*) kill -KILL $(cat '"
                        + pid + "');; esac");
    }

    /** A launcher that hands no signal on, as TAO's, around a training that does this on TERM, and says when it is ready for it. */
    private String launcherOf(String onTerm) throws IOException {
        Path child = Files.writeString(
                slurm.base.resolve("training.sh"), "trap '" + onTerm + "' TERM; echo up; while :; do sleep 0.1; done");
        return "/bin/bash " + child + " & wait $!; exit 143";
    }

    private String untilOutHas(String text) {
        return "until grep -q '" + text + "' '" + logs("out") + "'; do sleep 0.1; done";
    }

    @Test
    @Promise("TR-02")
    void aRankThatNeverNotedItsEndIsLostWhateverSrunSays() throws Exception {
        slurm.command(
                "srun",
                "while case $1 in --*) true;; *) false;; esac; do shift; done; \"$@\" & " + untilOutHas("up")
                        + "; kill -9 $!; exit 0");

        run(job("echo up; while [ -e '" + slurm.base + "' ]; do sleep 0.1; done")
                .build());

        assertThat(note().by()).isEqualTo("lost");
        assertThat(note().lostNode()).isTrue();
        assertThat(note().ownCode(Optional.of(Ending.COMPLETED))).isEmpty();
    }

    @Test
    @Promise("TR-02")
    void aZeroThatSrunAloneTellsNeedsTheSchedulersWord() throws Exception {
        slurm.command("srun", "exit 0");

        assertThat(run(job("true").build())).isZero();

        assertThat(note().ownCode(Optional.empty())).isEmpty();
        assertThat(note().ownCode(Optional.of(Ending.COMPLETED))).hasValue(0);
        assertThat(note().ownCode(Optional.of(Ending.NODE_FAILURE))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "srun: error: Unable to confirm allocation for job 77: Job is pending execution | NODE_FAILURE",
                "srun: error: Task launch for StepId=77.0 failed on node gpu02: Communication connection failure | NODE_FAILURE",
                "srun: error: Unable to create step for job 77: Socket timed out on send/recv operation | NODE_FAILURE",
                "srun: error: Unable to create step for job 77: Invalid generic resource (gres) specification | LAUNCH_FAILURE",
                "srun: error: Task launch for StepId=77.0 failed on node gpu02: Unable to satisfy cpu bind request | LAUNCH_FAILURE",
                "srun: error: Timed out waiting for job step to complete | NODE_FAILURE",
                "srun: error: Task launch for StepId=77.0 failed on node gpu02: Slurmd could not chdir to working directory | LAUNCH_FAILURE",
                "srun: error: Unable to launch: Job credential expired | NODE_FAILURE",
                "srun: error: Nodes gpu[02-03] are still not ready | NODE_FAILURE",
                "slurmstepd: error: execve(): /bin/bash: No such file or directory | LAUNCH_FAILURE"
            })
    void aCommandThatSrunCouldNotLaunchIsNoFailureOfTheProgram(String said, Ending ending) throws Exception {
        slurm.command("srun", "echo '" + said + "' >&2; exit 1");

        assertThat(run(job("echo never").build())).isEqualTo(1);

        assertThat(note().unlaunched()).contains(ending);
        assertThat(note().ownCode(Optional.of(Ending.FAILED))).isEmpty();
    }

    @Test
    void ofAContainerThatCouldNotBeMadeTheLogTellsMore() throws Exception {
        slurm.command("srun", "echo 'slurmstepd: error: pyxis: failed to import docker image' >&2; exit 1");

        run(job("echo never").build());

        assertThat(note().unlaunched()).isEmpty();
        assertThat(note().ownCode(Optional.of(Ending.FAILED))).hasValue(1);
    }

    @Test
    void whatSrunSaidInAnEarlierRunDoesNotCount() throws Exception {
        Files.writeString(
                logs("err"), "srun: error: Unable to confirm allocation for job 77: Job is pending execution\n");
        env.put("SLURM_RESTART_COUNT", "1");
        slurm.command("srun", "exit 127");

        run(job("echo never").build());

        assertThat(note().unlaunched()).contains(Ending.LAUNCH_FAILURE);
    }

    @Test
    void aProgramThatQuotesSrunHasFailedByItself() throws Exception {
        run(job("echo 'srun: error: Task launch for StepId=1.0 failed on node gpu02' >&2; exit 3")
                .build());

        assertThat(note().unlaunched()).isEmpty();
        assertThat(note().ownCode(Optional.of(Ending.FAILED))).hasValue(3);
    }

    @Test
    @Promise("TR-06")
    void ofSeveralRanksTheFirstThatFailedByItselfDecides() throws Exception {
        slurm.command("srun", """
                while case $1 in --*) true;; *) false;; esac; do shift; done
                SLURM_PROCID=0 SLURMD_NODENAME=gpu01 "$@" & first=$!
                SLURM_PROCID=1 SLURMD_NODENAME=gpu02 "$@"
                kill -TERM $first; wait $first; exit 143""");
        JobSpec spec = JobSpec.of("if [ $NODE_RANK = 1 ]; then " + untilOutHas("busy")
                        + "; echo why it failed >&2; exit 5; fi; echo busy; sleep 600")
                .resources(Sample.machines(2, 0))
                .build();

        assertThat(run(spec)).isEqualTo(5);

        assertThat(note().ownCode(Optional.empty())).hasValue(5);
        assertThat(note().decisive()).contains(new ExitRecord.Rank(1, "gpu02"));
        assertThat(Files.readString(logs("err")))
                .endsWith(
                        "tao: rank 1 on gpu02 was the first to fail, with exit code 5; its last lines:\nwhy it failed\n");
    }

    @Test
    @Promise("TR-80")
    void aSignalReachesTheTrainingBehindALauncherAndItsCheckpointIsWaitedFor() throws Exception {
        playSignals();
        Process process = start(job(launcherOf("sleep 1; echo saved; exit 0")).build());
        await().until(() -> Files.readString(logs("out")).contains("up"));

        new ProcessBuilder(
                        "kill",
                        "-TERM",
                        Files.readString(slurm.base.resolve("task-pid")).strip())
                .start()
                .waitFor();

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(logs("out"))).isEqualTo("up\nsaved\n");
        assertThat(note().interruption()).contains("SIGTERM");
    }

    private static JobSpec.Builder withGrace(JobSpec.Builder job) {
        return job.options(Records.of(SlurmOptions.class, "grace", Duration.ofSeconds(4321)));
    }

    private void cancel(Process frame) throws Exception {
        Files.createFile(slurm.base.resolve("submit/" + Sample.KEY + ".cancel"));
        new ProcessBuilder("kill", "-TERM", Long.toString(frame.pid())).start().waitFor();
    }

    @Test
    void aCancelWithAGraceLetsTheTrainingSaveAndIsACancelForSlurm() throws Exception {
        playSignals();
        Process process = start(withGrace(job("trap 'echo saved; exit 0' TERM; echo up; while :; do sleep 0.1; done"))
                .build());
        await().until(() -> Files.readString(logs("out")).contains("up"));

        cancel(process);

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(logs("out"))).isEqualTo("up\nsaved\n");
        assertThat(slurm.calls().lines().filter(call -> call.startsWith("scancel")))
                .containsExactly("scancel --signal=TERM 77", "scancel 77");
        assertThat(note().interruption()).contains("SIGTERM");
    }

    @Test
    void aTrainingThatDoesNotEndWithinItsGraceIsEndedBySlurm() throws Exception {
        String ended = slurm.base + "/ended";
        slurm.command("scancel", "case $* in *--signal*) ;; *) : > '" + ended + "';; esac");
        slurm.command("sleep", "[ \"$1\" != 4321 ] || exit 0; exec /bin/sleep \"$@\"");
        Process process = start(withGrace(job("echo up; while [ ! -e '" + ended + "' ]; do sleep 0.1; done"))
                .build());
        await().until(() -> Files.readString(logs("out")).contains("up"));

        cancel(process);

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(slurm.calls().lines()).containsSubsequence("scancel --signal=TERM 77", "scancel 77");
    }

    @Test
    @Promise("TR-80")
    void anInterruptedCommandThatEndsWithZeroIsNotedAsInterrupted() throws Exception {
        playSignals();
        Process process = start(
                job("trap 'exit 0' TERM; echo up; while :; do sleep 0.1; done").build());
        await().until(() -> Files.readString(logs("out")).contains("up"));

        new ProcessBuilder(
                        "kill",
                        "-TERM",
                        Files.readString(slurm.base.resolve("task-pid")).strip())
                .start()
                .waitFor();

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(note().completed()).isFalse();
        assertThat(note().interruption()).contains("SIGTERM");
    }

    @Test
    @Promise("TR-80")
    void theTimeLimitReachesTheTrainingAndIsATimeLimitThoughItEndsWithZero() throws Exception {
        playSignals();
        slurm.command("sleep", "[ \"$1\" != 7777 ] || { " + untilOutHas("up") + "; exit; }; exec /bin/sleep \"$@\"");
        JobSpec spec = job(launcherOf("echo saved; exit 0").replace("exit 143", "exit 0"))
                .options(Records.of(SlurmOptions.class, "timeout", Duration.ofSeconds(7777)))
                .build();

        assertThat(run(spec)).isEqualTo(124);

        assertThat(Files.readString(logs("out"))).isEqualTo("up\nsaved\n");
        assertThat(note().ownCode(Optional.empty())).hasValue(124);
    }
}
