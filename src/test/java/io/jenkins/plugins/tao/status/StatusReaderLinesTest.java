package io.jenkins.plugins.tao.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatusReaderLinesTest {
    private final StatusReader reader = new StatusReader();

    @Test
    void theLinesThatAPieceCompletesAreKeptAsTheyAre() {
        reader.feed("{\"epoch\": 0, \"kpi\": {\"a\": 1}}\n{\"epo".getBytes(UTF_8));
        assertThat(reader.lines()).containsExactly("{\"epoch\": 0, \"kpi\": {\"a\": 1}}");

        reader.feed("ch\": 1}\n".getBytes(UTF_8));
        assertThat(reader.lines()).containsExactly("{\"epoch\": 1}");

        reader.feed("{\"epoch\": 2}".getBytes(UTF_8));
        assertThat(reader.lines()).isEmpty();
    }
}
