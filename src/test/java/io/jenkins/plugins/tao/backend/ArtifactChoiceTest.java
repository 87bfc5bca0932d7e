package io.jenkins.plugins.tao.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files a pattern means. */
class ArtifactChoiceTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            **/*.pth                | best.pth
            **/*.pth                | train/deep/best.pth
            train/**/*.pth          | train/best.pth
            train/**/*.pth          | train/a/b/best.pth
            */**/*                  | 0/out.txt
            */**/*.pth              | 0/train/best.pth
            **/train/**/best.pth    | train/best.pth
            **/*.{pth,onnx}         | best.onnx
            {train,export}/**       | export/a/b
            {train/**/x,y}          | train/a/x
            """)
    void anyNumberOfDirectoriesMayBeNone(String glob, String path) {
        assertThat(wanted(glob).test(path)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            *.pth           | train/best.pth
            train/**/*.pth  | retrain/best.pth
            train**/*.pth   | train.pth
            */**/*          | out.txt
            **/*            | ../out.txt
            """)
    void otherFilesStayWhereTheyAre(String glob, String path) {
        assertThat(wanted(glob).test(path)).isFalse();
    }

    private static Predicate<String> wanted(String glob) {
        return new ArtifactChoice(ArtifactPlan.of(List.of("**")), new NoFiles()).matching(List.of(glob));
    }

    /** A choice opens no file, and no pattern here is wrong. */
    private static final class NoFiles implements ArtifactSink {
        @Override
        public ArtifactFile open(String name) {
            throw new AssertionError(name);
        }

        @Override
        public void skipped(String name, String reason) {
            throw new AssertionError(name + " " + reason);
        }
    }
}
