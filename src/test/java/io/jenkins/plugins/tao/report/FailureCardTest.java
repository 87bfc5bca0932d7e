package io.jenkins.plugins.tao.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a person reads after a failure. */
class FailureCardTest {
    private static final String RECORD = """
            {"schema":1,"id":"train-1","target":"dgx","resultsDir":"/l/results","origin":{"build":"#7"},
             "work":{"network":"dino","action":"train"},
             "outcome":{"word":"failed","cause":"GPU_MEMORY","exitCode":1,
               "detail":"The command ended with exit code 1. The GPU's memory was too small.",
               "remedy":"Use a smaller batch.","evidence":"CUDA out of memory","facts":["free for results: 75.5 GiB"],
               "firstError":{"file":"logs/train.log","line":17,"rank":3,"text":"torch.OutOfMemoryError: CUDA out of memory","context":["a","b"]}},
             "machines":{"nodes":["n1","n2"],"gpus":8},
             "attempts":[{"cause":"NODE_FAILURE","detail":"A node failed (n9)."}]}
            """;

    @Test
    @Promise("NV-32")
    void itHasCauseErrorEvidenceAttemptsAndTheNextStep() {
        assertThat(FailureCard.of(RunRecord.parse(RECORD)).orElseThrow()).isEqualTo("""
                # train-1 (dino train, #7) failed

                - **Cause**: GPU_MEMORY (fault: program), exit code 1
                - **Why**: The command ended with exit code 1. The GPU's memory was too small.
                - **First error**: torch.OutOfMemoryError: CUDA out of memory (rank 3, logs/train.log line 17)

                      a
                      b

                - **Evidence**: CUDA out of memory
                - **Next step**: Use a smaller batch.
                - **Target**: dgx, on n1, n2, GPUs a node: 8
                  - free for results: 75.5 GiB
                - **Tried**: attempt 1 ended by NODE_FAILURE: A node failed (n9). This was attempt 2.
                - **Files**: /l/results
                """);
    }

    @Test
    @Promise("NV-32")
    void whatTheTargetFoundSaysTheNextStep() {
        String card = FailureCard.of(ARun.of(1)
                        .ended("lost")
                        .text("outcome", "diagnosis", "The node is down.")
                        .text("outcome", "remedy", "Wait for it.")
                        .record())
                .orElseThrow();

        assertThat(card).contains("- **Why**: The node is down.", "- **Next step**: Wait for it.", "**Tried**: once");
    }

    @Test
    @Promise({"NV-32", "TR-75"})
    void aLineIsToldOnceAndNoGpusAreNotTold() {
        String card = FailureCard.of(ARun.of(1)
                        .ended("failed")
                        .text("outcome", "detail", "The command ended with exit code 1.")
                        .text("outcome", "diagnosis", "The command ended with exit code 1.")
                        .text("outcome", "evidence", "RuntimeError: no")
                        .text("outcome/firstError", "text", "RuntimeError: no")
                        .text("machines", "gpus", "0")
                        .record())
                .orElseThrow();

        assertThat(card).containsOnlyOnce("The command ended").containsOnlyOnce("RuntimeError: no");
        assertThat(card).doesNotContain("GPUs");
    }

    @Test
    void linesThatEveryRankWroteAreShownOnce() {
        String card = FailureCard.of(RunRecord.parse("""
                {"schema":1,"id":"t","target":"dgx","outcome":{"word":"failed","cause":"PROGRAM","detail":"It failed.",
                 "facts":["main.err: [rank1]: KeyError: 'x'","main.err: [rank0]: KeyError: 'x'","main.out: Epoch 3","main.out: 1: Epoch 3"],
                 "firstError":{"file":"main.err","line":2,"rank":1,"text":"KeyError: 'x'","context":["[rank1]: KeyError: 'x'"]}}}
                """)).orElseThrow();

        assertThat(card.lines().filter(line -> line.endsWith("]: KeyError: 'x'")))
                .hasSize(1);
        assertThat(card.lines().filter(line -> line.contains("Epoch 3"))).containsExactly("  - main.out: Epoch 3");
    }

    @Test
    @Promise("TR-75")
    void aLongLineThatWasCutTwiceIsToldOnce() {
        String line = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 8.00 GiB. GPU 0 has 79.18 GiB";
        String card = FailureCard.of(ARun.of(1)
                        .ended("failed")
                        .text("outcome", "evidence", line.substring(0, 60) + "…")
                        .text("outcome/firstError", "text", line.substring(0, 80) + "…")
                        .record())
                .orElseThrow();

        assertThat(card).containsOnlyOnce("OutOfMemoryError").doesNotContain("Evidence");
    }

    @Test
    void aRunThatDidNotFailHasNone() {
        assertThat(FailureCard.of(ARun.of(1).record())).isEmpty();
        assertThat(FailureCard.of(ARun.of(1).ended("cancelled").record())).isEmpty();
    }

    @ParameterizedTest
    @Promise("NV-32")
    @EnumSource(Cause.class)
    void eachCauseHasANextStep(Cause cause) {
        assertThat(FailureCard.of(ARun.of(1)
                                .ended("failed")
                                .text("outcome", "cause", cause.name())
                                .record())
                        .orElseThrow())
                .containsPattern("Next step\\*\\*: .{20,}")
                .doesNotContain("what the target itself says");
    }

    @Test
    @Promise("NV-32")
    void itNamesWhichOfSeveralJobsOfABuildItIsAbout() {
        String card = FailureCard.of(ARun.of(5, 2)
                        .ended("failed")
                        .text("origin", "cell", "lr=0.1, seed=2")
                        .record())
                .orElseThrow();

        assertThat(card).startsWith("# train-5-2 (dino train, lr=0.1, seed=2, #5) failed\n");
        assertThat(FailureCard.of(
                                RunRecord.parse("{\"schema\":1,\"id\":\"bert-42\",\"outcome\":{\"word\":\"failed\"}}"))
                        .orElseThrow())
                .startsWith("# bert-42 failed\n");
    }
}
