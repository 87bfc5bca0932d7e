package io.jenkins.plugins.tao.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Git itself is the judge of what the rules mean. */
class IgnoreRulesTest {
    private static final List<String> NAMES =
            List.of("a", "b", "data", "data.bin", "x.py", "x.pyc", "a b", "#c", "!d", "[e]", "logs");

    private static final List<String> PATTERNS = List.of(
            "a",
            "/a",
            "a/",
            "/a/",
            "*.py?",
            "*.bin",
            "data/**",
            "**/data",
            "a/**/b",
            "!x.py",
            "!a/",
            "a*",
            "d?ta",
            "[ab]",
            "[!a]",
            "\\#c",
            "\\!d",
            "\\[e\\]",
            "# no rule",
            "",
            "a\\ b",
            "logs  ",
            "/data/*",
            "!/data/x.py",
            "*",
            "!*/",
            "a/b",
            "**/a/b",
            "b/**",
            "x.py[c-d]",
            "[a",
            "!",
            "/");

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"*.pyc, src/x.pyc, true", "/x.py, src/x.py, false", "data/, src/data/1, true", "data/, src/data, false"
    })
    void aRuleMeansWhatItMeansToGit(String rule, String path, boolean ignored) {
        assertThat(IgnoreRules.parse(rule).ignores(path)).isEqualTo(ignored);
    }

    @Test
    @Promise("NS-02")
    void fourHundredRandomIgnoreFilesLeaveOutWhatGitLeavesOut() throws Exception {
        Random random = new Random(15);
        Checkout checkout = new Checkout(directory);
        Set<String> paths = new TreeSet<>();
        while (paths.size() < 60) {
            String path = path(random);
            if (paths.stream().noneMatch(other -> other.startsWith(path + "/") || path.startsWith(other + "/"))) {
                paths.add(path);
                checkout.file(path, "");
            }
        }
        for (int round = 0; round < 400; round++) {
            String rules = String.join("\n", some(random)) + "\n";
            Files.writeString(directory.resolve(".git/rules"), rules);
            Set<String> kept =
                    new TreeSet<>(List.of(checkout.git("ls-files", "-z", "--others", "--exclude-from=.git/rules")
                            .split("\0")));
            kept.remove("");
            Set<String> ours = new TreeSet<>(paths);
            ours.removeIf(IgnoreRules.parse(rules)::ignores);

            assertThat(ours).as(rules).isEqualTo(kept);
        }
    }

    private static String path(Random random) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            parts.add(NAMES.get(random.nextInt(NAMES.size())));
        }
        return String.join("/", parts);
    }

    private static Set<String> some(Random random) {
        Set<String> rules = new LinkedHashSet<>();
        for (int i = 0; i <= random.nextInt(5); i++) {
            rules.add(PATTERNS.get(random.nextInt(PATTERNS.size())));
        }
        return rules;
    }
}
