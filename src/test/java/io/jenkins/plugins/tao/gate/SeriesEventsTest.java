package io.jenkins.plugins.tao.gate;

import static io.jenkins.plugins.tao.gate.Nights.USUAL;
import static io.jenkins.plugins.tao.gate.Nights.judge;
import static io.jenkins.plugins.tao.gate.Nights.nights;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Level;
import io.jenkins.plugins.tao.gate.statistics.MetricRange;
import io.jenkins.plugins.tao.gate.statistics.SeriesState;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a history counts, and in which order. */
class SeriesEventsTest {
    private static List<RunRecord> runs(double... after) {
        return nights(
                "val_mAP50",
                DoubleStream.concat(DoubleStream.of(USUAL), DoubleStream.of(after))
                        .toArray());
    }

    private static Blessed level(RunRecord run, Instant at) {
        return new Blessed(Blessed.LEVEL, run, "ana", at, "smaller model");
    }

    /** The finding for run {@code number} of {@code runs}, by the runs before it. */
    private static Finding of(List<RunRecord> runs, int number, Blessed... levels) {
        return judge("kpi: val_mAP50", evidence(runs, number, levels));
    }

    private static Evidence evidence(List<RunRecord> runs, int number, Blessed... levels) {
        return new Evidence(
                List.of(runs.get(number - 1)), runs.subList(0, number - 1), List.of(levels), Map.of(), Map.of());
    }

    @Test
    @Promise("NV-18")
    void aBlessingCountsFromTheTimeAtWhichItWasGiven() {
        List<RunRecord> runs = runs(.402, .401, .4015, .4012, .4013);
        Blessed level = level(runs.get(11), runs.get(13).submittedAt().minusSeconds(1));

        assertThat(of(runs, 13, level).call()).isEqualTo(GateResult.REGRESSION);
        assertThat(of(runs, 14, level).call()).isEqualTo(GateResult.PASS);
        assertThat(of(runs, 15, level).standing().phase()).contains(SeriesState.Phase.WATCHING);
    }

    @Test
    @Promise("NV-18")
    void eachBlessingOfALevelCountsNotTheNewestAlone() {
        List<RunRecord> runs = runs(.402, .401, .4015, .392, .391, .3915, .402);
        Blessed first = level(runs.get(11), runs.get(12).submittedAt().minusSeconds(1));
        Blessed second = level(runs.get(14), runs.get(15).submittedAt().minusSeconds(1));

        assertThat(of(runs, 13, second, first).call()).isEqualTo(GateResult.PASS);
        assertThat(of(runs, 15, second, first).call()).isEqualTo(GateResult.REGRESSION);
        assertThat(of(runs, 16, second, first).call()).isEqualTo(GateResult.PASS);
        assertThat(of(runs, 17, second, first).call()).isEqualTo(GateResult.BETTER);
        assertThat(of(runs, 17, second, first).series())
                .filteredOn(mark -> mark.begins().equals(Optional.of(Level.Origin.BLESSING)))
                .extracting(Finding.Mark::label)
                .containsExactly("#12", "#15");
    }

    @Test
    void aRunThatEndedLaterThanTheJudgedOneDoesNotCount() {
        List<RunRecord> runs = new ArrayList<>(runs());
        runs.add(ARun.of(11)
                .metric("val_mAP50", .404)
                .text("times", "endedAt", "2026-02-01T00:00:00Z")
                .record());
        runs.add(ARun.of(12).metric("val_mAP50", .404).record());
        RunRecord later = ARun.of(50).metric("val_mAP50", .404).record();

        assertThat(of(runs, 12).call()).isEqualTo(GateResult.SUSPECT);
        assertThat(judge("kpi: val_mAP50", later, runs.subList(0, 11)).call()).isEqualTo(GateResult.REGRESSION);
    }

    @Test
    @Promise({"NV-19", "NV-20"})
    void whatChangedComparesWithTheLastGoodRunThatTheSentenceNames() {
        List<RunRecord> runs = runs(.404, .402, .401, .4015, .412, .411, .404, .403);

        for (int number : new int[] {12, 13, 14, 18}) {
            Evidence evidence = evidence(runs, number);
            Finding finding = judge("kpi: val_mAP50", evidence);
            String good = number < 18 ? "#10" : "#16";

            assertThat(finding.call()).isEqualTo(GateResult.REGRESSION);
            assertThat(finding.sentence()).contains("(last good " + good + ")");
            assertThat(Changes.lastGood(evidence, finding))
                    .map(RunRecord::label)
                    .contains(good);
        }
    }

    /** The runs of a gate on equal images, each with its own image. */
    private static List<RunRecord> runsOf(List<String> images, double... values) {
        List<RunRecord> runs = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            runs.add(ARun.of(i + 1)
                    .metric("val_mAP50", values[i])
                    .text("work", "image", images.get(i % images.size()))
                    .record());
        }
        return runs;
    }

    private static Finding matched(List<RunRecord> runs, int number, Blessed... levels) {
        return judge("kpi: val_mAP50; mustMatch: image", evidence(runs, number, levels));
    }

    @Test
    @Promise("NV-14")
    void anImageThatMustMatchBeginsALevelWithTheOldSpread() {
        List<RunRecord> runs = runsOf(List.of("x:1"), USUAL);
        double[] next = {.35, .352, .349, .32};
        for (double value : next) {
            runs.add(ARun.of(runs.size() + 1)
                    .metric("val_mAP50", value)
                    .text("work", "image", "x:2")
                    .record());
        }

        assertThat(matched(runs, 11).call()).isEqualTo(GateResult.NO_VERDICT);
        assertThat(matched(runs, 11).sentence())
                .isEqualTo(
                        "New level: image x:2 (was x:1). First verdict in 1 run. Before it 0.412 was usual; now val_mAP50 0.35.");
        assertThat(matched(runs, 12).call()).isEqualTo(GateResult.PASS);
        assertThat(matched(runs, 14).call()).isEqualTo(GateResult.REGRESSION);
        assertThat(matched(runs, 14).series())
                .filteredOn(mark -> mark.begins().equals(Optional.of(Level.Origin.NAMED_CHANGE)))
                .extracting(Finding.Mark::label)
                .containsExactly("#11");
    }

    @Test
    @Promise("NV-14")
    void imagesThatAlternateAreComparedEachWithItsOwn() {
        List<RunRecord> runs = runsOf(List.of("x:1", "x:2"), .40, .30, .401, .301, .402, .302, .401, .301, .400, .20);

        Finding finding = matched(runs, 10);

        assertThat(finding.call()).isEqualTo(GateResult.REGRESSION);
        assertThat(finding.sentence())
                .contains("below the usual 0.301")
                .endsWith("4 runs cannot be compared; #9: image x:2 instead of x:1.");
    }

    @Test
    @Promise({"NV-14", "NV-18"})
    void aRunOfTheImageBeforeThatIsBlessedAfterTheChangeIsNoLevelOfTheNewImage() {
        List<RunRecord> runs = runsOf(List.of("x:1"), USUAL);
        for (double value : new double[] {.35, .352, .349}) {
            runs.add(ARun.of(runs.size() + 1)
                    .metric("val_mAP50", value)
                    .text("work", "image", "x:2")
                    .record());
        }
        Blessed late = level(runs.get(4), runs.get(12).submittedAt().minusSeconds(1));

        assertThat(matched(runs, 13, late).call()).isEqualTo(GateResult.PASS);
        assertThat(matched(runs, 13, late).sentence())
                .isEqualTo(matched(runs, 13).sentence());
    }

    @ParameterizedTest
    @CsvSource({
        "ocdnet, train, hmean, SHARE",
        "ocrnet, evaluate, test_acc, PERCENT",
        "depth_net_mono, train, val/d1, SHARE",
        "depth_net_stereo, evaluate, val/d1, SHARE",
        "re_identification, evaluate, mAP, SHARE",
        "visual_changenet, train, val_acc, OPEN",
        "stylegan_xl, train, fid50k, OPEN",
        "dino, train, val_mAP50, OPEN"
    })
    void theScaleOfAMetricIsItsKnownRange(String network, String action, String metric, MetricRange range) {
        RunRecord run = ARun.of(1)
                .text("work", "network", network)
                .text("work", "action", action)
                .record();

        assertThat(KnownMetrics.of(run, metric).orElseThrow().scale()).isEqualTo(range);
    }

    @Test
    void aShareWhoseValuesAreBeyondItsRangeIsComparedAsItIs() {
        double[] percent = {97.1, 97.3, 97.2, 97.0, 97.4, 97.2, 97.1, 97.3, 97.2, 80};
        List<RunRecord> runs = new ArrayList<>();
        for (int i = 0; i < percent.length; i++) {
            runs.add(ARun.of(i + 1)
                    .metric("hmean", percent[i])
                    .text("work", "network", "ocdnet")
                    .record());
        }

        Finding finding = judge("kpi: hmean", runs.get(9), runs.subList(0, 9));

        assertThat(finding.call()).isEqualTo(GateResult.REGRESSION);
        assertThat(finding.limit()).hasValueCloseTo(96.6, org.assertj.core.data.Offset.offset(0.2));
    }
}
