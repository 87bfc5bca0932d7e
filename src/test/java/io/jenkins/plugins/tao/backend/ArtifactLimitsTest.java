package io.jenkins.plugins.tao.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How much of a job is brought home at most. */
class ArtifactLimitsTest {
    private static final long GIB = 1L << 30;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''              | 1    | 4
            8G              | 8    | 32
            8 GiB, 100G     | 8    | 100
            2T,2T           | 2048 | 2048
            """)
    @Promise("TR-67")
    void sizesAreReadAsPeopleWriteThem(String text, long file, long all) {
        assertThat(ArtifactLimits.parse(text)).isEqualTo(new ArtifactLimits(file * GIB, all * GIB));
    }

    @Test
    @Promise("TR-67")
    void withoutALimitAnyFileIsTakenAndSumsDoNotWrap() {
        ArtifactPlan plan = ArtifactPlan.of(List.of(), ArtifactLimits.parse("none"));
        ArtifactChoice choice = new ArtifactChoice(plan, new Told());

        assertThat(choice.take("a", Long.MAX_VALUE - 1, "box:/a")).isTrue();
        assertThat(choice.take("b", 1, "box:/b")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "G", "-1G", "0G", "8G,2G", "1G,2G,3G", "999999999T", "8 gigabytes"})
    void whatIsNoSizeIsRefused(String text) {
        assertThat(catching(text)).isTrue();
    }

    private static boolean catching(String text) {
        try {
            ArtifactLimits.parse(text);
            return false;
        } catch (IllegalArgumentException | ArithmeticException e) {
            return true;
        }
    }

    @Test
    void theMessageNamesWhatWasWrong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArtifactLimits.parse("8 gigabytes"))
                .withMessage("'8 gigabytes' is not a size such as 500M, 8G or 1T");
    }

    @Test
    @Promise("TR-67")
    void whatStaysAwayIsNamedWithItsSizeTheLimitAndItsAddress() {
        Told told = new Told();
        ArtifactChoice choice = new ArtifactChoice(ArtifactPlan.of(List.of(), ArtifactLimits.parse("1G,2G")), told);

        assertThat(choice.take("results/a.pth", 3 * GIB / 2, "tao@box:22:/data/a.pth"))
                .isFalse();
        assertThat(choice.take("results/b.pth", GIB, "tao@box:22:/data/b.pth")).isTrue();
        assertThat(choice.take("results/c.pth", GIB, "tao@box:22:/data/c.pth")).isTrue();
        assertThat(choice.take("results/d.pth", 1, "tao@box:22:/data/d.pth")).isFalse();

        assertThat(told.lines)
                .containsExactly(
                        "results/a.pth has 1.5 GiB, more than the limit of 1 GiB a file; it stays at tao@box:22:/data/a.pth",
                        "results/d.pth has 1 bytes and would pass the limit of 2 GiB in all; it stays at tao@box:22:/data/d.pth");
    }

    private static final class Told implements ArtifactSink {
        private final List<String> lines = new ArrayList<>();

        @Override
        public ArtifactFile open(String path) {
            throw new AssertionError(path);
        }

        @Override
        public void skipped(String path, String reason) {
            lines.add(path + " " + reason);
        }
    }
}
