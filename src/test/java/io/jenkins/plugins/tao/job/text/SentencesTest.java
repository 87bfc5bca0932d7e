package io.jenkins.plugins.tao.job.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentencesTest {
    @Test
    void everySentenceEndsOnce() {
        assertThat(Sentences.join("exit code 3", "The program failed. ", "", " Why?", "Use one of: a, b"))
                .isEqualTo("exit code 3. The program failed. Why? Use one of: a, b.");
    }

    @Test
    void whatJavaSaysOfAFileIsSaidInWords() {
        assertThat(List.of(
                        Sentences.why(new NoSuchFileException("/x")),
                        Sentences.why(new AccessDeniedException("/x")),
                        Sentences.why(new FileAlreadyExistsException("/x")),
                        Sentences.why(new MalformedInputException(1)),
                        Sentences.why(new FileSystemException("/x", null, "Is a directory")),
                        Sentences.why(new IOException("half a line"))))
                .containsExactly(
                        "no such file or directory",
                        "permission denied",
                        "a file is in the place of a directory",
                        "it is not UTF-8 text",
                        "Is a directory",
                        "half a line");
    }

    @Test
    void nothingIsNothing() {
        assertThat(Sentences.join("", "  ")).isEmpty();
    }

    @Test
    void aTextIsCutWhereItIsLongerThanThat() {
        assertThat(Sentences.shortened("abc", 3)).isEqualTo("abc");
        assertThat(Sentences.shortened("abcd", 3)).isEqualTo("abc…");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1st",
        "2, 2nd",
        "3, 3rd",
        "4, 4th",
        "10, 10th",
        "11, 11th",
        "12, 12th",
        "13, 13th",
        "22, 22nd",
        "111, 111th"
    })
    void ordinalsHaveTheirEnding(long number, String ordinal) {
        assertThat(Sentences.ordinal(number)).isEqualTo(ordinal);
    }

    @Test
    void aRowOfATableHasAKindASignAndItsWords() {
        WordRow row = WordRow.read(SentencesTest.class, "rows.txt").get(0);

        assertThat(row.kind()).isEqualTo("pull");
        assertThat(row.isIn("429 Too Many Requests")).isTrue();
        assertThat(row.isIn("200 OK")).isFalse();
        assertThat(row.words()).isEqualTo("the registry limits pulls => wait");
    }
}
