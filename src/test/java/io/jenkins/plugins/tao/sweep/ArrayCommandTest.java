package io.jenkins.plugins.tao.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command of members of an array that are cells, in a real shell. */
class ArrayCommandTest {
    private static final String NASTY = "it's \"$HOME\" `id` \\ & | ; ü";

    @TempDir
    private Path directory;

    private String member(String index, String spec, List<ArrayCommand.Member> members) throws Exception {
        Path config = Files.writeString(directory.resolve("member " + index + ".yaml"), spec);
        String command = new ArrayCommand("TASK").render(members, "cat {config_path}; echo \"<$MODEL>\"");
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", command.replace("{config_path}", "'" + config + "'"))
                .redirectErrorStream(true);
        shell.environment().put("TASK", index);
        Process run = shell.start();
        run.getOutputStream().close();
        return new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8) + "code " + run.waitFor();
    }

    @Test
    @Promise("NS-08")
    void eachMemberGetsTheValuesOfItsCellInEnvironmentAndSpecWhateverTheyHold() throws Exception {
        String lr = ArrayCommand.token(0);
        List<ArrayCommand.Member> members = List.of(
                new ArrayCommand.Member(Map.of("MODEL", "plain"), Map.of(lr, "0.001")),
                new ArrayCommand.Member(Map.of("MODEL", NASTY), Map.of(lr, "\"" + NASTY + "\"")));
        String spec = "a: {lr: \"" + lr + "\"}\nb: " + lr + "\nc: '" + lr + "'\n";

        assertThat(member("0", spec, members)).isEqualTo("a: {lr: 0.001}\nb: 0.001\nc: 0.001\n<plain>\ncode 0");
        assertThat(member("1", spec, members))
                .contains("b: \"" + NASTY + "\"\n", "<" + NASTY + ">\n")
                .endsWith("code 0");
    }

    @Test
    @Promise("NS-08")
    void aMemberWithoutACellEndsBeforeTheCommand() throws Exception {
        assertThat(member("7", "x", List.of(new ArrayCommand.Member(Map.of("MODEL", "a"), Map.of()))))
                .isEqualTo("the sweep has no cell 7\ncode 64");
    }

    @Test
    void aValueOfSeveralLinesIsRefused() {
        assertThatThrownBy(() -> new ArrayCommand.Member(Map.of(), Map.of("t", "a\nb")))
                .hasMessageContaining("must be one line");
    }

    @Test
    void aTokenOfOneAxisIsNoneOfAnother() {
        assertThat(ArrayCommand.token(11)).doesNotContain(ArrayCommand.token(1));
    }
}
