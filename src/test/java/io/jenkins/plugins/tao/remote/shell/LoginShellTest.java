package io.jenkins.plugins.tao.remote.shell;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.remote.host.JointScript;
import io.jenkins.plugins.tao.remote.host.ScriptFrame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our scripts below the shells that an account may have, each called with -c as sshd does, in an environment that changes what tools do. */
class LoginShellTest {
    private static final String NASTY = "it's \"$HOME\" `id` \\n !! * {a,b} ~ #x; %s | é";

    private static final Map<String, String> HOSTILE = Map.of(
            "POSIXLY_CORRECT", "1",
            "GREP_OPTIONS", "--color=always --invert-match",
            "LS_COLORS", "di=01;34:*.log=01;31",
            "LS_OPTIONS", "--color=always",
            "TIME_STYLE", "none-such",
            "QUOTING_STYLE", "c",
            "PS_FORMAT", "none",
            "TMPDIR", "/none-such",
            "CDPATH", "/");

    @TempDir
    Path directory;

    @BeforeEach
    void files() throws IOException {
        Files.writeString(directory.resolve("a.log"), "one\ntwo\n");
        Files.writeString(directory.resolve("b c'd.log"), "three");
        Files.createDirectories(directory.resolve("sub"));
    }

    private Map<String, String> scripts() {
        String staged = directory.resolve("sta'ged/file").toString();
        List<TailScript.Request> tails = List.of(
                new TailScript.Request(directory.toString(), List.of("a.log"), Position.START, 0),
                new TailScript.Request(directory.toString(), List.of("b*.log"), Position.START, 0));
        Map<String, String> scripts = new LinkedHashMap<>();
        scripts.put("words", "printf '%s\\n' " + quote(NASTY) + " " + quote("") + " " + quote("a\nb"));
        scripts.put("listing", PathListing.render(directory.toString()));
        scripts.put("tail", TailScript.render(tails, true));
        scripts.put(
                "staging",
                Staging.directory(directory.resolve("sta'ged").toString()) + Staging.file(staged, NASTY, "600") + "cat "
                        + quote(staged));
        scripts.put("sums", "cd " + quote(directory.toString()) + "; set -- ./a.log\n" + HostSums.script());
        scripts.put("joint", JointScript.render(List.of("echo 'a b'", "exit 3")));
        scripts.put(
                "grep",
                "cd " + quote(directory.toString()) + "; grep -h two *.log; ls -l a.log | wc -l; env | grep -c POSIX");
        return scripts;
    }

    private static String said(List<String> words, Map<String, String> more, String script) throws IOException {
        ProcessBuilder shell = new ProcessBuilder(words);
        shell.environment().keySet().removeAll(HOSTILE.keySet());
        shell.environment().putAll(more);
        shell.redirectError(ProcessBuilder.Redirect.DISCARD);
        Process process = shell.start();
        try (var in = process.getOutputStream()) {
            in.write(new ScriptFrame(script).input());
        }
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash", "dash", "zsh", "fish", "csh", "tcsh", "ksh", "mksh", "busybox sh"})
    void everyScriptSaysTheSameBelowEveryLoginShell(String shell) throws Exception {
        List<String> words = new ArrayList<>(List.of(shell.split(" ", -1)));
        words.set(0, "/usr/bin/" + words.get(0));
        Assumptions.assumeTrue(Files.exists(Path.of(words.get(0))), "no " + shell + " here");

        for (Map.Entry<String, String> each : scripts().entrySet()) {
            ScriptFrame frame = new ScriptFrame(each.getValue());
            List<String> login = new ArrayList<>(words);
            login.addAll(List.of("-c", frame.command()));
            String plain = said(List.of("/bin/sh", "-c", frame.program()), Map.of(), each.getValue());

            assertThat(plain).as(each.getKey()).matches("(?s)--- tao-run: output of the script follows ---\n.+");
            assertThat(said(login, Map.of(), each.getValue())).as(each.getKey()).isEqualTo(plain);
            assertThat(said(login, HOSTILE, each.getValue()))
                    .as(each.getKey() + ", in another environment")
                    .isEqualTo(plain);
        }
    }
}
