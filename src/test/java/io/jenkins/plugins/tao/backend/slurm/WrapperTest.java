package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmScript;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The generated script under a real bash, with Slurm's commands played by scripts. */
final class WrapperTest extends WrapperStage {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 127, 137, 255})
    void theCommandsExitCodeIsTheScriptsAndIsNoted(int code) throws Exception {
        assertThat(run(job("exit " + code).build())).isEqualTo(code);

        assertThat(note().ownCode(Optional.empty())).hasValue(code);
        assertThat(note().end()).isPresent();
    }

    /** A file that bash reads first, as sites and images have one, and a function that a login exports. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void whatANodeSaysOfShellsDoesNotHold(int code) throws Exception {
        Path first = Files.writeString(directory.resolve("first.sh"), """
                set -euC
                shopt -s failglob nocasematch
                IFS=n
                for tool in date grep tail tr mkdir ln mv rm awk tee sed sleep squeue; do eval "$tool() { echo lies; }"; done
                module() { echo loaded; }
                """);
        env.put("BASH_ENV", first.toString());
        env.put("BASH_FUNC_printf%%", "() { echo lies; }");

        assertThat(run(job("module load x; exit " + code).build())).isEqualTo(code);

        assertThat(note().ownCode(Optional.empty())).hasValue(code);
        assertThat(Files.readString(logs("out"))).isEqualTo("loaded\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void aRecordThatFindsNoRoomChangesNoExitCodeAndStopsNoCommand(int code) throws Exception {
        Files.delete(slurm.base.resolve("exit"));
        Files.createFile(slurm.base.resolve("exit")); // nothing can be written below it

        assertThat(run(job("echo ran; exit " + code).build())).isEqualTo(code);

        assertThat(Files.readString(logs("out"))).isEqualTo("ran\n");
    }

    @Test
    void eachOfSeveralNodesHasASpecOfItsOwnThatItsLauncherMayRewrite() throws Exception {
        JobSpec spec = JobSpec.of("echo node $NODE_RANK > {config_path}; echo '{config_path}'")
                .resources(Sample.machines(2, 0))
                .spec(Map.of("train", Map.of("num_gpus", 1)))
                .build();
        String staged = slurm.base + "/specs/" + Sample.KEY;
        Files.createDirectories(Path.of(staged).getParent());
        Files.writeString(Path.of(staged + ".yaml"), "{train: {num_gpus: 1}}");

        env.put("SLURM_PROCID", "1");
        assertThat(run(spec)).isZero();

        assertThat(Path.of(staged + ".yaml")).hasContent("{train: {num_gpus: 1}}");
        assertThat(Path.of(staged + ".nodes/1.yaml")).hasContent("node 1");
        assertThat(Files.readString(logs("out"))).isEqualTo("[1] " + staged + ".nodes/1.yaml\n");
    }

    @Test
    void aSpecThatFindsNoRoomForItsCopyIsSharedByAllNodes() throws Exception {
        JobSpec spec = JobSpec.of("cat {config_path}")
                .resources(Sample.machines(2, 0))
                .spec(Map.of("a", "b"))
                .build();
        String staged = slurm.base + "/specs/" + Sample.KEY;
        Files.createDirectories(Path.of(staged).getParent());
        Files.writeString(Path.of(staged + ".yaml"), "{a: b}");
        Files.createFile(Path.of(staged + ".nodes"));

        assertThat(run(spec)).isZero();

        assertThat(Files.readString(logs("out"))).isEqualTo("[0] {a: b}");
    }

    @Test
    void whatWaitsForTheTimeoutEndsWithTheCommand() throws Exception {
        Path sleepers = slurm.base.resolve("sleepers");
        slurm.command("sleep", "echo $$ >> '" + sleepers + "'; exec /bin/sleep \"$@\"");

        run(job("until [ -s '" + sleepers + "' ]; do /bin/sleep 0.1; done").build());

        for (String pid : Files.readAllLines(sleepers)) {
            await().until(() -> ProcessHandle.of(Long.parseLong(pid))
                    .filter(ProcessHandle::isAlive)
                    .isEmpty());
        }
    }

    @Test
    void aTimeoutIs124EvenWhenRequeueIsOn() throws Exception {
        JobSpec spec = job(untilScancel())
                .options(Records.of(SlurmOptions.class, "timeout", Duration.ofSeconds(1)))
                .build();

        assertThat(run(spec)).isEqualTo(124);

        assertThat(note().ownCode(Optional.empty())).hasValue(124);
        assertThat(Files.readString(logs("err"))).contains("ended after its timeout of 1 s");
        assertThat(slurm.calls()).doesNotContain("requeue");
    }

    @Test
    @Promise("SG-04")
    void aTrainingThatResumesIsPutBackIntoTheQueueABoundedNumberOfTimes() throws Exception {
        slurm.command("scontrol", "[ \"$1\" != requeue ]");
        JobSpec spec = job(untilScancel())
                .options(Records.of(
                        SlurmOptions.class,
                        "timeout",
                        Duration.ofSeconds(1),
                        "requeueOnTimeout",
                        true,
                        "maxRequeues",
                        2))
                .build();

        run(spec);
        assertThat(slurm.calls()).contains("scontrol requeue 77");
        Files.delete(slurm.base.resolve("calls"));
        Files.delete(slurm.base.resolve("go"));
        env.put("SLURM_RESTART_COUNT", "2");
        run(spec);

        assertThat(slurm.calls()).doesNotContain("requeue");
        assertThat(note().run()).isEqualTo(2);
    }

    @Test
    void aCancelledTrainingIsNotPutBackIntoTheQueue() throws Exception {
        Files.createFile(slurm.base.resolve("submit/dino-train-0a1b2c.cancel"));
        JobSpec spec = job(untilScancel())
                .options(Records.of(SlurmOptions.class, "timeout", Duration.ofSeconds(1), "requeueOnTimeout", true))
                .build();

        assertThat(run(spec)).isEqualTo(124);

        assertThat(slurm.calls()).doesNotContain("requeue");
    }

    @Test
    void secretsReachTheCommandAndAreGoneAfterIt() throws Exception {
        Map<String, Secret> secrets = Map.of("TOKEN_A", Secret.of("it's $(id)\nsecond line"));
        Path file = slurm.base.resolve(SECRETS);
        Files.writeString(file, SlurmScript.secrets(secrets) + "\n");

        int code = run(job("[ \"$(printf %s \"$TOKEN_A\" | wc -c)\" -eq 22 ]")
                .secrets(secrets)
                .build());

        assertThat(code).isZero();
        assertThat(file).doesNotExist();
        assertThat(Files.readString(logs("out")) + Files.readString(logs("err")))
                .doesNotContain("second line");
        assertThat(slurm.calls()).doesNotContain("second line");
    }

    @Test
    void secretsStayWhenASignalMayMeanAnotherRun() throws Exception {
        Map<String, Secret> secrets = Map.of("TOKEN_A", Secret.of("x"));
        Path file = slurm.base.resolve(SECRETS);
        Files.writeString(file, SlurmScript.secrets(secrets) + "\n");
        Process process =
                start(job("echo up; " + untilGo() + "; exit 5").secrets(secrets).build());
        await().until(() -> Files.readString(logs("out")).contains("up"));

        process.destroy();
        go();

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(file).exists();
        assertThat(note().by()).isEqualTo("TERM");
        assertThat(note().ownCode(Optional.empty())).isEmpty();
        assertThat(process.exitValue()).isEqualTo(5);
    }

    /** A restarted controller kills the ranks of a run that it does not know, and runs the id again as the first time. */
    @Test
    void anIdThatSlurmRunsAgainHasItsSecretsAndCountsItsRuns() throws Exception {
        Map<String, Secret> secrets = Map.of("TOKEN_A", Secret.of("x"));
        Path file = slurm.base.resolve(SECRETS);
        Files.writeString(file, SlurmScript.secrets(secrets) + "\n");
        String srun = Files.readString(directory.resolve("bin/srun"));
        slurm.command("srun", "kill -9 $$");
        JobSpec spec = job("echo trained with $TOKEN_A").secrets(secrets).build();

        run(spec);
        assertThat(file).exists();
        Files.writeString(directory.resolve("bin/srun"), srun);

        assertThat(run(spec)).isZero();
        assertThat(note().run()).isEqualTo(1);
        assertThat(Files.readString(logs("out"))).contains("run 2 starts here", "trained with x");
        assertThat(file).doesNotExist();
    }

    @Test
    void aRunWithoutItsSecretsSaysSo() throws Exception {
        int code = run(job("echo never").secrets(Map.of("A", Secret.of("x"))).build());

        assertThat(code).isEqualTo(78);
        assertThat(Files.readString(logs("err"))).contains("secrets of this run are gone");
        assertThat(Files.readString(logs("out"))).isEmpty();
        assertThat(note().ownCode(Optional.empty())).isEmpty();
    }

    @Test
    void aNewRunForgetsTheRecordOfTheOneBefore() throws Exception {
        Files.writeString(slurm.base.resolve(RECORD), "run=0 start=1 end=2 code=143 by=TERM\n");
        env.put("SLURM_RESTART_COUNT", "1");
        Process process = start(job("echo up; " + untilGo()).build());
        await().until(() -> Files.readString(logs("out")).contains("up"));

        assertThat(note().ended()).isFalse();
        assertThat(note().run()).isEqualTo(1);
        go();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    @Promise("SL-53")
    void eachTaskKnowsItsOwnRank() throws Exception {
        slurm.command(
                "srun",
                "while case $1 in --*) true;; *) false;; esac; do shift; done\n"
                        + "SLURM_PROCID=0 \"$@\"; SLURM_PROCID=1 \"$@\"");

        run(job("echo $NODE_RANK of $WORLD_SIZE at $MASTER_ADDR:$MASTER_PORT")
                .resources(new Resources(
                        2, java.util.OptionalInt.of(0), java.util.OptionalInt.empty(), java.util.Optional.empty()))
                .build());

        assertThat(Files.readString(logs("out")))
                .matches("\\[0] 0 of 2 at gpu01:(\\d{5})\n\\[1] 1 of 2 at gpu01:\\1\n");
    }

    @Test
    @Promise("SG-19")
    void aNodeThatShowsTooFewGpusIsNamed() throws Exception {
        slurm.command("nvidia-smi", "echo GPU 0: A100");
        env.put("SLURMD_NODENAME", "gpu07");

        int code =
                run(JobSpec.of("echo trained").resources(Sample.machines(1, 2)).build());

        assertThat(code).isEqualTo(71);
        assertThat(Files.readString(logs("err"))).contains("tao: node gpu07 shows 1 of 2 GPUs");
        assertThat(Files.readString(logs("out"))).isEmpty();
    }

    /** Four slices on two cards, as in the replies of an H200 with MIG. */
    @ParameterizedTest
    @CsvSource({"2, 0", "3, 0", "4, 71"})
    @Promise("SG-19")
    void slicesOfACardCountAndTheirCardDoesNot(int gpus, int code) throws Exception {
        slurm.command("nvidia-smi", """
                echo 'GPU 0: NVIDIA H200 (UUID: GPU-7d)'
                echo '  MIG 1g.18gb     Device  0: (UUID: MIG-82)'
                echo 'GPU 1: NVIDIA H200 (UUID: GPU-25)'
                echo '  MIG 1g.18gb     Device  0: (UUID: MIG-69)'
                echo '  MIG 1g.18gb     Device  1: (UUID: MIG-77)'
                """);

        assertThat(run(JobSpec.of("true").resources(Sample.machines(1, gpus)).build()))
                .isEqualTo(code);
    }

    @Test
    @Promise("SG-19")
    void gpusThatCannotBeCountedAreToldAsSuch() throws Exception {
        Assumptions.assumeFalse(Files.exists(Path.of("/usr/bin/nvidia-smi")));

        assertThat(run(JobSpec.of("true").resources(Sample.machines(1, 2)).build()))
                .isZero();

        assertThat(Files.readString(logs("err"))).contains("were not checked: there is no nvidia-smi");
    }

    @Test
    void slicesOfAGpuAreGpus() throws Exception {
        slurm.command("nvidia-smi", """
                cat <<'LIST'
                GPU 0: NVIDIA H200 NVL (UUID: GPU-7d5d2d18)
                  MIG 1g.18gb     Device  0: (UUID: MIG-8210e6aa)
                GPU 1: NVIDIA H200 NVL (UUID: GPU-25aa9f9b)
                  MIG 1g.18gb     Device  0: (UUID: MIG-69119060)
                  MIG 1g.18gb     Device  1: (UUID: MIG-77aa9060)
                GPU 2: NVIDIA H200 NVL (UUID: GPU-15aa9f9b)
                LIST
                """);

        assertThat(run(JobSpec.of("echo trained")
                        .resources(Sample.machines(1, 4))
                        .build()))
                .isZero();
        assertThat(run(JobSpec.of("echo trained")
                        .resources(Sample.machines(1, 5))
                        .build()))
                .isEqualTo(71);
    }

    @Test
    @Promise("TR-29")
    void aResultsDirectoryThatALivingJobUsesIsRefusedAndOneOfAnEndedJobIsTaken() throws Exception {
        Path results = Files.createDirectories(slurm.base.resolve("results/" + Sample.KEY));
        Files.writeString(results.resolve(".tao-job"), "other-job\n");
        slurm.command("squeue", "case $* in *--name=tao-job-other-job*) echo 12;; esac");

        assertThat(run(job("echo never").build())).isEqualTo(79);

        assertThat(Files.readString(logs("err"))).contains("is in use by job other-job");
        assertThat(Files.readString(logs("out"))).isEmpty();
        assertThat(note().ownCode(Optional.of(Ending.FAILED))).hasValue(79);

        slurm.command("squeue", ":");
        assertThat(run(job("echo mine").build())).isZero();
        assertThat(results.resolve(".tao-job")).hasContent(Sample.KEY.value());
    }

    @Test
    @Promise("TR-07")
    void aRunAfterARequeueMarksWhereItsLinesBegin() throws Exception {
        env.put("SLURM_RESTART_COUNT", "1");

        run(job("echo hello").build());

        String mark = "tao: run 2 starts here: Slurm had put the job back into the queue\n";
        assertThat(Files.readString(logs("out"))).isEqualTo(mark + "hello\n");
        assertThat(Files.readString(logs("err"))).isEqualTo(mark);
    }

    @Test
    @Promise({"SG-05", "SG-11"})
    void aWarningSignalIsHandedOnAndNothingElseIsDone() throws Exception {
        JobSpec spec = job("echo up; " + untilGo())
                .options(Records.of(SlurmOptions.class, "signal", "B:USR1@360"))
                .build();
        Process process = start(spec);
        await().until(() -> Files.readString(logs("out")).contains("up"));

        new ProcessBuilder("kill", "-USR1", Long.toString(process.pid()))
                .start()
                .waitFor();
        go();

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(slurm.calls()).contains("scancel --signal=USR1 77");
    }

    @Test
    @Promise("SL-62")
    void logsHaveTheirPromisedNames() throws Exception {
        run(job("echo hello; echo oops >&2").build());

        Path promised = slurm.base.resolve("slurm-logs/tao-job-dino-train-0a1b2c-77");
        assertThat(promised.resolve("main.out")).hasContent("hello");
        assertThat(promised.resolve("main.err")).hasContent("oops");
    }
}
