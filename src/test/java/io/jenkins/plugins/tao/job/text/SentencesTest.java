package io.jenkins.plugins.tao.job.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SentencesTest {
    @Test
    void everySentenceEndsOnce() {
        assertThat(Sentences.join("exit code 3", "The program failed. ", "", " Why?", "Use one of: a, b"))
                .isEqualTo("exit code 3. The program failed. Why? Use one of: a, b.");
    }

    @Test
    void nothingIsNothing() {
        assertThat(Sentences.join("", "  ")).isEmpty();
    }
}
