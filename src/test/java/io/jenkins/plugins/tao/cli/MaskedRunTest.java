package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that says its own secret: the fake backend's jobs write their command to their log, and it is the secret here. */
class MaskedRunTest {
    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void start() {
        bench = new Bench(directory);
        bench.env.put("HUSH", "exit 7");
        bench.write("telling.yaml", "target: fake\ncommand: exit 7\nsecrets: {TOKEN: 'env:HUSH'}\n");
    }

    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("telling.yaml"))
                    .forEach(file -> files.put(String.valueOf(file.getFileName()), read(file)));
        }
        return files;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatARunKeepsHoldsNoSecret() throws Exception {
        assertThat(bench.tao("run", "telling.yaml", "--id", "telling")).isEqualTo(1);

        assertThat(files())
                .containsKeys("job.json", "events.jsonl", "failure.json", "main.out")
                .allSatisfy((name, text) -> assertThat(text).as(name).doesNotContain("exit 7"));
        assertThat(files().get("main.out")).isEqualTo("hello from ****\n");
        assertThat(bench.out()).contains("hello from ****", "command: ****").doesNotContain("from exit 7");
    }

    @Test
    void aJobWhoseSecretIsGoneFromHereIsLookedAfterAllTheSame() throws Exception {
        assertThat(bench.tao("submit", "telling.yaml", "--id", "telling")).isEqualTo(0);
        bench.env.remove("HUSH");

        assertThat(bench.tao("wait", "telling")).isEqualTo(1);

        assertThat(files()).containsKey("main.out");
    }
}
