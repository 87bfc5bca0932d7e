package io.jenkins.plugins.tao.remote.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts below real shells. */
class ScriptFrameTest {
    private static final String MARK = "--- tao-run: output of the script follows ---\n";

    @TempDir
    Path directory;

    private static List<String> words(String shell) {
        List<String> words = new ArrayList<>(List.of(shell.split(" ", -1)));
        words.set(0, "/usr/bin/" + words.get(0));
        Assumptions.assumeTrue(Files.exists(Path.of(words.get(0))), "no " + shell + " here");
        return words;
    }

    private String said(List<String> words, Map<String, String> env, ScriptFrame frame) throws IOException {
        ProcessBuilder shell = new ProcessBuilder(words).directory(directory.toFile());
        shell.redirectError(directory.resolve("errors").toFile());
        shell.environment().putAll(env);
        Process process = shell.start();
        try (var in = process.getOutputStream()) {
            in.write(frame.input());
        }
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** As where a profile says {@code exec zsh}: the new shell reads the script as its own. */
    @ParameterizedTest
    @ValueSource(strings = {"bash", "dash", "zsh", "fish", "tcsh", "busybox sh"})
    void aShellThatReadsTheScriptWithoutItsFrameRunsNothing(String shell) throws Exception {
        said(words(shell), Map.of(), new ScriptFrame("touch ran\ntouch again"));

        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(directory.resolve("again")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "dash", "zsh", "fish", "tcsh", "busybox sh"})
    void aLoginShellRunsTheFrame(String shell) throws Exception {
        List<String> words = words(shell);
        words.addAll(List.of("-c", new ScriptFrame("").command()));

        assertThat(said(words, Map.of(), new ScriptFrame(""))).isEqualTo(MARK);
    }

    /** Where bash is {@code /bin/sh}, it takes options and functions from the environment. */
    @Test
    void whatALoginSaysOfShellsAndToolsDoesNotHold() throws Exception {
        Path sh = Files.createSymbolicLink(
                directory.resolve("sh"), Path.of(words("bash").get(0)));
        Files.createDirectories(directory.resolve("elsewhere/sub"));
        Files.createDirectories(directory.resolve("sub"));
        ScriptFrame frame = new ScriptFrame("""
                false
                echo one > file; echo two > file
                echo "[$no_such_variable]"
                cat file; grep -c two file
                echo no*match
                case A in a) echo wrong ;; esac
                cd sub && echo "$PWD" | grep -c elsewhere
                tao_own=1; env | grep -c tao_
                env | grep -c POSIXLY
                module load x""");
        Map<String, String> login = Map.of(
                "SHELLOPTS", "allexport:errexit:noclobber:nounset:noglob:xtrace",
                "BASHOPTS", "failglob:nocasematch",
                "CDPATH", directory.resolve("elsewhere").toString(),
                "GREP_OPTIONS", "--invert-match",
                "POSIXLY_CORRECT", "1",
                "BASH_FUNC_cat%%", "() { echo lies; }",
                "BASH_FUNC_grep%%", "() { echo lies; }",
                "BASH_FUNC_echo%%", "() { :; }",
                "BASH_FUNC_cd%%", "() { :; }",
                "BASH_FUNC_module%%", "() { echo \"module $*\"; }");

        assertThat(said(List.of(sh.toString(), "-c", frame.program()), login, frame))
                .isEqualTo(MARK + "[]\ntwo\n1\nno*match\n0\n0\n0\nmodule load x\n");
    }
}
