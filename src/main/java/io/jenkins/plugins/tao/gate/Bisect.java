package io.jenkins.plugins.tao.gate;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Sentences;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The search for the first bad commit between a good and a bad one. A commit that cannot be judged is left out, and its neighbours are tried. Pure:
 * the same answers give the same next commit, so that a search goes on where it was.
 *
 * @param commits those after the good one, the oldest first; the last is the bad one
 * @param answers what is known of commits
 * @param budget how many commits may be run in all
 */
public record Bisect(List<String> commits, Map<String, Answer> answers, int budget) {
    /** What a run of a commit said. */
    public enum Answer {
        GOOD,
        BAD,
        /** It failed by itself, or there was no verdict. */
        UNKNOWN
    }

    public Bisect {
        commits = List.copyOf(commits);
        answers = Collections.unmodifiableMap(new LinkedHashMap<>(answers));
        require(!commits.isEmpty(), "there is no commit between the good and the bad one");
        require(budget >= 1, "the budget must be at least one run, was %d", budget);
    }

    /** The same with one answer more. */
    public Bisect with(String commit, Answer answer) {
        require(commits.contains(commit), "%s is not between the good and the bad commit", commit);
        Map<String, Answer> more = new LinkedHashMap<>(answers);
        more.put(commit, answer);
        return new Bisect(commits, more, budget);
    }

    private Optional<Answer> answer(int index) {
        return Optional.ofNullable(answers.get(commits.get(index)));
    }

    /** The first commit that is known to be bad. */
    private int firstBad() {
        for (int i = 0; i < commits.size() - 1; i++) {
            if (answer(i).equals(Optional.of(Answer.BAD))) {
                return i;
            }
        }
        return commits.size() - 1;
    }

    /** The last good one before it; -1 is the good commit that the search began with. */
    private int lastGood() {
        for (int i = firstBad() - 1; i >= 0; i--) {
            if (answer(i).equals(Optional.of(Answer.GOOD))) {
                return i;
            }
        }
        return -1;
    }

    /** The commit to run next, the nearest to the middle; empty when the search is over. */
    public Optional<String> next() {
        if (answers.size() >= budget) {
            return Optional.empty();
        }
        int low = lastGood();
        int high = firstBad();
        int middle = (low + high) / 2;
        for (int distance = 0; distance <= high - low; distance++) {
            for (int index : new int[] {middle - distance, middle + distance}) {
                if (index > low && index < high && answer(index).isEmpty()) {
                    return Optional.of(commits.get(index));
                }
            }
        }
        return Optional.empty();
    }

    /** The first bad commit, where the search has found it. */
    public Optional<String> found() {
        return firstBad() == lastGood() + 1 ? Optional.of(commits.get(firstBad())) : Optional.empty();
    }

    /** The first bad commit where the search is over, else the range that is left, in one or two sentences. */
    public String sentence() {
        int low = lastGood();
        int high = firstBad();
        List<String> between = commits.subList(low + 1, high);
        String contradiction = goodAfter(high)
                ? " A later commit is good: the change is noisy or was taken back; judge with more seeds."
                : "";
        if (between.isEmpty()) {
            return "The first bad commit is " + commits.get(high) + "." + contradiction;
        }
        boolean open = between.stream().anyMatch(commit -> !answers.containsKey(commit));
        String why = open
                ? "the budget of " + Sentences.count(budget, "run") + " is spent"
                : "no other commit can be judged";
        return "The first bad commit is one of " + Sentences.count(between.size() + 1, "commit") + ", from "
                + commits.get(low + 1) + " to " + commits.get(high) + ": " + why + "." + contradiction;
    }

    private boolean goodAfter(int high) {
        for (int i = high + 1; i < commits.size(); i++) {
            if (answer(i).equals(Optional.of(Answer.GOOD))) {
                return true;
            }
        }
        return false;
    }
}
