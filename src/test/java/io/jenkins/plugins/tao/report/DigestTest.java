package io.jenkins.plugins.tao.report;

import static io.jenkins.plugins.tao.report.TestReportTest.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a night was, in a few lines. */
class DigestTest {
    private static RunRecord failed(int night, String cause) {
        return ARun.of(night)
                .ended("failed")
                .text("", "target", "dgx")
                .text("outcome", "cause", cause)
                .text("outcome", "detail", "it <broke>")
                .number("times", "queueSeconds", night * 1000L)
                .record();
    }

    private static final List<RunRecord> RUNS = List.of(
            ARun.of(1).record(),
            failed(2, "NODE_FAILURE"),
            failed(3, "PROGRAM"),
            failed(4, "A_CAUSE_OF_TOMORROW"),
            ARun.of(5).ended("cancelled").without("machines", "gpuSeconds").record());

    private static final List<PastVerdict> VERDICTS = List.of(
            verdict("mAP as usual", GateResult.PASS, Effect.NOTE, "fine"),
            verdict("IoU as usual", GateResult.BETTER, Effect.NOTE, "higher | than ever"),
            verdict("loss as usual", GateResult.REGRESSION, Effect.FAILURE, "worse"),
            verdict("fps as usual", GateResult.NO_VERDICT, Effect.NOTE, "2 nights"));

    @Test
    @Promise("NV-24")
    void itCountsWhatRanAndWhoseFaultAFailureWas() {
        assertThat(new Digest("night #7", RUNS, VERDICTS).text())
                .contains(
                        "ran: 5 jobs: 1 succeeded, 3 failed (1 machine, 1 program, 1 not known), 1 cancelled\n",
                        "worse: 1, suspect: 0, better: 0, as usual: 0, without a verdict: 0\n",
                        "GPU hours: 32.00, not known of 1 job\n",
                        "longest waits: 1h6m (dino train, #4), 50m (dino train, #3), 33m20s (dino train, #2)\n")
                .containsPattern("dino train #2 +dgx +failed \\(machine\\) +NODE_FAILURE, it <broke>")
                .containsSubsequence("loss as usual", "IoU as usual", "fps as usual")
                .doesNotContain("mAP as usual");
    }

    @Test
    @Promise("NV-24")
    void trainingsAreCountedAndNamedAndNotTheirGates() {
        List<PastVerdict> both = List.of(
                judged("train-1", "mAP as usual", GateResult.REGRESSION),
                judged("train-1", "mAP at least 0.4", GateResult.REGRESSION),
                judged("train-1", "loss as usual", GateResult.PASS),
                judged("train-5", "mAP as usual", GateResult.BETTER));

        assertThat(new Digest("night", RUNS, both).text())
                .contains("worse: 1, suspect: 0, better: 1, as usual: 0, without a verdict: 0\n")
                .contains("dino train: mAP at least 0.4");
    }

    private static PastVerdict judged(String run, String gate, GateResult call) {
        return new PastVerdict(
                "#7", "", List.of(run), gate, call, Effect.NOTE, "x", OptionalDouble.empty(), OptionalDouble.empty());
    }

    @Test
    @Promise("NV-24")
    void itIsMarkdownAndAFragmentOfHtmlThatNoTextBreaks() {
        Digest digest = new Digest("night <#7>", RUNS, VERDICTS);

        assertThat(digest.markdown())
                .startsWith("## night <#7>\n\n- ran: 5 jobs")
                .contains("higher \\| than ever");
        assertThat(digest.html())
                .startsWith("<h2>night &lt;#7&gt;</h2>")
                .contains("<td>NODE_FAILURE, it &lt;broke&gt;</td>")
                .doesNotContain("<broke>");
    }

    @Test
    @Promise("NV-24")
    void aNightOfNothingIsNotANightWithoutFaults() {
        assertThat(new Digest("night", List.of(), List.of()).text())
                .contains("ran: nothing left a record", "longest waits: not known");
    }

    @ParameterizedTest
    @EnumSource(Outcome.Cause.class)
    void eachCauseHasItsFault(Outcome.Cause cause) {
        Outcome.Fault fault = Digest.fault(failed(1, cause.name()));

        assertThat(fault == Outcome.Fault.MACHINE)
                .isEqualTo(cause.infrastructure() && cause != Outcome.Cause.PREEMPTED);
    }

    @Test
    @Promise("NV-24")
    void aGateThatWasAnsweredAfterEachSeedStandsOnceWithItsNewestAnswer() {
        List<PastVerdict> verdicts = List.of(
                verdict("loss as usual", GateResult.REGRESSION, Effect.FAILURE, "after one seed"),
                verdict("dino train: loss as usual", GateResult.REGRESSION, Effect.FAILURE, "after three seeds"));

        assertThat(new Digest("run #7", RUNS, verdicts).text())
                .contains("worse: 1,", "after three seeds")
                .doesNotContain("after one seed");
    }
}
