package io.jenkins.plugins.tao.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CurveCutTest {
    private static final String CURVE = "[[0.0,0.4],[1.0,\"NaN\"],[2.0,-1.5E-3]]";

    private static String cut(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        return new String(bytes, 0, CurveCut.cut(bytes, bytes.length), StandardCharsets.UTF_8);
    }

    private static RunRecord light(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        byte[] source = bytes.clone();
        return RunRecord.withoutCurves(
                bytes, bytes.length, from -> new String(source, from, source.length - from, StandardCharsets.UTF_8));
    }

    @Test
    void aCurveGivesWayToItsPlace() {
        String before = "{\"schema\":1,\"id\":\"a\",\"metrics\":{\"x \\\"y\\\" [1]\":{\"last\":1,\"curve\":";

        assertThat(cut(before + CURVE + "},\"z\":{\"last\":2}},\"more\":[1]}"))
                .isEqualTo(before + before.length() + "},\"z\":{\"last\":2}},\"more\":[1]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"work\":{\"spec\":{\"curve\":" + CURVE + "}}}",
                "{\"metrics\":{\"curve\":" + CURVE + "}}",
                "{\"metrics\":{\"a\":{\"curve\":[]}}}",
                "{\"metrics\":{\"a\":{\"curve\":[[0.0,0.4],[1.0,\"new\"]]}}}",
                "{\"metrics\":{\"a\":{\"curve\":[[0.0,0.4],[1.0,{\"schema\":1,\"metrics\":{\"b\":{\"curve\":[[0,0.5]]}}}",
                "{\"metrics\":{\"a\":{\"curve\":[[0.0,0.4],[1.0,0.",
                "{\"id\":\"metrics\",\"other\":{\"a\":{\"curve\":" + CURVE + "}}}",
                "{\"metrics\":{\"a",
                "{\"metrics\":{\"a\\",
                "]}"
            })
    void allElseStays(String line) {
        assertThat(cut(line)).isEqualTo(line);
    }

    @Test
    void aRecordIsTheSameWithoutItsCurves() {
        RunRecord whole = ARun.of(1)
                .metric("a", 0.1, 0.2, Double.NaN)
                .metric("größe", 3, 2, 1, 0)
                .metric("short", 1)
                .record();

        RunRecord light = light(whole.line());

        assertThat(light)
                .isEqualTo(whole)
                .hasSameHashCodeAs(whole)
                .isNotEqualTo(ARun.of(1).record());
        assertThat(whole).isEqualTo(light);
        assertThat(light.line()).isEqualTo(whole.line());
        assertThat(light.render()).isEqualTo(whole.render());
        assertThat(light.metrics()).isEqualTo(whole.metrics());
        assertThat(light.metric("größe").orElseThrow().curve())
                .containsExactlyElementsOf(whole.metric("größe").orElseThrow().curve());
    }

    @Test
    void aLineThatIsDamagedInACurveIsNoRecord() {
        String line = ARun.of(1).metric("a", 1, 2, 3, 4).record().line().replace("2.0,3.0", "2.0;3.0");

        assertThatIllegalArgumentException().isThrownBy(() -> light(line));
    }
}
