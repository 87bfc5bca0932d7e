package io.jenkins.plugins.tao.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options of a command from a map. */
class CommandOptionsTest {
    @Test
    @Promise("NS-06")
    void eachKindOfValueHasItsForm() {
        Map<String, Object> args = new LinkedHashMap<>();
        args.put("e", "/specs/a.yaml");
        args.put("num-epochs", 12);
        args.put("use_amp", true);
        args.put("resume", false);
        args.put("gpus", List.of(0, 1));
        args.put("-x", "y");
        args.put("out", "{results_dir}/a b");

        assertThat(CommandOptions.added("python3 train.py", args))
                .isEqualTo("python3 train.py -e /specs/a.yaml --num-epochs=12 --use_amp --gpus 0 1 -x y"
                        + " --out={results_dir}'/a b'");
    }

    @Test
    @Promise("NS-06")
    void theCommandSaysWhereItsOptionsBelong() {
        assertThat(CommandOptions.added("cd /src && python3 train.py {args} | tee log", Map.of("lr", "1e-3")))
                .isEqualTo("cd /src && python3 train.py --lr=1e-3 | tee log");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandOptions.added("cd /src && python3 train.py", Map.of("lr", "1e-3")))
                .withMessageContaining("write {args} where its options belong");
        assertThat(CommandOptions.added("print('{args}')", Map.of())).isEqualTo("print('{args}')");
    }

    @ParameterizedTest
    @Promise("NS-06")
    @ValueSource(
            strings = {"$(touch /tmp/x)", "a'b", "a\"b", "; rm -rf x", "a\nb", "*", "~", "", "-n", "a\\", "`id`", "ä ö"
            })
    void aShellReadsEachValueAsOneWordAndNothingElse(String nasty) throws Exception {
        assertThat(words(CommandOptions.added("printf '%s\\0'", Map.of("name", nasty))))
                .containsExactly("--name=" + nasty);
        assertThat(words(CommandOptions.added("printf '%s\\0'", Map.of("n", List.of("x", nasty)))))
                .containsExactly("-n", "x", nasty);
    }

    @Test
    @Promise("NS-06")
    void whatIsNoOptionIsRefused() {
        for (String name : List.of("a b", "--", "a;b", "", "$x", "a=b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CommandOptions.added("train", Map.of(name, 1)))
                    .withMessageContaining("is no name of an option");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandOptions.added("train", Map.of("a", Map.of("b", 1))))
                .withMessageContaining("'a' holds a map");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandOptions.added("train", Map.of("a", List.of())))
                .withMessageContaining("'a' is an empty list");
    }

    private static List<String> words(String command) throws Exception {
        Process shell = new ProcessBuilder("/bin/sh", "-c", command).start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Arrays.asList(said.substring(0, said.length() - 1).split("\0", -1));
    }
}
