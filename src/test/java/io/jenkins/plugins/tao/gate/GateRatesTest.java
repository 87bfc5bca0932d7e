package io.jenkins.plugins.tao.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import org.junit.jupiter.api.Test;

/** A small run of what docs/benchmarks.md has in full; the numbers are drawn from a fixed seed. */
class GateRatesTest {
    @Test
    @Promise("NV-16")
    void goodSeriesSeldomAlarmAndDropsAreFound() {
        GateRates rates = new GateRates(400, 100);

        assertThat(rates.falseAlarms(10, false, false)).isBetween(0.0, 0.0035);
        assertThat(rates.falseAlarms(10, true, true)).isBetween(0.0, 0.0095);
        assertThat(rates.nights(30, 3)[50]).isLessThanOrEqualTo(3);
        assertThat(rates.nights(10, 5)[50]).isEqualTo(1);
    }
}
