package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.failure.LogScan;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.status.LauncherLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs of failed jobs, in the words of the programs that write them, from the exit code to the cause, the first error and the decision. */
class FailureCorpusTest {
    private static final String CORPUS = "/io/jenkins/plugins/tao/failure/corpus.txt";
    /** A progress bar that was drawn a hundred times over the line. */
    private static final String BAR = " 45%|####      | 18/40 [00:12<00:15,  3.50it/s]\r".repeat(100);

    /** A new attempt may help after these, and after no other. */
    private static final Set<Cause> TRIED_AGAIN =
            EnumSet.of(Cause.PREEMPTED, Cause.NODE_FAILURE, Cause.BOOT_FAILURE, Cause.HARDWARE, Cause.FABRIC);

    /** One log. */
    private record Entry(
            String source, String backend, boolean gpus, int exitCode, Cause cause, String first, List<String> lines) {
        static Entry of(List<String> text) {
            String[] head = text.get(0).substring(3).split("; ", 6);
            return new Entry(
                    head[0],
                    head[1],
                    !head[2].equals("none"),
                    Integer.parseInt(head[3]),
                    Cause.valueOf(head[4]),
                    head[5],
                    List.copyOf(text.subList(1, text.size())));
        }

        @Override
        public String toString() {
            return source;
        }
    }

    private static List<Entry> entries() throws IOException {
        List<List<String>> parts = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(FailureCorpusTest.class.getResourceAsStream(CORPUS))) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("# "))
                    .toList()) {
                if (line.startsWith("== ")) {
                    parts.add(new ArrayList<>());
                }
                parts.get(parts.size() - 1).add(line);
            }
        }
        return parts.stream().map(Entry::of).toList();
    }

    private static Failed failed(Entry entry) {
        JobStatus status = JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(entry.exitCode());
        LauncherLines launcher = LauncherLines.NONE;
        for (String line : entry.lines()) {
            launcher = launcher.after(line);
        }
        Outcome outcome = new Verdict(status, Progress.NONE, false, false, launcher, Optional.empty(), Verdict.FILE_LAG)
                .outcome()
                .orElseThrow();
        return FailureRules.own().explain((Failed) outcome, entry.backend(), entry.gpus(), List.of(entry.lines()));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void aLogShowsItsCauseItsFirstErrorAndWhetherANewAttemptMayHelp(Entry entry) {
        Failed failed = failed(entry);
        LogScan scan = new LogScan("main.err");
        entry.lines().forEach(scan::line);

        assertThat(failed.cause()).as(failed.words()).isEqualTo(entry.cause());
        assertThat(failed.cause().infrastructure()).isEqualTo(TRIED_AGAIN.contains(entry.cause()));
        assertThat(scan.found().orElseThrow().text()).isEqualTo(cut(entry.first()));
    }

    private static String cut(String text) {
        return text.length() <= 300 ? text : text.substring(0, 300) + "…";
    }

    /** Whatever stands before the lines of a rank, one mark an entry, and however long a training went well before. */
    @ParameterizedTest
    @MethodSource("entries")
    void marksTimesColoursAndALongLogBeforeChangeNothing(Entry entry) {
        List<String> marks = new ArrayList<>(
                List.of("[rank1]: ", "2: ", "[default3]:", "[1] [rank1]: ", "[1,4]<stderr>:", "(W pid=7) ", BAR));
        Collections.rotate(marks, entry.source().hashCode());
        boolean marked =
                entry.lines().stream().anyMatch(line -> line.matches("(\\[|\\d+:|\\(|worker|srun|slurmstepd).*"));
        for (String mark : marked ? List.of("") : marks.subList(0, 1)) {
            List<String> lines = new ArrayList<>(Collections.nCopies(150, "Epoch 3: 100%|####| 40/40 loss 0.31"));
            lines.add(10, "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected");
            lines.add(20, "RuntimeError: CUDA error: unknown error");
            entry.lines()
                    .forEach(line ->
                            lines.add("2026-11-26T02:00:02.123456Z " + mark + "\u001b[31m" + line + "\u001b[0m"));

            assertThat(FailureRules.own()
                            .explain(
                                    new Failed(Cause.PROGRAM, "It failed."),
                                    entry.backend(),
                                    entry.gpus(),
                                    List.of(lines))
                            .cause())
                    .as(mark)
                    .isEqualTo(entry.cause());
        }
    }

    /** What sounds like an error and is none: attempts that are not the last, a table of the GPUs, libraries that look for what may be missing. */
    @ParameterizedTest
    @MethodSource("entries")
    void whatALogGotOverBeforeChangesNothing(Entry entry) {
        List<String> lines = new ArrayList<>(List.of(
                "gpu1:10:10 [0] misc/socket.cc:484 NCCL WARN socketStartConnect: Connect to 10.0.0.7<45112> failed : Connection"
                        + " refused, retrying (1/34) after sleep for 100 msec",
                "'(ReadTimeoutError(\"HTTPSConnectionPool(host='huggingface.co', port=443): Read timed out.\"), '(Request ID:"
                        + " 3b8)')' thrown while requesting GET https://huggingface.co/datasets/x/resolve/main/a.zst",
                "2026-01-01 10:00:00.000001: E external/local_xla/xla/stream_executor/cuda/cuda_fft.cc:477] Unable to register"
                        + " cuFFT factory: Attempting to register factory for plugin cuFFT when one has already been registered",
                "|   0  NVIDIA H100 80GB HBM3          On  |   00000000:19:00.0 Off |                    0 |",
                "checks: 8 GPUs, no Xid, no uncorrectable ECC errors, no stale file handles"));
        lines.addAll(entry.lines());

        assertThat(FailureRules.own()
                        .explain(new Failed(Cause.PROGRAM, "It failed."), entry.backend(), entry.gpus(), List.of(lines))
                        .cause())
                .isEqualTo(entry.cause());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            PROGRAM; ValueError: bad label
            GPU_MEMORY; torch.OutOfMemoryError: CUDA out of memory.
            HARDWARE; RuntimeError: CUDA error: uncorrectable ECC error encountered
            """)
    void whatManyRanksWriteAfterOneFailedDoesNotPushItAway(Cause cause, String line) {
        List<String> lines = new ArrayList<>(List.of("[rank3]: " + line));
        for (int rank = 0; rank < 64; rank++) {
            lines.add("gpu01:77:" + rank + " [0] NCCL INFO misc/socket.cc:28 -> 3");
            lines.add("gpu01:77:" + rank + " [0] NCCL INFO comm 0x7f rank 5 nranks 64 cudaDev 5 - Abort COMPLETE");
            lines.add("[rank" + rank + "]:[W1126 02:00:02.1 TCPStore.cpp:125] [c10d] recvValue failed: got 0 bytes.");
            lines.add("[rank" + rank + "]:[E1126 02:00:02.1 ProcessGroupNCCL.cpp:1895] Process group watchdog thread"
                    + " terminated with exception: NCCL error: remote process exited or there was a network error");
            lines.add(
                    "Exception raised from checkForNCCLErrors at ProcessGroupNCCL.cpp:2060 (most recent call first):");
            lines.add("frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f in libc10.so)");
            lines.add("[gpu01:" + rank + "] [ 0] /lib/x86_64-linux-gnu/libc.so.6(+0x42520)[0x7f4b2c842520]");
            lines.add("[rank: " + rank + "] Received SIGTERM: 15");
            lines.add("W0813 06:19:49.1 77 torch/distributed/elastic/multiprocessing/api.py:897] Sending process "
                    + rank + " closing signal SIGTERM");
            lines.add("wandb: train/loss 0.31");
            lines.add("srun: error: gpu01: task " + rank + ": Killed");
        }
        LogScan scan = new LogScan("main.err");
        lines.forEach(scan::line);

        Failed failed =
                FailureRules.own().explain(new Failed(Cause.PROGRAM, "It failed."), "slurm", true, List.of(lines));

        assertThat(failed.cause()).isEqualTo(cause);
        assertThat(scan.found().orElseThrow().text()).isEqualTo(line);
    }

    @Test
    void theCorpusIsLarge() throws IOException {
        assertThat(entries()).hasSizeGreaterThanOrEqualTo(700);
    }
}
