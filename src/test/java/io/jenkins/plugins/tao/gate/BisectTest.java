package io.jenkins.plugins.tao.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.Bisect.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The search for the first bad commit. */
class BisectTest {
    private static List<String> commits(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> "c" + i).toList();
    }

    /** Plays a search to its end. */
    private static Bisect searched(Bisect from, IntFunction<Answer> judge) {
        Bisect search = from;
        for (Optional<String> next = search.next(); next.isPresent(); next = search.next()) {
            search = search.with(
                    next.get(), judge.apply(Integer.parseInt(next.get().substring(1))));
        }
        return search;
    }

    @Test
    @Promise("NV-21")
    void eachFirstBadCommitIsFoundInSixRunsOfSixtyFour() {
        for (int first = 1; first <= 64; first++) {
            int bad = first;
            Bisect end =
                    searched(new Bisect(commits(64), Map.of(), 8), number -> number >= bad ? Answer.BAD : Answer.GOOD);

            assertThat(end.sentence()).isEqualTo("The first bad commit is c" + bad + ".");
            assertThat(end.answers()).hasSizeLessThanOrEqualTo(6);
        }
    }

    @Test
    @Promise("NV-21")
    void aCommitThatCannotBeJudgedIsPassedBy() {
        Bisect end = searched(
                new Bisect(commits(16), Map.of(), 16),
                number -> number == 8 || number == 9 ? Answer.UNKNOWN : number >= 12 ? Answer.BAD : Answer.GOOD);

        assertThat(end.sentence()).isEqualTo("The first bad commit is c12.");
        Bisect lost =
                searched(new Bisect(commits(4), Map.of(), 16), number -> number == 1 ? Answer.GOOD : Answer.UNKNOWN);
        assertThat(lost.sentence())
                .isEqualTo("The first bad commit is one of 3 commits, from c2 to c4: no other commit can be judged.");
    }

    @Test
    @Promise("NV-21")
    void aSearchThatIsTakenUpGoesOnWhereItWasWithinOneBudget() {
        Bisect half = new Bisect(commits(64), Map.of("c32", Answer.GOOD), 2);

        assertThat(half.next()).contains("c48");
        assertThat(half.with("c48", Answer.BAD).next()).isEmpty();
        assertThat(half.with("c48", Answer.BAD).sentence())
                .isEqualTo(
                        "The first bad commit is one of 16 commits, from c33 to c48: the budget of 2 runs is spent.");
    }

    @Test
    void aGoodCommitAfterABadOneIsTold() {
        Bisect noisy = new Bisect(commits(4), Map.of("c1", Answer.BAD, "c3", Answer.GOOD), 9);

        assertThat(noisy.sentence()).startsWith("The first bad commit is c1. A later commit is good");
    }

    @Test
    void nothingBetweenIsRefused() {
        assertThatThrownBy(() -> new Bisect(List.of(), Map.of(), 3)).hasMessageContaining("no commit between");
        assertThatThrownBy(() -> new Bisect(commits(2), Map.of(), 0)).hasMessageContaining("at least one run");
    }
}
