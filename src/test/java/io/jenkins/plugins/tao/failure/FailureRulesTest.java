package io.jenkins.plugins.tao.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailureRulesTest {
    private static final Failed EXIT_1 = new Failed(Cause.PROGRAM, "The command ended with exit code 1.");
    private static final FailureRules RULES = FailureRules.own();

    private static Failed explain(String... lines) {
        return RULES.explain(EXIT_1, "slurm", true, List.of(List.of(lines)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            HARDWARE; NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus
            HARDWARE; [ 4242.1] NVRM: Xid (PCI:0000:3b:00): 48, pid=77, Double Bit ECC Error
            HARDWARE; RuntimeError: CUDA error: uncorrectable ECC error encountered
            HARDWARE; Unable to determine the device handle for GPU 0000:3B:00.0: Unknown Error
            HARDWARE; CUDA driver version is insufficient for CUDA runtime version
            HARDWARE; RuntimeError: The NVIDIA driver on your system is too old (found version 11040).
            HARDWARE; RuntimeError: CUDA error: no CUDA-capable device is detected
            HARDWARE; cuInit(0) call failed with error 999
            FABRIC; gpu01:77:99 [0] misc/socket.cc:483 NCCL WARN socketStartConnect: Connect to 10.0.0.7<4242> failed : Connection timed out
            FABRIC; gpu01:77:99 [0] NCCL WARN NET/IB : Got completion from peer with status=12 opcode=0 (fatal)
            FABRIC; torch.distributed.DistBackendError: NCCL error, ncclRemoteError: A call failed possibly due to a network error
            FABRIC; infiniband mlx5_0: port 1 link down
            NODE_FAILURE; srun: error: Node failure on gpu02
            """)
    @Promise("SL-71")
    void aFaultOfTheMachinesMayBeTriedAgain(Cause cause, String line) {
        Failed failed = explain("Epoch 3/10", line, "srun: error: gpu01: task 0: Exited with exit code 1");

        assertThat(failed.cause()).isEqualTo(cause);
        assertThat(failed.cause().infrastructure()).isTrue();
        assertThat(failed.words()).startsWith(EXIT_1.detail()).contains(line.strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TORCH_NCCL_ASYNC_ERROR_HANDLING=1",
                "export NCCL_TEST=NCCL WARN Connection timed out",
                "declare -x MESSAGE=\"GPU has fallen off the bus\"",
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB",
                "RuntimeError: CUDA out of memory.",
                "RuntimeError: CUDA error: device-side assert triggered",
                "RuntimeError: CUDA error: an illegal memory access was encountered",
                "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
                "GPU temperature: 61 C",
                "GPU 0 temperature 61, ECC errors: 0",
                "KeyError: 'results_dir'",
                "FileNotFoundError: [Errno 2] No such file or directory: '/lustre/x'",
                "val/ECC error: 0",
                "NVRM: Xid (PCI:0000:3b:00): 13, pid=77, Graphics Exception",
                "NVRM: Xid (PCI:0000:3b:00): 31, pid=77, MMU Fault",
                "NCCL INFO NET/IB : Using [0]mlx5_0:1/IB",
                "mlx5_0 port 1 state ACTIVE, link up",
                "torch.cuda.is_available() is False"
            })
    @Promise({"SL-71", "SL-72"})
    void aFaultOfTheProgramIsNot(String line) {
        assertThat(explain("Epoch 3/10", line).cause().infrastructure()).isFalse();
    }

    @Test
    void aProgramsFaultOutweighsTheNcclErrorsItDragsBehindIt() {
        Failed failed = explain(
                "RuntimeError: CUDA error: device-side assert triggered",
                "NCCL error, ncclRemoteError: A call failed possibly due to a network error");

        assertThat(failed.cause()).isEqualTo(Cause.PROGRAM);
    }

    @Test
    void aTracebackAfterAFaultOfTheHardwareIsItsSymptom() {
        Failed failed = explain("NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus", "KeyError: 'loss'");

        assertThat(failed.cause()).isEqualTo(Cause.HARDWARE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            slurmstepd: error: pyxis: failed to import docker image; lines of enroot
            [ERROR] URL https://nvcr.io/v2/nvidia/tao/manifests/6 returned error code: 401 Unauthorized; installEnrootCredentials
            OSError: [Errno 28] No space left on device; no room left
            dd: error writing '/lustre/x': Disk quota exceeded; Free space
            ValueError: You need to set results_dir in the experiment spec; add results_dir={results_dir}
            AssertionError: results_dir must be set; {config_path}
            python3: can't open file '/r/train.py': [Errno 2] No such file or directory; name its folder in code:
            /tao/jobs/a/command: line 1: ./run.sh: No such file or directory; name its folder in code:
            bash: -c: line 1: unexpected EOF while looking for matching `"'; a quote, 'fi' or 'done' is missing
            sh: 1: ./run.sh: not found; name its folder in code:
            botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the GetObject operation: Access Denied; ACCESS_KEY, SECRET_KEY
            botocore.exceptions.ClientError: An error occurred (404) when calling the HeadObject operation: Not Found; Check the address
            """)
    @Promise("GE-24")
    void aCommonErrorInTheLogComesWithItsRemedy(String line, String remedy) {
        Failed failed = explain("Epoch 3/10", line);

        assertThat(failed.words()).contains(remedy, line);
        assertThat(failed.cause().infrastructure()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"results_dir: /lustre/tao/results/x", "Results are written to results_dir, see there"})
    void aMentionOfTheResultsDirectoryIsNoError(String line) {
        assertThat(explain(line)).isEqualTo(EXIT_1);
    }

    @Test
    void theMarkOfARankHidesNoError() {
        for (String mark : List.of("", "[1] ", "[rank3]: ", "[default0]:", "[worker 2] ")) {
            assertThat(RULES.match("slurm", true, List.of(List.of(mark + "KeyError: 'epoch'"))))
                    .as(mark)
                    .isPresent();
        }
        assertThat(RULES.match("slurm", true, List.of(List.of("of KeyError: 'epoch'"))))
                .isEmpty();
    }

    @Test
    void noLinesAreNoReasonToTryAgain() {
        assertThat(explain()).isEqualTo(EXIT_1);
    }

    @Test
    void memoryOfTheGpuIsToldFromMemoryOfTheHost() {
        Failed failed = explain("torch.OutOfMemoryError: CUDA out of memory.");

        assertThat(failed.cause()).isEqualTo(Cause.GPU_MEMORY);
        assertThat(failed.words()).contains("smaller batch");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slurmstepd-gpu01: error: Detected 1 oom-kill event(s) in StepId=42.0. Some of your processes may have been killed by the cgroup out-of-memory handler.",
                "[2026-11-21T03:02:33.005] error: Detected 1 oom_kill event in StepId=11.batch. Some of the step tasks have been OOM Killed.",
                "srun: error: gpu01: task 0: Out Of Memory"
            })
    void aStepKilledForItsMemoryIsOutOfMemoryInTheWordsOfEverySlurm(String line) {
        Failed failed = explain("RuntimeError: DataLoader worker is killed by signal: Killed.", line);

        assertThat(failed.cause()).isEqualTo(Cause.OUT_OF_MEMORY);
    }

    @Test
    void whatTheBackendKnowsIsNotGuessedAgain() {
        Failed timeLimit = new Failed(Cause.TIME_LIMIT, "The job reached its time limit.");

        assertThat(RULES.explain(timeLimit, "slurm", true, List.of(List.of("GPU has fallen off the bus"))))
                .isEqualTo(timeLimit);
    }

    @Test
    void ofACommandThatCouldNotBeLaunchedTheLogTellsWhatItLackedAndNoOtherCause() {
        Failed launch = new Failed(Cause.LAUNCH, "The job could not be launched.");
        String srun =
                "srun: error: Task launch for StepId=7.0 failed on node gpu01: Unable to satisfy cpu bind request";

        Failed told = RULES.explain(launch, "slurm", true, List.of(List.of(srun)));

        assertThat(told.cause()).isEqualTo(Cause.LAUNCH);
        assertThat(told.words()).contains(srun);
        assertThat(RULES.explain(launch, "slurm", true, List.of(List.of("ValueError: bad label"))))
                .isEqualTo(launch);
    }

    @Test
    void evidenceIsCutToALength() {
        assertThat(explain("GPU has fallen off the bus" + "!".repeat(5000)).words())
                .hasSizeLessThan(500);
    }

    @Test
    void aLineThatOnlyWarnsDecidesWhereNothingElseDoes() {
        String warning = "2026-11-26 02:00:12,118 - data - WARNING - No space left on device, retrying";

        assertThat(explain(warning, "ValueError: x").cause()).isEqualTo(Cause.PROGRAM);
        assertThat(explain(warning, "the job ends").cause()).isEqualTo(Cause.DATA);
    }

    @Test
    void theWorkOfManyOtherRanksDoesNotMakeAnErrorOfOneTheNetworks() {
        List<String> lines = new ArrayList<>(List.of("[rank3]: ValueError: bad label"));
        for (int line = 0; line < 256; line++) {
            lines.add("[rank" + line % 64 + "]: step: loss 0.3");
        }
        lines.add("[rank0]: ncclRemoteError: A call failed");

        assertThat(explain(lines.toArray(String[]::new)).cause()).isEqualTo(Cause.PROGRAM);
    }
}
