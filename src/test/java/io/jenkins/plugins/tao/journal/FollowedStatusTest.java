package io.jenkins.plugins.tao.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.record.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FollowedStatusTest {
    private static List<String> words(@Nullable String text) {
        return text == null
                ? List.of()
                : Arrays.asList(text.replace("FROM_START", FollowedStatus.mark(true))
                        .replace("LATER", FollowedStatus.mark(false))
                        .split(";"));
    }

    @ParameterizedTest
    @CsvSource({
        "FROM_START;a;b;c, c;d, a b c d, true",
        "FROM_START;a;b;c, b, a b c, true",
        "FROM_START;a;b;c, , a b c, true",
        "FROM_START;a;b;LATER;a;b;c, c;d, a b c d, true",
        "FROM_START;a;b;LATER;b;c, , a b c, true",
        "FROM_START;a;LATER;c;d, d;e, a c d e, false",
        "FROM_START;a;b, d;e, a b d e, false",
        "LATER;b;c, c;d, b c d, false",
        "FROM_START;a;b;FROM_START;c;d, d;e, a b c d e, true",
        "FROM_START;a;b;b;c, b;c;d, a b b c d, true",
        "FROM_START;a1;b1;a2;b2, a1;a2;b1;b2, a1 b1 a2 b2, true",
        "FROM_START;a1;b1;a2;b2, a2;b1;c, a1 b1 a2 b2 c, true",
    })
    void whatWasFollowedAndWhatIsThereAreOne(String followed, @Nullable String there, String all, boolean whole) {
        FollowedStatus status = new FollowedStatus(words(followed)).with(words(there));

        assertThat(String.join(" ", status.lines())).isEqualTo(all);
        assertThat(status.isWhole()).isEqualTo(whole);
    }

    /** Lines of members are followed without their indices, so that they fill no gap of one of them. */
    @ParameterizedTest
    @CsvSource({"results/status.json, false", "results/0/status.json, true"})
    void theFrontOfAMembersLogStaysMissing(String status, boolean missing, @TempDir Path run) throws IOException {
        Path file = run.resolve(status);
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, "{\"epoch\": 2}\n");
        Files.writeString(
                run.resolve(FollowedStatus.FILE), FollowedStatus.mark(true) + "\n{\"epoch\": 1}\n{\"epoch\": 2}\n");
        Files.writeString(
                run.resolve("events.jsonl"), "{\"event\":\"cut\",\"text\":\"the front of logs/x-0 is gone\"}\n");

        RunFiles files = new RunLeavings(run, run).read();

        assertThat(files.events().stream().anyMatch(event -> event.contains("\"cut\"")))
                .isEqualTo(missing);
        assertThat(files.statuses()).hasSize(1);
    }
}
