package io.jenkins.plugins.tao.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
        assertThat(page("SL-01", Set.of("T.t")))
                .contains("| SL-01 | We submit. | `T.t` | proved |\n")
                .contains("| Slurm (SL) | 3 | 1 | 0 | 0 | 2 |\n");
    }

    @Test
    void aTestThatDidNotPassProvesNothing() {
        assertThat(page("SL-01", Set.of()))
                .contains("| SL-01 | We submit. |  | not run |\n")
                .contains("| Slurm (SL) | 3 | 0 | 0 | 1 | 2 |\n");
    }

    @Test
    void aPromiseWithoutTestsSaysWhyItIsMissing() {
        assertThat(page("SL-01", Set.of()))
                .contains("| SL-02 | We wait. |  | missing: comes later |\n")
                .contains("| SL-03 | We fly. |  | missing: no wings |\n")
                .contains("| GE-01 | We share. |  | missing: comes last |\n");
    }

    @Test
    void aNoteKeepsAPromiseFromBeingProved() {
        assertThat(page("SL-02", Set.of("T.t"))).contains("| `T.t` | partly: not for long |\n");
    }

    @Test
    void moreThanThreeTestsAreCounted() {
        Map<String, Set<String>> tests =
                IntStream.range(0, 7).boxed().collect(Collectors.toMap(i -> "T.t" + i, i -> Set.of("SL-01")));

        assertThat(new FeatureTable(LIST, tests, tests.keySet()).render())
                .contains("| `T.t0`, `T.t1`, `T.t2` and 4 more | proved |\n");
    }

    @Test
    void anIdThatIsNotInTheListIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> page("SL-99", Set.of()))
                .withMessage("T.t carries the promise SL-99, which promises.tsv lacks");
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

    private static String page(String id, Set<String> passed) {
        return new FeatureTable(LIST, Map.of("T.t", Set.of(id)), passed).render();
    }
}
