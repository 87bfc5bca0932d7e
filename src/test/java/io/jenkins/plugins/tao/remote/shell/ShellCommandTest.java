package io.jenkins.plugins.tao.remote.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellCommandTest {
    private static final List<String> NASTY = List.of(
            "",
            " ",
            "'",
            "''",
            "a'b",
            "\"",
            "\\",
            "\\\\n",
            "$HOME",
            "$(id)",
            "`id`",
            "${x:-y}",
            "a\nb\n",
            "\r\n",
            "\t",
            "*",
            "?",
            "[a-z]",
            "~",
            "~root",
            "!!",
            "#x",
            "a;b",
            "a|b",
            "a&b",
            "<x>",
            "--",
            "-n",
            "-e\\t",
            "äöü ✓ 日本",
            "x".repeat(10_240),
            "'\\''",
            "%s%n",
            "A=B",
            "{a,b}",
            "\u0001\u007f");

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash", "busybox sh", "/bin/sh"})
    void everyWordArrivesAsItIs(String shell) throws Exception {
        ShellCommand command = ShellCommand.of("printf", "%s\\0");
        NASTY.forEach(command::word);

        byte[] out = output(shell, command.render());

        assertThat(Arrays.asList(new String(out, UTF_8).split("\0", -1))).containsExactlyElementsOf(with(NASTY, ""));
    }

    @Test
    void anOptionIsOneWordWhateverItsValue() throws Exception {
        String text = ShellCommand.of("printf", "%s\\n", "--")
                .option("comment", "tao: it's $(odd)")
                .flag("parsable")
                .render();

        assertThat(new String(output("/bin/sh", text), UTF_8))
                .isEqualTo("--\n--comment=tao: it's $(odd)\n--parsable\n");
    }

    @Test
    void plainWordsStayReadable() {
        assertThat(ShellCommand.of("sbatch", "--parsable", "/lustre/job_a.sbatch")
                        .render())
                .isEqualTo("sbatch --parsable /lustre/job_a.sbatch");
    }

    @Test
    void aNulCharacterOrAnOddOptionNameIsRefused() {
        assertThatThrownBy(() -> ShellCommand.quote("a\0b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ShellCommand.of("x").flag("a b")).hasMessageContaining("'a b'");
    }

    private static byte[] output(String shell, String text) throws IOException, InterruptedException {
        String[] words = (shell + " -c").split(" ", -1);
        String[] command = Arrays.copyOf(words, words.length + 1);
        command[words.length] = text;
        Process process = new ProcessBuilder(command).start();
        process.getOutputStream().close();
        byte[] out = process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isZero();
        return out;
    }

    private static List<String> with(List<String> list, String more) {
        return Stream.concat(list.stream(), Stream.of(more)).toList();
    }
}
