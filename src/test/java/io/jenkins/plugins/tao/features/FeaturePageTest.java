package io.jenkins.plugins.tao.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeaturePageTest {
    @TempDir
    private Path root;

    @BeforeEach
    void aListAndAPassedTest() throws IOException {
        put("src/test/resources/promises.tsv", "#\tSlurm (SL)\tlater\nSL-01\tWe submit.\nSL-02\tWe wait.\n");
        put("target/promises/surefire-1.tsv", "build 7\nA.b\tSL-01\tPASSED\t\n");
    }

    @Test
    void aWrittenPageIsUpToDate() throws IOException {
        assertThat(page().run("write")).isEqualTo("written.");

        assertThat(page().run("check")).isEqualTo("is up to date.");
        assertThat(root.resolve("docs/features.md")).content().contains("| SL-01 | We submit. | `A.b` | proved |");
    }

    @Test
    void aStalePageFailsTheCheckWithEachRowAndTheRemedy() throws IOException {
        page().run("write");
        put("target/promises/failsafe-1.tsv", "build 7\nB.c\tSL-02\tPASSED\t\n");

        assertThatIllegalStateException()
                .isThrownBy(() -> page().run("check"))
                .withMessageContaining("-Dfeatures=write")
                .withMessageContaining("- | SL-02 | We wait. |  | missing: later |")
                .withMessageContaining("+ | SL-02 | We wait. | `B.c` | proved |");
        assertThat(page().run("tell")).startsWith("is stale; run ");
    }

    @Test
    void whatAnEarlierBuildNotedDoesNotCount() throws IOException {
        page().run("write");
        put("target/promises/surefire-1.tsv", "build 6\nA.b\tSL-01\tPASSED\t\n");

        assertThatIllegalStateException().isThrownBy(() -> page().run("check"));
    }

    @Test
    void withoutARigThePageIsLeftAlone() throws IOException {
        page().run("write");
        put("target/promises/surefire-1.tsv", "build 7\nA.b\tSL-01\tSKIPPED\t\n");

        assertThat(page().run("tell")).isEqualTo("is not compared: 1 tests with promises had no rig here.");
    }

    private FeaturePage page() {
        return new FeaturePage(root, "build 7");
    }

    private void put(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
