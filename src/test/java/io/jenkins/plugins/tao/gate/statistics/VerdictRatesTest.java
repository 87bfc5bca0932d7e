package io.jenkins.plugins.tao.gate.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Nightly;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.statistics.SimulatedSeries.Confirm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How often the rule alarms without cause and what it finds; the numbers are drawn from fixed seeds. */
class VerdictRatesTest {
    private static final int FEW = 300;
    private static final int MANY = 3000;
    private static final Path PAGE = Path.of("docs/benchmarks.md");

    private final SimulatedRates rates = new SimulatedRates(FEW);

    @Test
    @Promise("NV-16")
    void goodSeriesSeldomAlarm() {
        assertThat(rates.unchanged(SimulatedNoise.NORMAL, MetricRange.OPEN, Confirm.NEXT_RUN)
                        .red())
                .isBetween(0.0, 0.25);
        assertThat(rates.unchanged(SimulatedNoise.HEAVY_OUTLIERS, MetricRange.OPEN, Confirm.NEXT_RUN)
                        .red())
                .isBetween(0.0, 0.8);
        assertThat(rates.unchanged(SimulatedNoise.BETA_99, MetricRange.SHARE, Confirm.NEXT_RUN)
                        .red())
                .isBetween(0.0, 0.5);
    }

    @Test
    @Promise("NV-16")
    void lastingDropsAreFoundAndStayRed() {
        SimulatedRates.Drop two = rates.drop(SimulatedNoise.NORMAL, 2, 0, Confirm.NEXT_RUN);
        SimulatedRates.Drop three = rates.drop(SimulatedNoise.NORMAL, 3, 0, Confirm.NEXT_RUN);
        SimulatedRates.Drop five = rates.drop(SimulatedNoise.NORMAL, 5, 0, Confirm.NEXT_RUN);

        assertThat(two.redAfter()).isGreaterThan(70);
        assertThat(three.redWithin().get(5)).isGreaterThan(88);
        assertThat(three.redAfter()).isGreaterThan(89);
        assertThat(five.redAfter()).isGreaterThan(98);
        assertThat(rates.drop(SimulatedNoise.NORMAL, 20, 0, Confirm.NEXT_RUN)
                        .redWithin()
                        .get(1))
                .isGreaterThan(99);
    }

    @Test
    @Promise({"NV-14", "NV-16"})
    void newLevelsFallBacksAndYoungSeriesAreWatched() {
        assertThat(rates.early(3, 20, Confirm.NEXT_RUN)[0]).isGreaterThan(88);
        assertThat(rates.fallBack(3, Confirm.NEXT_RUN)[1]).isGreaterThan(95);
        for (int run = 2; run <= 5; run++) {
            assertThat(rates.blessed(run, 6, Confirm.NEXT_RUN)[1])
                    .as("run %d", run)
                    .isGreaterThan(90);
        }
    }

    @Test
    @Promise("NV-16")
    void aRerunFindsADropInItsFirstRun() {
        assertThat(rates.drop(SimulatedNoise.NORMAL, 5, 0, Confirm.RERUN)
                        .redWithin()
                        .get(1))
                .isGreaterThan(93);
        assertThat(rates.unchanged(SimulatedNoise.NORMAL, MetricRange.OPEN, Confirm.RERUN)
                        .red())
                .isBetween(0.0, 0.35);
    }

    @Test
    @Promise("NV-16")
    void thePageHasEachFigureWithABarAndHoldsIt() throws IOException {
        assertThat(Files.readString(PAGE))
                .contains("| false red runs: normal | ≤ 0.15 |", "| false red runs: t3 and outliers | ≤ 0.55 |")
                .doesNotContain("**not met** |");
    }

    /** The whole table; where it differs from the page, the page is out of date. */
    @Nightly
    @Test
    @Promise("NV-16")
    void theTableOfThePageIsWhatTheRuleDoes() throws IOException {
        VerdictSimulation all = VerdictSimulation.of(MANY);

        assertThat(all.missed()).isEmpty();
        assertThat(Files.readString(PAGE)).contains(all.table());
    }
}
