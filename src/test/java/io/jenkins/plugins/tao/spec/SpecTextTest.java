package io.jenkins.plugins.tao.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jenkins.plugins.tao.job.SpecFormat;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** Read back by others: SnakeYAML for YAML 1.1, its engine for YAML 1.2, Python's own modules for JSON and TOML. */
class SpecTextTest {
    private static final BigInteger BIG = new BigInteger("123456789012345678901234567890");
    private static final String ODD = "früh 🚗 \u2028 \u0085 \u0001 \u007f 'q' \"d\" \\ \n\ttab # no: comment";

    @TempDir
    Path folder;

    /** What specs hold, and what readers stumble over. */
    private static Map<String, Object> spec() {
        Map<String, Object> train = new LinkedHashMap<>();
        train.put("zeta", 1);
        train.put("lr", 1e-4);
        train.put("steps", 1e10);
        train.put("big", BIG);
        train.put("negative", -7L);
        train.put("half", 0.5f);
        train.put("tiny", new BigDecimal("1E-7"));
        train.put("on", true);
        train.put("stages", List.of("a", 2, 3.5, List.of(1, "x"), Map.of("k", List.of())));
        train.put("sources", List.of(Map.of("name", "one"), Map.of("name", "two", "deep", Map.of("n", 1))));
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("unheard_of", Map.of());
        spec.put("train", train);
        spec.put(
                "texts",
                new ArrayList<>(List.of("no", "1e-4", "1_000", "2024-01-01", "null", "~", "", " x ", "0x1F", ODD)));
        spec.put("day", LocalDate.of(2026, 11, 21));
        spec.put("yes", "a key like a word");
        spec.put("a key: 'odd' ключ", 3);
        spec.put("007", "seven");
        return spec;
    }

    private static String text(Map<String, Object> spec, SpecFormat format) {
        return SpecText.render(SpecTree.rewritten(spec, UnaryOperator.identity()), format);
    }

    private static JsonNode tree(Object value) {
        return new ObjectMapper().valueToTree(value);
    }

    /** The same values, whatever class of number a reader takes. */
    private static JsonNode expected() throws Exception {
        return new ObjectMapper().readTree(text(spec(), SpecFormat.JSON));
    }

    private static JsonNode json(Object value) throws Exception {
        return new ObjectMapper().readTree(new ObjectMapper().writeValueAsString(value));
    }

    @Test
    void yamlMeansTheSameToReadersOfBothVersions() throws Exception {
        String yaml = text(spec(), SpecFormat.YAML);

        Object old = new Yaml().load(yaml);
        // the engine lacks two escapes of the standard, of line separators
        String known = yaml.replace("\\L", "\\u2028").replace("\\N", "\\u0085");
        Object current = new Load(LoadSettings.builder().build()).loadFromString(known);

        assertThat(json(old)).isEqualTo(expected());
        assertThat(json(current)).isEqualTo(expected());
    }

    @ParameterizedTest
    @ValueSource(strings = {"JSON", "TOML"})
    void pythonReadsJsonAndTomlWithAllValuesAsTheyAre(SpecFormat format) throws Exception {
        Path file = folder.resolve("spec." + format.extension());
        Files.writeString(file, text(spec(), format));

        String read = python(
                "import json, sys\n"
                        + "import " + (format == SpecFormat.TOML ? "tomllib" : "json") + " as reader\n"
                        + "print(json.dumps(reader.load(open(sys.argv[1], 'rb'))))",
                file);

        assertThat(new ObjectMapper().readTree(read)).isEqualTo(expected());
    }

    /** TOML is read by tomllib, which Python has since 3.11, as Debian 12 brings it: CI leaves nothing out. */
    private static String python(String program, Path file) throws Exception {
        Process process = new ProcessBuilder("python3", "-c", program, file.toString())
                .redirectErrorStream(true)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        assumeTrue(!told.contains("No module named 'tomllib'"), "python3 is older than 3.11");
        return told;
    }

    @ParameterizedTest
    @EnumSource
    void keysStayInTheirOrder(SpecFormat format) {
        Map<String, Object> spec = new LinkedHashMap<>();
        List<String> keys = Arrays.asList("zeta", "alpha", "mid", "beta", "omega");
        keys.forEach(key -> spec.put(key, Map.of("value", key.length())));

        String text = text(spec, format);

        assertThat(keys.stream().map(text::indexOf)).isSorted().doesNotContain(-1);
    }

    @ParameterizedTest
    @EnumSource
    void numbersAreWrittenSoThatTheOldestReaderTakesThemForNumbers(SpecFormat format) {
        String text = text(
                Map.of("a", 1e-4, "b", 1e10, "c", BIG, "d", new BigDecimal("1E-7"), "e", new BigDecimal("12E+3")),
                format);

        assertThat(text).contains("1.0E-4", "1.0E+10", BIG.toString(), "1.0E-7", "1.2E+4");
    }

    @Test
    void nothingIsSaidInYamlAndJsonAndRefusedWithItsKeyInToml() {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("train", Map.of("sources", Arrays.asList(Map.of("ok", 1), null)));

        assertThat(text(spec, SpecFormat.YAML)).contains("- null");
        assertThat(text(spec, SpecFormat.JSON)).isEqualTo("{\"train\":{\"sources\":[{\"ok\":1},null]}}");
        assertThatThrownBy(() -> text(spec, SpecFormat.TOML))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'train.sources[1]' has no value, which TOML cannot say");
    }

    @Test
    void numbersThatAreNoneAreSaidInYamlAndTomlAndRefusedWithTheirKeyInJson() {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("clip", Double.POSITIVE_INFINITY);
        spec.put("floor", Double.NEGATIVE_INFINITY);
        spec.put("rest", Map.of("unset", Float.NaN));

        Map<String, Object> read = new Yaml().load(text(spec, SpecFormat.YAML));

        assertThat(read.get("clip")).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(read.get("floor")).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(read.get("rest")).isEqualTo(Map.of("unset", Double.NaN));
        assertThat(text(spec, SpecFormat.TOML)).contains("clip = inf", "floor = -inf", "rest.unset = nan");
        assertThatThrownBy(() -> text(spec, SpecFormat.JSON)).hasMessageContaining("'clip' is Infinity, which JSON");
    }

    @ParameterizedTest
    @EnumSource
    void aSpecOfFiveMebibytesIsWrittenWhole(SpecFormat format) throws Exception {
        Map<String, Object> spec = new LinkedHashMap<>();
        for (int i = 0; i < 4_000; i++) {
            spec.put("class_" + i, Map.of("path", "/lustre/data/" + "x".repeat(1_300) + i, "weight", i / 7.0));
        }
        spec.put("long", "y".repeat(1 << 18));

        String text = text(spec, format);

        assertThat(text.length()).isGreaterThan(5 << 20);
        LoaderOptions wide = new LoaderOptions();
        wide.setCodePointLimit(1 << 26);
        JsonNode read =
                switch (format) {
                    case YAML -> tree(new Yaml(wide).load(text));
                    case JSON -> new ObjectMapper().readTree(text);
                    case TOML -> new com.fasterxml.jackson.dataformat.toml.TomlMapper().readTree(text);
                };
        assertThat(read).hasSize(4_001);
        assertThat(read.path("long").asText()).hasSize(1 << 18);
        assertThat(read.path("class_3999").path("path").asText()).endsWith("x3999");
    }

    @Test
    void whatIsNeitherNumberNorTextBecomesText() {
        Map<String, Object> spec = Map.of("at", Path.of("/data/a"), "on", LocalDate.of(2026, 1, 2));

        assertThat(text(spec, SpecFormat.YAML)).contains("at: \"/data/a\"", "on\": \"2026-01-02\"");
    }
}
