package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A spec on its way from a form or a Pipeline into a job. */
class FormTextTest {
    @Test
    void aFormsNumbersAreNumbersAndItsTextsAreTexts() {
        Map<String, Object> map = FormText.map(
                "spec", "{lr: 1e-4, big: 123456789012345678901234567890, day: 2026-11-21, none: null, t: '1e-4'}");

        assertThat(map)
                .containsEntry("lr", 1e-4)
                .containsEntry("big", new BigInteger("123456789012345678901234567890"))
                .containsEntry("day", "2026-11-21")
                .containsEntry("none", null)
                .containsEntry("t", "1e-4");
        assertThat(map.keySet()).containsExactly("lr", "big", "day", "none", "t");
    }

    @Test
    void aPipelinesNumbersStayWhatTheyAre() {
        Map<String, Object> train = new LinkedHashMap<>();
        train.put("lr", new BigDecimal("1E-7"));
        train.put("steps", 10);
        train.put("resume", null);
        train.put("stages", Arrays.asList("no", null, 1.5));

        Map<String, Object> flat = PipelineText.flatten(Map.of("spec", Map.of("train", train)));

        Map<String, Object> expected = new LinkedHashMap<>(train);
        expected.put("lr", 1e-7);
        assertThat(FormText.map("spec", flat.get("spec").toString())).isEqualTo(Map.of("train", expected));
    }

    @Test
    void aSpecOfFiveMebibytesIsRead() {
        String text = "a: '" + "x".repeat(5 << 20) + "'\nb: 1";

        assertThat(FormText.map("spec", text)).containsEntry("b", 1);
    }
}
