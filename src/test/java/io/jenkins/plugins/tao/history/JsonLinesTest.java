package io.jenkins.plugins.tao.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLinesTest {
    @TempDir
    Path folder;

    private List<String> part(Path file, long first, long end) throws IOException {
        List<String> lines = new ArrayList<>();
        new JsonLines(file)
                .each(
                        first,
                        end,
                        (bytes, length, begin) ->
                                lines.add(begin + " " + new String(bytes, 0, length, StandardCharsets.UTF_8)));
        return lines;
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nbb\n\n  \nccc\ndé\n", "a\nbb\nlast without an end", "\n\n", ""})
    void twoPartsGiveEachLineOnceWhereverTheyMeet(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("lines"), text);
        List<String> all = part(file, 0, Long.MAX_VALUE);

        for (long middle = 0; middle <= Files.size(file) + 1; middle++) {
            List<String> both = new ArrayList<>(part(file, 0, middle));
            both.addAll(part(file, middle, Long.MAX_VALUE));
            assertThat(both).as("parts meet at %d", middle).isEqualTo(all);
        }
    }

    @Test
    void lineSaysAtWhichByteItBegins() throws Exception {
        Path file = Files.writeString(folder.resolve("lines"), "é\n\nsecond\n");

        assertThat(part(file, 0, Long.MAX_VALUE)).containsExactly("0 é", "4 second");
    }
}
