package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.job.Durations;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What a person asks for at the end of a job. */
class FromVolumeTest {
    private static boolean asks(String... words) {
        WatchChoice choice = new WatchChoice();
        new CommandLine(choice)
                .registerConverter(Duration.class, text -> Durations.parse(text).orElseThrow())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(words);
        return choice.archive(List.of("train/*.pth")).fromVolume();
    }

    @Test
    @Promise("NS-19")
    void aVolumeIsReadOnlyWhereSomebodyAsksForIt() {
        assertThat(asks()).isFalse();
        assertThat(asks("--from-volume")).isTrue();
    }
}
