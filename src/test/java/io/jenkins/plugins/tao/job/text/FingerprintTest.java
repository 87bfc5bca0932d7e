package io.jenkins.plugins.tao.job.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FingerprintTest {
    @Test
    void itIsTheBeginningOfWhatSha256sumPrints() {
        assertThat(Fingerprint.of("abc", 12)).isEqualTo("ba7816bf8f01");
        assertThat(Fingerprint.of("", 4)).isEqualTo("e3b0");
    }
}
