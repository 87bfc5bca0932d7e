package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretTest {
    @Test
    void aSecretShowsItselfToRevealAlone() {
        Secret secret = Secret.of("line 1\nline 2");

        assertThat(secret.reveal()).isEqualTo("line 1\nline 2");
        assertThat(secret.toString()).isEqualTo("***");
    }

    @Test
    void equalValuesAreEqualSecrets() {
        assertThat(Secret.of("a")).isEqualTo(Secret.of("a")).hasSameHashCodeAs(Secret.of("a"));
        assertThat(Secret.of("a")).isNotEqualTo(Secret.of("b")).isNotEqualTo("a");
    }
}
