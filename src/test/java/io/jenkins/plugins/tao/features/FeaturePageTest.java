package io.jenkins.plugins.tao.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.jenkins.plugins.tao.features.TestResult.End;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        assertThat(root.resolve("docs/features.md"))
                .content()
                .contains("| SL-01 | We submit. | `A.b`, `C.d` † | proved |");
    }

    @Test
    void aStalePageFailsTheCheckWithEachRowAndTheRemedy() throws IOException {
        page().run("write");
        put("target/promises/failsafe-1.tsv", "build 7\nB.c\tSL-02\tPASSED\t\n");

        assertThatIllegalStateException()
                .isThrownBy(() -> page().run("check"))
                .withMessageContaining("-Dfeatures=declare")
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

    @Test
    void aTestThatNeedsJenkinsStandsOnThePageWhetherItRanOrNot() throws IOException {
        page().run("write");
        assertThat(root.resolve("docs/features.md"))
                .content()
                .contains("| SL-01 | We submit. | `A.b`, `C.d` † | proved |");

        put("target/promises/failsafe-1.tsv", "build 7\nC.d\tSL-01\tPASSED\tjenkins\n");

        assertThat(page().run("check")).isEqualTo("is up to date.");
    }

    @Test
    void theTestsOfAPackageAreFoundInItsClassFiles() {
        assertThat(DeclaredTests.in("io.jenkins.plugins.tao.acceptance"))
                .contains(new TestResult(
                        "BuildEndIT.aJobOfAGoodBuildGoesOnAndTheLogHasItsToken", List.of("TR-30"), End.PASSED, true))
                .allMatch(TestResult::needsJenkins);
    }

    @Test
    void aDeclaredPageIsThatOfABuildInWhichAllTestsPass() throws IOException {
        FeaturePage page = new FeaturePage(
                root,
                "build 7",
                List.of(new TestResult("A.b", List.of("SL-01"), End.PASSED, false), needingJenkins(End.PASSED)));

        assertThat(page.run("declare")).isEqualTo("written.");

        assertThat(page.run("check")).isEqualTo("is up to date.");
        put("target/promises/surefire-1.tsv", "build 7\nA.b\tSL-01\tFAILED\t\n");
        assertThatIllegalStateException().isThrownBy(() -> page.run("check")).withMessageContaining("declare");
    }

    /** The whole build looks at the end whether they passed; that the page lacks one is said here, in a minute. */
    @Test
    void thePageOfThisProjectNamesTheTestsThatItsSourcesDeclare() throws IOException {
        Path project = Path.of("").toAbsolutePath();
        put("src/test/resources/promises.tsv", Files.readString(project.resolve("src/test/resources/promises.tsv")));

        new FeaturePage(root, "", DeclaredTests.in("io.jenkins.plugins.tao")).run("declare");

        assertThat(project.resolve("docs/features.md"))
                .as("run ./mvnw test-compile exec:java@features -Dfeatures=declare, and commit docs/features.md")
                .hasContent(Files.readString(root.resolve("docs/features.md")));
    }

    private FeaturePage page() {
        return new FeaturePage(root, "build 7", List.of(needingJenkins(End.SKIPPED)));
    }

    private static TestResult needingJenkins(End end) {
        return new TestResult("C.d", List.of("SL-01"), end, true);
    }

    private void put(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
