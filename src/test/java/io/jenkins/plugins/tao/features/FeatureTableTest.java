package io.jenkins.plugins.tao.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.features.TestResult.End;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeatureTableTest {
    private static final PromiseList LIST = PromiseList.parse(List.of(
            "#\tSlurm (SL)\tcomes later",
            "SL-01\tWe submit.",
            "SL-02\tWe wait.\tpartly: not for long",
            "SL-03\tWe fly.\tmissing: no wings",
            "",
            "#\tShared (GE)\tcomes last",
            "GE-01\tWe share."));

    @Test
    void aPromiseIsProvedByATestThatRanAndPassed() {
        assertThat(page(test("SL-01", End.PASSED)))
                .contains("| SL-01 | We submit. | `T.sl01` | proved |\n")
                .contains("| Slurm (SL) | 3 | 1 | 0 | 2 |\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SKIPPED", "FAILED"})
    void aTestThatDidNotPassProvesNothing(End end) {
        assertThat(page(test("SL-01", end))).contains("| SL-01 | We submit. |  | missing: comes later |\n");
    }

    @Test
    void aPromiseWithoutTestsTellsWhyItIsMissing() {
        assertThat(page())
                .contains("| SL-02 | We wait. |  | missing: comes later |\n")
                .contains("| SL-03 | We fly. |  | missing: no wings |\n")
                .contains("| GE-01 | We share. |  | missing: comes last |\n");
    }

    @Test
    void aNoteKeepsAPromiseFromBeingProved() {
        assertThat(page(test("SL-02", End.PASSED))).contains("| `T.sl02` | partly: not for long |\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PASSED", "SKIPPED"})
    void aTestThatNeedsJenkinsIsMarkedWhetherItRanOrNotAndAloneProvesNothing(End end) {
        assertThat(page(new TestResult("JenkinsIT.runs", List.of("SL-01"), end, true)))
                .contains("| `JenkinsIT.runs` † | partly: shown by tests that need a real Jenkins only |\n");
    }

    @Test
    void aTestThatNeedsJenkinsStandsBehindTheOneThatProves() {
        assertThat(page(new TestResult("AnIT.runs", List.of("SL-01"), End.SKIPPED, true), test("SL-01", End.PASSED)))
                .contains("| `T.sl01`, `AnIT.runs` † | proved |\n");
    }

    @Test
    void moreThanThreeTestsAreCounted() {
        TestResult[] tests = IntStream.range(0, 7)
                .mapToObj(i -> new TestResult("T.t" + i, List.of("SL-01"), End.PASSED, false))
                .toArray(TestResult[]::new);

        assertThat(page(tests)).contains("| `T.t0`, `T.t1`, `T.t2` and 4 more | proved |\n");
    }

    @Test
    void anIdThatIsNotInTheListIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> page(test("SL-99", End.SKIPPED)))
                .withMessage("T.sl99 carries the promise SL-99, which promises.tsv lacks");
    }

    @Test
    void aPromiseCalledMissingThatATestShowsIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> page(test("SL-03", End.PASSED)))
                .withMessageContaining("SL-03 missing, and T.sl03 shows it");
    }

    @Test
    void theOrderOfTheResultsDoesNotMatter() {
        TestResult one = test("SL-01", End.PASSED);
        TestResult other = new TestResult("A.b", List.of("SL-01"), End.PASSED, false);

        assertThat(page(one, other)).isEqualTo(page(other, one));
    }

    @Test
    void eachRowThatDiffersIsNamedOnceForEachSide() {
        assertThat(FeatureTable.differences("same\n| SL-01 | old |\n", "same\n| SL-01 | new |\n"))
                .containsExactly("+ | SL-01 | new |", "- | SL-01 | old |");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SL-1\tWe.", "SL-01", "SL-01\t \t", "SL-01\ta | b", "SL-01\tWe.\tnot yet", "SL-01\tWe.\tpartly:"
            })
    void aDamagedListIsRefused(String line) {
        assertThatIllegalArgumentException().isThrownBy(() -> PromiseList.parse(List.of("#\tSlurm\tlater", line)));
    }

    @Test
    void anIdThatStandsTwiceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PromiseList.parse(List.of("#\tSlurm\tlater", "SL-01\ta", "SL-01\tb")))
                .withMessageContaining("SL-01 stands twice");
    }

    private static TestResult test(String id, End end) {
        return new TestResult("T.sl" + id.substring(3), List.of(id), end, false);
    }

    private static String page(TestResult... results) {
        return new FeatureTable(LIST, Arrays.asList(results)).render();
    }
}
