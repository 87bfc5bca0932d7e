package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** What the command line makes of the same file, see {@code SpecFileTest}. */
    @Test
    void aSpecIsReadAsOnTheCommandLine() {
        assertThat(FormText.map("spec", "a: &a {x: 1}\nb: *a\nexport:\n  checkpoint:\nn: 1_000\ni: .inf\nyes: no"))
                .isEqualTo(Map.of(
                        "a",
                        Map.of("x", 1),
                        "b",
                        Map.of("x", 1),
                        "export",
                        Collections.singletonMap("checkpoint", null),
                        "n",
                        "1_000",
                        "i",
                        Double.POSITIVE_INFINITY,
                        "yes",
                        "no"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FormText.map("spec", "a: 1\nb: 2\na: 3"))
                .withMessage("spec: the key 'a' stands there twice, again in line 3; keep one");
    }

    @Test
    void aTextOfAFormStaysAsItIsWritten() {
        assertThat(FormText.texts("env", "VERSION: 1.10\nCOMMIT: 0012345\nON: True"))
                .containsExactlyInAnyOrderEntriesOf(Map.of("VERSION", "1.10", "COMMIT", "0012345", "ON", "True"));
    }

    @Test
    void anchorsThatGrowWithoutEndAreRefused() {
        String doubled = IntStream.range(1, 45)
                .mapToObj(i -> "a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n")
                .collect(Collectors.joining("", "a0: &a0 [x]\n", ""));

        assertThatIllegalArgumentException().isThrownBy(() -> FormText.map("spec", doubled));
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
        assertThat(FormText.map("spec", String.valueOf(flat.get("spec")))).isEqualTo(Map.of("train", expected));
    }

    @Test
    void aSpecOfFiveMebibytesIsRead() {
        String entries = IntStream.range(
                        0, 80) // the time that SnakeYAML takes for one value grows with the square of its length
                .mapToObj(i -> "a" + i + ": '" + "x".repeat(1 << 16) + "'\n")
                .collect(Collectors.joining());
        String text = entries + "b: 1";

        assertThat(FormText.map("spec", text)).containsEntry("b", 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X=1", "- a\n- b", "a: [1", "a: 1\n\tb: 2", "7"})
    @Promise("TR-32")
    void aTextThatIsNoMappingIsOneLineInWordsOfTheField(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FormText.texts("env", text))
                .withMessageStartingWith("env must be a mapping in YAML, one 'NAME: value' a line")
                .withMessageNotContainingAny("java", "Jackson", "LinkedHashMap", "\n");
    }

    @Test
    @Promise("TR-32")
    void theSnippetGeneratorShowsATextThatIsNoMappingAsItIs() {
        assertThat(PipelineText.unflatten(Map.of("env", "X=1", "spec", "a: 1"), List.of("env", "spec")))
                .containsEntry("env", "X=1")
                .containsEntry("spec", Map.of("a", 1));
    }

    @Test
    @Promise("TR-38")
    void aListOfAPipelineComesBackEntryByEntry() {
        List<List<String>> lists = List.of(
                List.of("*.{pth,onnx}", "eval/*.csv"),
                List.of("/data/a,b", "/data/c"),
                List.of("[\"odd", "x"),
                List.of("one"),
                List.of());
        for (List<String> list : lists) {
            Map<String, Object> flat = PipelineText.flatten(Map.of("archive", list));

            assertThat(FormText.list(String.valueOf(flat.get("archive")))).isEqualTo(list);
            assertThat(FormText.lines(String.valueOf(flat.get("archive")))).isEqualTo(list);
        }
    }

    @Test
    @Promise("TR-38")
    void aFormsCommasSeparateOutsideOfBracesAndBrackets() {
        assertThat(FormText.list("*.{pth,onnx}, gpu[01,03],[ab]*.csv\nlog"))
                .containsExactly("*.{pth,onnx}", "gpu[01,03]", "[ab]*.csv", "log");
        assertThat(FormText.list("a}, b,,")).containsExactly("a}", "b");
        assertThat(FormText.lines("--comment=a,b\n")).containsExactly("--comment=a,b");
    }

    @Test
    @Promise("TR-32")
    void aListWithAHoleAndAScriptOfLinesAreTexts() {
        Map<String, Object> flat = PipelineText.flatten(
                Map.of("inputs", Arrays.asList("/a", null), "command", List.of("echo a,b", "true")));

        assertThat(flat).containsEntry("inputs", "/a\nnull").containsEntry("command", "echo a,b\ntrue");
    }

    @Test
    @Promise("TR-32")
    void optionsInNoFormThereIsAreRefusedWhenTheyAreRead() {
        Object options = WrongOptions.marked(Map.of("options", "slurm")).get("options");

        assertThat(options).isInstanceOf(WrongOptions.class);
        WrongOptions wrong = (WrongOptions) java.util.Objects.requireNonNull(options);
        assertThatIllegalArgumentException()
                .isThrownBy(wrong::toOptions)
                .withMessageContaining("options: slurm(partition: 'batch')")
                .withMessageEndingWith("was 'slurm'");
        assertThat(WrongOptions.marked(Map.of("options", Map.of("$class", "X"))))
                .containsEntry("options", Map.of("$class", "X"));
    }
}
