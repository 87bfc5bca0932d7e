package io.jenkins.plugins.tao.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CostTableTest {
    private static final PriceTable PRICES = new PriceTable(List.of(
            new Price(Optional.empty(), Optional.empty(), 1, "EUR"),
            new Price(Optional.of("dgx"), Optional.empty(), 2, "EUR"),
            new Price(Optional.of("dgx"), Optional.of("h100"), 3, "EUR"),
            new Price(Optional.of("lepton"), Optional.empty(), 4, "USD")));

    private static ARun run(int night, String target, String job, String user) {
        return ARun.of(night)
                .text("origin", "job", job)
                .text("origin", "user", user)
                .text("origin", "build", "#" + night)
                .text("machines", "gpuType", "NVIDIA H100 80GB HBM3")
                .top("target", target);
    }

    private static final List<RunRecord> RUNS = List.of(
            run(1, "dgx", "vision/nightly", "ana").record(),
            run(2, "dgx", "vision/nightly", "ben")
                    .without("machines", "gpuSeconds")
                    .number("times", "queueSeconds", 600)
                    .record(),
            run(40, "dgx", "vision/nightly", "ana")
                    .number("times", "queueSeconds", 0)
                    .record(),
            run(41, "lepton", "try", "ana").without("times", "queueSeconds").record(),
            run(42, "box", "try", "ben")
                    .ended("going")
                    .without("machines", "gpuSeconds")
                    .record(),
            run(43, "box", "try", "ben").ended("not sent").record());

    /** Of four members one hour of eight GPUs is known of two. */
    private static RunRecord partly(int night) {
        return run(night, "dgx", "vision/nightly", "ana")
                .without("machines", "gpuSeconds")
                .number("machines", "gpuSecondsAtLeast", 2 * 8 * 3600)
                .number("machines", "membersUntimed", 2)
                .record();
    }

    @Test
    @Promise("NV-26")
    void whatIsKnownOfAnArrayIsInTheSumWhichIsAtLeastSoMuch() {
        RunRecord whole = run(40, "dgx", "vision/nightly", "ana").record();

        CostTable table = CostTable.of(List.of(whole, partly(41)), Dimension.parse("target"), PRICES);

        assertThat(table.csv()).contains("dgx,2,0,24.00,1,60,60,0,72.00 EUR,0");
        assertThat(table.sentence())
                .isEqualTo(
                        "2 runs ended, at least 24.00 GPU-hours, 72.00 EUR. Not in the sums: 1 without the GPU-hours of"
                                + " some members.");
        assertThat(PRICES.of(partly(41))).as("a price is of all of it").isEmpty();
    }

    @Test
    @Promise("NV-26")
    void sumsAreOfWhatIsKnownAndTheRestIsCountedBesideThem() {
        CostTable table = CostTable.of(RUNS, Dimension.parse("target, month"), PRICES);

        assertThat(table.csv().lines())
                .containsExactly(
                        "target,month,runs,not ended,GPU hours,GPU hours unknown,queue p50 s,queue p90 s,queue unknown,cost,without price",
                        "box,2026-02,0,1,,0,,,0,,0",
                        "dgx,2026-01,2,0,8.00,1,60,600,0,24.00 EUR,0",
                        "dgx,2026-02,1,0,8.00,0,0,0,0,24.00 EUR,0",
                        "lepton,2026-02,1,0,8.00,0,,,1,32.00 USD,0");
        assertThat(table.sentence())
                .isEqualTo("4 runs ended, 24.00 GPU-hours, 48.00 EUR + 32.00 USD. Not in the sums: 1 without known"
                        + " GPU-hours, 1 without known queue wait, 1 not ended yet.");
    }

    @Test
    @Promise("NV-26")
    void runsAreGroupedByJobBuildFolderUserAndKindOfGpu() {
        assertThat(keys("job")).containsExactly("try", "vision/nightly");
        assertThat(keys("build")).containsExactly("#1", "#2", "#40", "#41", "#42");
        assertThat(keys("folder")).containsExactly("vision", "unknown");
        assertThat(keys("user")).containsExactly("ana", "ben");
        assertThat(keys("gpu")).containsExactly("NVIDIA H100 80GB HBM3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Dimension.parse("target,team"))
                .withMessageContaining("'team'. Known words: job, build, folder, user, month, target, gpu");
    }

    private static List<String> keys(String by) {
        return CostTable.of(RUNS, Dimension.parse(by), PRICES).groups().stream()
                .map(group -> group.keys().get(0).orElse("unknown"))
                .toList();
    }

    @Test
    @Promise("NV-26")
    void whatNoRecordHasIsAbsentFromJsonAndNotZero() {
        String json = CostTable.of(
                        List.of(run(1, "dgx", "a", "b")
                                .without("machines", "gpuSeconds")
                                .record()),
                        Dimension.parse("user"),
                        PRICES)
                .json();

        assertThat(json)
                .contains("\"gpuHoursUnknown\" : 1")
                .doesNotContain("\"gpuHours\"")
                .contains("\"cost\" : { }");
        assertThat(CostTable.of(RUNS, Dimension.parse("user"), PRICES).json()).contains("\"gpuHours\" : 24.0");
    }

    @Test
    @Promise("NV-26")
    void thePriceThatNamesMostCountsAndNoneIsNoPriceOfZero() {
        RunRecord unknownKind =
                run(1, "dgx", "a", "b").without("machines", "gpuType").record();
        PriceTable onlyA100 = new PriceTable(List.of(new Price(Optional.empty(), Optional.of("A100"), 5, "EUR")));

        assertThat(PRICES.of(RUNS.get(0)).orElseThrow().amount()).isEqualTo(24);
        assertThat(PRICES.of(unknownKind).orElseThrow().amount()).isEqualTo(16);
        assertThat(onlyA100.of(RUNS.get(0))).isEmpty();
        assertThat(CostTable.of(RUNS, List.of(), onlyA100).total().withoutPrice())
                .isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PriceTable(List.of(
                        new Price(Optional.of("dgx"), Optional.of("H100"), 1, "EUR"),
                        new Price(Optional.of("dgx"), Optional.of("h100"), 2, "EUR"))))
                .withMessageContaining("two prices for target dgx, GPU h100");
        assertThatIllegalArgumentException().isThrownBy(() -> new Price(Optional.empty(), Optional.empty(), -1, "EUR"));
    }
}
