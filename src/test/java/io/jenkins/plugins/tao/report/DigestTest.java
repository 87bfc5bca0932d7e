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
                .startsWith("night #7: 1 training worse, 4 of 5 jobs did not succeed\n")
                .contains(
                        "dino train #2 on dgx: failed (machine)\n  NODE_FAILURE, it <broke>\n",
                        "ran: 5 jobs: 1 succeeded, 3 failed (1 machine, 1 program, 1 not known), 1\n  cancelled\n",
                        "GPU hours: 32.00, not known of 1 job\n",
                        "longest waits: 1h6m (dino train, #4), 50m (dino train, #3), 33m20s (dino\n  train, #2)\n")
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
                .startsWith("night: 1 training worse, 4 of 5 jobs did not succeed, 1 training better\n")
                .contains("\ndino train: mAP at least 0.4: regression\n  x\n");
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
                .startsWith("## night <#7>: 1 training worse, 4 of 5 jobs did not succeed\n\n| run | target |")
                .contains("higher \\| than ever", "\n\n- ran: 5 jobs");
        assertThat(digest.html())
                .startsWith("<h2>night &lt;#7&gt;: 1 training worse")
                .contains("<td>NODE_FAILURE, it &lt;broke&gt;</td>")
                .doesNotContain("<broke>");
    }

    @Test
    @Promise("NV-24")
    void aNightOfNothingIsNotANightWithoutFaults() {
        assertThat(new Digest("night", List.of(), List.of()).text()).isEqualTo("""
                        night: no job left a record

                        ran: nothing left a record
                        GPU hours: 0.00
                        longest waits: not known
                        """);
    }

    private static final String BUILD = "https://ci.example/job/nightly/12/";
    private static final RunRecord RAN = ARun.of(12).text("", "target", "dgx").record();

    private static String text(RunRecord run, PastVerdict... verdicts) {
        return new Digest("nightly #12", BUILD, List.of(run), List.of(verdicts)).text();
    }

    private static PastVerdict answer(GateResult call, Effect effect, String sentence) {
        return new PastVerdict(
                "#12",
                "job/nightly/12/",
                List.of(RAN.id()),
                "val_mAP50 as usual",
                call,
                effect,
                sentence,
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    @Test
    @Promise("NV-24")
    void aGreenBuildIsSaidInItsFirstLine() {
        assertThat(text(RAN, answer(GateResult.PASS, Effect.NOTE, "val_mAP50 is 0.412.")))
                .isEqualTo("""
                nightly #12: 1 job succeeded, 1 training as usual
                https://ci.example/job/nightly/12/

                ran: 1 job: 1 succeeded
                GPU hours: 8.00
                longest waits: 1m (dino train, #12)
                """);
    }

    @Test
    @Promise("NV-24")
    void aRedGateStandsFirstWithItsEvidence() {
        assertThat(
                        text(
                                RAN,
                                answer(
                                        GateResult.REGRESSION,
                                        Effect.FAILURE,
                                        "val_mAP50 is 0.391; usual is 0.412 and the limit is 0.405, from 11 good runs. It is worse since #12.")))
                .isEqualTo("""
                nightly #12: 1 training worse, 1 job succeeded
                https://ci.example/job/nightly/12/

                dino train: val_mAP50 as usual: regression (failure)
                  val_mAP50 is 0.391; usual is 0.412 and the limit is 0.405, from 11 good runs.
                  It is worse since #12.

                ran: 1 job: 1 succeeded
                GPU hours: 8.00
                longest waits: 1m (dino train, #12)
                """);
    }

    @Test
    @Promise("NV-24")
    void aGateThatMakesTheBuildUnstableSaysSo() {
        assertThat(text(RAN, answer(GateResult.SUSPECT, Effect.UNSTABLE, "One more run decides.")))
                .isEqualTo("""
                nightly #12: 1 job succeeded, 1 training suspect
                https://ci.example/job/nightly/12/

                dino train: val_mAP50 as usual: suspect (unstable)
                  One more run decides.

                ran: 1 job: 1 succeeded
                GPU hours: 8.00
                longest waits: 1m (dino train, #12)
                """);
    }

    @Test
    @Promise("NV-24")
    void aFailedJobStandsFirstWithWhoseFaultItWasAndWhy() {
        assertThat(text(failed(12, "PROGRAM"))).isEqualTo("""
                nightly #12: the job did not succeed
                https://ci.example/job/nightly/12/

                dino train #12 on dgx: failed (program)
                  PROGRAM, it <broke>

                ran: 1 job: 0 succeeded, 1 failed (1 program)
                GPU hours: 8.00
                longest waits: 3h20m (dino train, #12)
                """);
    }

    @Test
    @Promise("NV-24")
    void aMissingVerdictIsNoGoodOne() {
        PastVerdict lacking = PastVerdict.lacking(
                "#12",
                "job/nightly/12/",
                "val_mAP50 at least 0.4",
                Effect.FAILURE,
                "No verdict: no job of this build has left a record yet. Let taoWait come first.");

        assertThat(new Digest("nightly #12", BUILD, List.of(), List.of(lacking)).text())
                .isEqualTo("""
                nightly #12: no job left a record, 1 training without a verdict
                https://ci.example/job/nightly/12/

                val_mAP50 at least 0.4: no verdict (failure)
                  No verdict: no job of this build has left a record yet. Let taoWait come
                  first.

                ran: nothing left a record
                GPU hours: 0.00
                longest waits: not known
                """);
    }

    @Test
    @Promise("NV-24")
    void aMailAndACommentLinkToTheBuild() {
        Digest digest = new Digest("nightly #12", BUILD, List.of(RAN), List.of());

        assertThat(digest.html()).startsWith("""
                <h2>nightly #12: 1 job succeeded</h2>
                <p><a href="https://ci.example/job/nightly/12/">https://ci.example/job/nightly/12/</a></p>
                <ul>
                """);
        assertThat(digest.markdown()).startsWith("""
                ## nightly #12: 1 job succeeded

                <https://ci.example/job/nightly/12/>

                - ran: 1 job""");
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
                .contains("1 training worse", "after three seeds")
                .doesNotContain("after one seed");
    }
}
