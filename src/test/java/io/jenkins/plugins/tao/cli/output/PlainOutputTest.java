package io.jenkins.plugins.tao.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlainOutputTest {
    @Test
    void linesOfAnyLengthAndNumberArePrintedWholeAndInOrder() {
        List<String> lines = IntStream.range(0, 20_000)
                .mapToObj(number -> number + (number % 5_000 == 0 ? "é".repeat(100_000) : " epoch"))
                .toList();
        ByteArrayOutputStream seen = new ByteArrayOutputStream();

        new PlainOutput(new PrintStream(seen, true, StandardCharsets.UTF_8), "job", new Verbosity(false, true))
                .on(JobEvent.Lines.of(Stream.OUT, lines));

        assertThat(seen.toString(StandardCharsets.UTF_8).lines()).containsExactlyElementsOf(lines);
    }
}
