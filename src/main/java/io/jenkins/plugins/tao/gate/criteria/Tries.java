package io.jenkins.plugins.tao.gate.criteria;

import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.List;
import java.util.Optional;

/** A try that failed and was repeated: the last one counts. Pure. */
public final class Tries {
    private static final List<String> ORDINALS =
            List.of("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth");

    private Tries() {}

    /** The runs of one training and build that count: without those that did not succeed and were then repeated. */
    public static List<RunRecord> counted(List<RunRecord> runs) {
        return runs.stream()
                .filter(run -> run.succeeded() || runs.stream().noneMatch(later -> repeats(run, later)))
                .toList();
    }

    private static boolean repeats(RunRecord run, RunRecord later) {
        return !run.id().equals(later.id())
                && Evidence.confirms(run) == Evidence.confirms(later)
                && run.text("work/seed").equals(later.text("work/seed"))
                && run.text("origin/cell").equals(later.text("origin/cell"))
                && later.submittedAt().isAfter(run.endedAt());
    }

    /**
     * Which tries failed before the one that counts.
     *
     * @return the beginning of a sentence, such as {@code 2 tries failed (exit code 1); the third}; empty when none did
     */
    public static Optional<String> words(List<RunRecord> runs) {
        List<RunRecord> counted = counted(runs);
        List<RunRecord> failed = runs.stream()
                .filter(run -> !run.succeeded() && !counted.contains(run))
                .toList();
        if (failed.isEmpty()) {
            return Optional.empty();
        }
        RunRecord last = failed.get(failed.size() - 1);
        String why = last.text("outcome/exitCode")
                .map(code -> "exit code " + code)
                .or(() -> last.text("outcome/cause"))
                .orElse(last.outcome());
        String tries = Sentences.count(failed.size(), "try").replace("trys", "tries");
        boolean one = counted.stream().filter(run -> !Evidence.confirms(run)).count() == 1;
        String which = one && failed.size() < ORDINALS.size() ? "the " + ORDINALS.get(failed.size()) : "the last";
        return Optional.of(tries + " failed (" + why + "); " + which);
    }
}
