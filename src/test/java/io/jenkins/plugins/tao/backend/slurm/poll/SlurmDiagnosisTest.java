package io.jenkins.plugins.tao.backend.slurm.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Diagnosis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SlurmDiagnosisTest {
    private static Diagnosis read(String state, String code, String memory, String log) {
        String sacct = "7|" + state + "|" + code + "|0:0|00:01:00|01:00:00||16G|gpu01\n"
                + "7.batch|FAILED|1:0||00:01:00||" + memory + "||gpu01\n";
        return SlurmDiagnosis.parse("tao-sacct 0\n" + sacct + "tao-err 0\n" + log + "\ntao-end 0\n", true);
    }

    @Test
    @Promise({"SG-14"})
    void outOfMemoryIsAnsweredWithAFifthMoreThanItHad() {
        Diagnosis diagnosis = read("OUT_OF_MEMORY", "0:125", "10240M", "");

        assertThat(diagnosis.summary()).contains("host memory");
        assertThat(diagnosis.remedy()).contains("mem: '19661M'").contains("A smaller batch saves GPU memory");
    }

    @Test
    void theDriverIsNotBlamedForAJobWithoutGpus() {
        String log = "failed call to cuInit: CUDA_ERROR_UNKNOWN: unknown error\n";
        String reply = "tao-sacct 0\n7|FAILED|1:0|0:0|00:01:00|01:00:00||16G|cpu01\ntao-err 0\n" + log + "tao-end 0\n";

        assertThat(SlurmDiagnosis.parse(reply, true).summary()).contains("driver");
        assertThat(SlurmDiagnosis.parse(reply, false).summary()).isEmpty();
    }

    @Test
    @Promise("SG-17")
    void exitCodesAreSpelledOut() {
        assertThat(read("FAILED", "0:9", "1M", "").facts())
                .anySatisfy(fact -> assertThat(fact).contains("0:9 (killed: it did not end within KillWait)"));
    }

    @ParameterizedTest
    @Promise("SL-07")
    @CsvSource(
            delimiter = '|',
            value = {
                "[ERROR] Could not process JSON input | enroot/.credentials",
                "srun: unrecognized option '--container-image=x' | APPTAINER",
                "slurmstepd: error: *** JOB 7 ON gpu01 CANCELLED AT 2026-08-03T09:00:00 DUE TO TIME LIMIT *** | more time",
                "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=7.batch | mem:",
                "Detected 1 oom_kill event in StepId=11.batch. Some of the step tasks have been OOM Killed. | mem:",
                "tao: node gpu07 shows 3 of 4 GPUs | exclude",
                "torch.OutOfMemoryError: CUDA out of memory. | a smaller batch",
                "RuntimeError: CUDA error: device-side assert triggered | CUDA_LAUNCH_BLOCKING=1",
                "RuntimeError: [enforce fail] PytorchStreamWriter failed: No space left on device | Free space",
                "OSError: [Errno 122] Disk quota exceeded: '/lustre/tao/results/x/model.pth' | raise the quota",
                "/lustre/tao/exit/x-7.part: line 9: printf: write error: Disk quota exceeded | raise the quota"
            })
    void knownSignsHaveTheirRemedy(String line, String remedy) {
        assertThat(read("FAILED", "1:0", "1M", line).remedy()).contains(remedy);
    }

    @ParameterizedTest
    @Promise("TR-20")
    @CsvSource(
            delimiter = '|',
            value = {
                "curl: (6) Could not resolve host: registry-1.docker.io;[ERROR] Could not process JSON input | could not reach the registry",
                "[ERROR] URL https://nvcr.io/v2/x/manifests/nope returned error code: 404 Not Found;pyxis: failed to import docker image"
                        + " | no such image or tag",
                "[ERROR] URL https://nvcr.io/v2/x returned error code: 401 Unauthorized | no valid credentials",
                "enroot-aufs2ovlfs: failed to set capabilities: Operation not permitted;tao: image conversion failed: enroot import"
                        + " ended with exit code 1 | lack their capabilities",
                "tao: image conversion failed: ended by a signal, at its time limit most likely | time limit most likely",
                "slurmstepd: error: pyxis: failed to import docker image;slurmstepd: error: pyxis:     [ERROR] Invalid image"
                        + " reference: docker://nvcr.io#nvidia/tao/tao-toolkit@sha256:74 | takes no image by its digest",
                "slurmstepd: error: pyxis: failed to create container filesystem | container could not be made"
            })
    void whatPyxisAndEnrootSayIsToldAsWhatItIs(String lines, String summary) {
        assertThat(read("FAILED", "1:0", "1M", lines.replace(';', '\n')).summary())
                .contains(summary);
    }

    @Test
    void whatSlurmSaysOfTheEndGoesBeforeTheLog() {
        assertThat(read("TIMEOUT", "0:15", "1M", "RuntimeError: CUDA out of memory.")
                        .summary())
                .isEqualTo("The job ran out of time.");
    }

    @Test
    @Promise("TR-07")
    void anEarlierRunsLogDecidesNothing() {
        Diagnosis diagnosis = read(
                "FAILED",
                "4:0",
                "1M",
                "*** JOB 7 ON gpu01 CANCELLED AT 2026-08-03T09:00:00 DUE TO PREEMPTION ***\n"
                        + "tao: run 2 starts here: Slurm had put the job back into the queue\nValueError: no");

        assertThat(diagnosis.summary()).isEmpty();
        assertThat(diagnosis.facts()).noneMatch(fact -> fact.contains("PREEMPTION"));
    }

    @Test
    void aFilesystemWithoutAnyRoomIsToldThoughNoLogSaysSo() {
        String room = "tao-room 0\nFilesystem 1024-blocks Used Available Capacity Mounted on\n";

        Diagnosis full = SlurmDiagnosis.parse(
                room + "10.0.0.1@tcp:/scratch 1024000 1023900 100 100% /lustre\ntao-end 0\n", true);
        Diagnosis roomy =
                SlurmDiagnosis.parse(room + "10.0.0.1@tcp:/scratch 1024000 4000 1020000 1% /lustre\ntao-end 0\n", true);

        assertThat(full.summary()).contains("no room left");
        assertThat(roomy.summary()).isEmpty();
    }

    @Test
    void nothingKnownIsNothingSaid() {
        Diagnosis diagnosis = SlurmDiagnosis.parse("tao-sacct 1\nsacct: error\ntao-end 0\n", true);

        assertThat(diagnosis.summary()).isEmpty();
        assertThat(diagnosis.facts()).isEmpty();
    }
}
