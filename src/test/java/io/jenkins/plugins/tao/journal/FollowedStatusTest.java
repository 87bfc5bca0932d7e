package io.jenkins.plugins.tao.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
}
