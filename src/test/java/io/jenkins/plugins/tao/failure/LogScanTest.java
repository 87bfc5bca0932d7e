package io.jenkins.plugins.tao.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the first error of a log stands. */
class LogScanTest {
    private static LogScan scan(String text) {
        LogScan scan = new LogScan("logs/train.log");
        text.lines().forEach(scan::line);
        return scan;
    }

    @Test
    @Promise("NV-32")
    void theExceptionOfTheRankThatFailedFirstHasItsPlaceAndItsLinesWithoutThoseOfOtherRanks() {
        LogScan.Found found = scan("""
                Epoch 3
                [rank0]: step 10
                [rank3]: Traceback (most recent call last):
                [rank0]: step 11
                [rank3]:   File "train.py", line 7, in step
                [rank3]:     loss.backward()
                [rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB
                [rank0]: NCCL WARN socket closed
                [rank1]: RuntimeError: peer gone
                """).found().orElseThrow();

        assertThat(found.file()).isEqualTo("logs/train.log");
        assertThat(found.line()).isEqualTo(3);
        assertThat(found.rank()).hasValue(3);
        assertThat(found.text()).isEqualTo("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB");
        assertThat(found.context())
                .startsWith("Epoch 3", "[rank0]: step 10")
                .contains("[rank3]:     loss.backward()")
                .doesNotContain("[rank0]: step 11", "[rank1]: RuntimeError: peer gone");
    }

    @Test
    @Promise("NV-32")
    void anErrorOfOneLineHasTheLinesAroundIt() {
        LogScan.Found found = scan("a\nb\nc\nd\n2: srun: error: gpu02: task 2: Killed\ne\nf\n2: g\n")
                .found()
                .orElseThrow();

        assertThat(found.line()).isEqualTo(5);
        assertThat(found.rank()).hasValue(2);
        assertThat(found.context()).containsExactly("b", "c", "d", "2: srun: error: gpu02: task 2: Killed", "2: g");
    }

    @ParameterizedTest
    @Promise("NV-32")
    @ValueSource(
            strings = {
                "val_error: 0.2",
                "no error found",
                "export X=ERROR",
                "NCCL INFO ready",
                "error_rate 0.1",
                "INFO: 0 errors",
                "ErrorModel loaded"
            })
    void aLogThatWentWellHasNone(String line) {
        assertThat(scan("start\n" + line + "\nend").found()).isEmpty();
    }

    @Test
    void aTracebackOfAMillionLinesIsHeldInBounds() {
        LogScan scan = new LogScan("x");
        scan.line("Traceback (most recent call last):");
        for (int i = 0; i < 1000; i++) {
            scan.line("  " + "x".repeat(1000));
        }

        assertThat(scan.found().orElseThrow().context()).hasSizeLessThan(30).allMatch(line -> line.length() < 400);
    }

    @Test
    void linesThatRanksWithoutMarksWriteAtOnceAreShownOnce() {
        assertThat(scan("""
                Traceback (most recent call last):
                Traceback (most recent call last):
                  File "train.py", line 7, in step
                  File "train.py", line 7, in step
                KeyError: 'x'
                KeyError: 'x'
                """).found().orElseThrow().context())
                .containsExactly(
                        "Traceback (most recent call last):", "  File \"train.py\", line 7, in step", "KeyError: 'x'");
    }

    @Test
    void whatAProgressBarDrewOverDoesNotHideTheErrorBehindIt() {
        String bar = " 45%|####      | 18/40 [00:12<00:15,  3.50it/s]";
        LogScan scan = new LogScan("x");

        scan.line((bar + "\r").repeat(200) + bar + "[rank1]: Traceback (most recent call last):");
        scan.line("[rank1]:   File \"train.py\", line 7, in step");
        scan.line("[rank1]: cv2.error: no image");

        LogScan.Found found = scan.found().orElseThrow();
        assertThat(found.text()).isEqualTo("cv2.error: no image");
        assertThat(found.rank()).hasValue(1);
        assertThat(found.context().get(0)).startsWith(bar + "[rank1]: Traceback");
    }

    @Test
    void anErrorThatTheProgramOutlivedIsNotTheFirst() {
        String work = "step: loss 0.3\n".repeat(200);

        assertThat(scan("ConnectionError: wandb is away\n" + work + "KeyError: 'x'")
                        .found()
                        .orElseThrow()
                        .text())
                .isEqualTo("KeyError: 'x'");
    }

    @Test
    void aProcessThatASignalEndedGoesBeforeTheWordsOfItsPeers() {
        LogScan.Found found = scan("""
                [rank0]: Traceback (most recent call last):
                [rank0]:   File "train.py", line 33, in <module>
                [rank0]: RuntimeError: [gloo/transport/tcp/pair.cc:547] Connection reset by peer [10.0.0.4]:29612
                srun: error: gpu02: task 9: Killed
                srun: Terminating StepId=4711.0
                srun: error: gpu01: task 0: Killed
                """).found().orElseThrow();

        assertThat(found.text()).isEqualTo("srun: error: gpu02: task 9: Killed");
        assertThat(found.kind()).isEqualTo(LineKind.ENDED);
    }

    @Test
    void whatSlurmKillsWhenItStopsAStepIsNoFirstError() {
        assertThat(scan("""
                [rank0]: socketProgress: Connection closed by remote peer gpu02<41020>
                srun: Terminating StepId=4711.0
                srun: error: gpu01: task 0: Killed
                """).found().orElseThrow().text()).startsWith("socketProgress");
    }

    @Test
    void anErrorThatARuleNamesGoesBeforeOneThatNobodyKnows() {
        assertThat(scan("""
                [rank0]: RuntimeError: the other ranks went away
                [rank5]: RuntimeError: CUDA error: uncorrectable ECC error encountered
                """).found().orElseThrow().rank()).hasValue(5);
    }

    @Test
    void aMarkThatNobodyKnowsIsTakenOffALineOfATraceback() {
        LogScan.Found found = scan("""
                train-worker-1 pytorch Traceback (most recent call last):
                train-worker-1 pytorch   File "train.py", line 3, in <module>
                train-master-0 pytorch loss: 0.3
                train-worker-1 pytorch ValueError: x is empty
                train-worker-1 pytorch epoch: 3
                """).found().orElseThrow();

        assertThat(found.text()).isEqualTo("ValueError: x is empty");
        assertThat(found.line()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERROR: ", "Error executing job with overrides: []", "2026-11-26 02:00:02,118 root ERROR "})
    void whatStandsBeforeATracebackAloneIsNoMark(String before) {
        assertThat(scan(before + """
                Traceback (most recent call last):
                  File "train.py", line 3, in <module>
                ValueError: x is empty
                """).found().orElseThrow().text()).isEqualTo("ValueError: x is empty");
    }

    @Test
    void theWorkOfManyOtherRanksDoesNotPushAnErrorAway() {
        StringBuilder log = new StringBuilder("[rank3]: ValueError: bad label\n");
        for (int line = 0; line < 256; line++) {
            log.append("[rank").append(line % 64).append("]: step: loss 0.3\n");
        }

        LogScan.Found found =
                scan(log + "[rank0]: ncclRemoteError: A call failed").found().orElseThrow();

        assertThat(found.text()).isEqualTo("ValueError: bad label");
        assertThat(found.near()).isTrue();
    }

    @Test
    void afterAnErrorThatTheProgramOutlivedTheWordsOfAPeerAreTheFirst() {
        String work = "step: loss 0.3\n".repeat(200);

        assertThat(scan("ConnectionError: wandb is away\n" + work + "ncclRemoteError: A call failed")
                        .found()
                        .orElseThrow()
                        .text())
                .startsWith("ncclRemoteError");
        assertThat(scan("ValueError: x\n" + work + "Execution status: FAIL")
                        .found()
                        .orElseThrow()
                        .text())
                .isEqualTo("ValueError: x");
    }
}
