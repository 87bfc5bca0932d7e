package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which items a list of folders means. */
class FolderPatternsTest {
    @ParameterizedTest
    @Promise("JK-10")
    @CsvSource({
        "'', any/job, true",
        "teams/vision, teams/vision/train, true",
        "teams/vision, teams/vision, true",
        "/teams/vision/, teams/vision/deep/er/train, true",
        "teams/vision, teams/visions/train, false",
        "teams/vision, other/teams/vision/train, false",
        "teams, team, false",
        "teams/*, teams/speech/train, true",
        "teams/*/train, teams/speech/train, true",
        "teams/*/train, teams/speech/deep/train, false",
        "te.ms, teams/train, false",
        "'research, teams/sp*', teams/speech/train, true",
        "'research, teams/sp*', teams/vision/train, false",
    })
    void aFolderStandsForAllThatIsInIt(String folders, String item, boolean held) {
        assertThat(FolderPatterns.parse(folders).hold(item)).isEqualTo(held);
    }
}
