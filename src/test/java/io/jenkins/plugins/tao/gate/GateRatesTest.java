package io.jenkins.plugins.tao.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A small run of what docs/benchmarks.md has in full; the numbers are drawn from a fixed seed. */
class GateRatesTest {
    private static final Pattern FALSE_ALARMS = Pattern.compile("\\| false alarms a night, (.*) \\| ([0-9.]+) % \\|");

    @Test
    @Promise("NV-16")
    void goodSeriesSeldomAlarmAndDropsAreFound() {
        GateRates rates = new GateRates(400, 100);

        assertThat(rates.falseAlarms(10, false, false)).isBetween(0.0, 0.0035);
        assertThat(rates.falseAlarms(10, true, true)).isBetween(0.0, 0.0095);
        assertThat(rates.nights(30, 3)[50]).isLessThanOrEqualTo(3);
        assertThat(rates.nights(10, 5)[50]).isEqualTo(1);
    }

    /** The page is made by {@code -Pbench}, in full. */
    @Test
    @Promise("NV-16")
    void theRatesOfThePageAreThoseThatArePromised() throws IOException {
        Map<String, Double> rates = Files.readAllLines(Path.of("docs/benchmarks.md")).stream()
                .map(FALSE_ALARMS::matcher)
                .filter(Matcher::matches)
                .collect(Collectors.toMap(line -> line.group(1), line -> Double.valueOf(line.group(2))));

        assertThat(rates).hasSize(8);
        assertThat(rates)
                .allSatisfy((noise, rate) ->
                        assertThat(rate).as(noise).isLessThanOrEqualTo(noise.endsWith("known, normal") ? 0.2 : 0.65));
    }
}
