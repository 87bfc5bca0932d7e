package io.jenkins.plugins.tao.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much of a large file is held. */
class BoundedLinesTest {
    @TempDir
    Path folder;

    private BoundedLines.Read read(long most, String text) throws IOException {
        return BoundedLines.of(
                Files.writeString(folder.resolve("status.json"), text), most, line -> !line.equals("no"));
    }

    @Test
    void allThatFitsIsReadWithoutWhatIsNotWanted() throws Exception {
        assertThat(read(100, "one\nno\ntwo\r\nthree")).isEqualTo(read(11, "one\ntwo\nthree\n"));
        assertThat(read(100, "one\nno\ntwo\r\nthree").lines()).containsExactly("one", "two", "three");
    }

    @Test
    void ofWhatDoesNotFitTheOldestLinesGoAndAreCounted() throws Exception {
        BoundedLines.Read read = read(8, "one\ntwo\nthree\n");

        assertThat(read.lines()).containsExactly("two", "three");
        assertThat(read.leftOut()).isEqualTo(1);
        assertThat(read.characters()).isEqualTo(8);
    }

    @Test
    void aLineOfTwoMillionLettersIsLeftOutAndTheNextOneIsWhole() throws Exception {
        BoundedLines.Read read = read(1 << 22, "one\n" + "x".repeat(2_000_000) + "\ntwo\n");

        assertThat(read.lines()).containsExactly("one", "two");
        assertThat(read.leftOut()).isEqualTo(1);
    }

    @Test
    void aByteThatIsNoTextAndAFileThatIsNotThereDoNoHarm() throws Exception {
        Path file = folder.resolve("latin1");
        Files.write(file, "caf\u00e9\nok\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(BoundedLines.of(file, 100, line -> true).lines()).hasSize(2).contains("ok");
        assertThat(BoundedLines.of(folder.resolve("gone"), 100, line -> true).lines())
                .isEmpty();
    }
}
