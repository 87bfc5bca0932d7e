package io.jenkins.plugins.tao.remote.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JointScriptTest {
    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash", "busybox sh"})
    void eachScriptHasItsOwnWordsAndItsOwnEnd(String shell) throws Exception {
        List<String> scripts =
                List.of("echo one", "printf two; exit 3", "x=4; echo bad >&2; false", "echo \"${x:-none}\"");

        List<JointScript.Part> parts = JointScript.read("dgx", 4, run(shell, JointScript.render(scripts)));

        assertThat(parts).extracting(JointScript.Part::ok).containsExactly(true, false, false, true);
        assertThat(parts).extracting(part -> part.said().strip()).containsExactly("one", "two", "bad", "none");
    }

    @Test
    void anAnswerThatWasCutOffIsNoAnswer() {
        Reply reply = new Reply(255, "one\n\ntao-part 0\nhalf".getBytes(StandardCharsets.UTF_8), "Connection reset");

        assertThatExceptionOfType(Unreadable.class)
                .isThrownBy(() -> JointScript.read("dgx", 2, reply))
                .withMessageContaining("dgx answered 1 of 2 scripts");
    }

    private static Reply run(String shell, String script) throws IOException, InterruptedException {
        List<String> words = new java.util.ArrayList<>(List.of(shell.split(" ")));
        words.addAll(List.of("-c", script));
        Process process = new ProcessBuilder(words).start();
        byte[] out = process.getInputStream().readAllBytes();
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Reply(process.waitFor(), out, err);
    }
}
