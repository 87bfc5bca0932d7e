package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.Matching;
import io.jenkins.plugins.tao.gate.criteria.SameBuild;
import io.jenkins.plugins.tao.gate.criteria.Training;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.Blessing;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import io.jenkins.plugins.tao.gate.statistics.SeriesEvent;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The history of one metric of one training, from its records and blessings. A run stands where it ended and a blessing where it
 * was given: what happened after the judged run ended does not count, so its answer stays the same.
 */
final class SeriesEvents {
    private final Evidence evidence;
    private final Values values;
    private final Matching matching;
    private final Instant now;
    private final List<RunRecord> comparable = new ArrayList<>();
    private final List<RunRecord> sinceLevel = new ArrayList<>();
    private final Apart apart;

    /**
     * The history of the judged run.
     *
     * @param matching what its gate asks of two runs before it compares them
     * @param branch the branch whose runs count; empty for every branch
     */
    SeriesEvents(Evidence evidence, Values values, Matching matching, String branch) {
        this.evidence = evidence;
        this.values = values;
        this.matching = matching;
        now = ended(evidence.tonight());
        apart = new Apart(evidence.anchor(), matching);
        Apart earlier = new Apart(evidence.anchor(), matching);
        Optional<Instant> level = level().map(blessed -> blessed.record().submittedAt());
        for (List<RunRecord> build : SameBuild.split(evidence.history())) {
            List<RunRecord> own = build.stream()
                    .filter(run -> branch.isEmpty()
                            || run.origin().fact(RunOrigin.BRANCH).equals(Optional.of(branch)))
                    .filter(run -> (isEarly(run, level) ? earlier : apart).comparable(run))
                    .toList();
            List<RunRecord> nearest = Training.nearest(evidence.anchor(), own);
            comparable.addAll(nearest);
            nearest.stream().filter(run -> !isEarly(run, level)).forEach(sinceLevel::add);
        }
    }

    private static boolean isEarly(RunRecord run, Optional<Instant> level) {
        return level.filter(run.submittedAt()::isBefore).isPresent();
    }

    private record Timed(Instant at, SeriesEvent event) {}

    /** The comparable runs and blessings before {@code judged} in the order in which they happened, and {@code judged}. */
    List<SeriesEvent> until(Sample judged) {
        List<Timed> timed = new ArrayList<>();
        Map<String, Sample> byRun = new LinkedHashMap<>();
        for (List<RunRecord> group : values.groups(comparable)) {
            Sample sample = values.sample(group);
            group.forEach(run -> byRun.put(run.id(), sample));
            Instant at = ended(group);
            if (!at.isAfter(now)) {
                timed.add(new Timed(at, sample));
            }
        }
        Optional<Sample> last = Optional.empty();
        for (Blessed blessed : levels()) {
            RunRecord run = blessed.record();
            Sample sample = byRun.containsKey(run.id()) ? byRun.get(run.id()) : values.sample(List.of(run));
            if (!last.equals(Optional.of(sample))) {
                timed.add(new Timed(given(blessed), new Blessing(sample, blessed.why())));
            }
            last = Optional.of(sample);
        }
        timed.sort(Comparator.comparing(
                Timed::at)); // stable: a run that ended in the same instant stands before its blessing
        List<SeriesEvent> events =
                new ArrayList<>(timed.stream().map(Timed::event).toList());
        events.add(judged);
        return events;
    }

    /** The comparable runs since the last blessed level, with a value. */
    List<Sample> sinceLevel() {
        return values.nights(sinceLevel).stream().filter(Sample::valid).toList();
    }

    /** What people should know of the runs that do not count; empty when all do. */
    String note() {
        Map<String, List<String>> leftOut = apart.leftOut();
        if (leftOut.isEmpty()) {
            return "";
        }
        List<String> labels = new ArrayList<>(leftOut.keySet());
        String newest = labels.get(labels.size() - 1);
        return " " + Words.count(leftOut.size(), "run") + " cannot be compared; " + newest + ": "
                + String.join("; ", leftOut.getOrDefault(newest, List.of())) + ".";
    }

    private Optional<Blessed> level() {
        List<Blessed> levels = levels();
        return levels.isEmpty() ? Optional.empty() : Optional.of(levels.get(levels.size() - 1));
    }

    /** The blessed levels of such runs, the oldest first. */
    private List<Blessed> levels() {
        return evidence.levels().stream()
                .filter(blessed -> given(blessed).isBefore(now))
                .filter(blessed -> matching.differences(evidence.anchor(), blessed.record())
                        .isEmpty())
                .sorted(Comparator.comparing(SeriesEvents::given))
                .toList();
    }

    /** Clocks differ: a blessing is never before its run. */
    private static Instant given(Blessed blessed) {
        Instant ended = blessed.record().endedAt();
        return blessed.at().isBefore(ended) ? ended : blessed.at();
    }

    private static Instant ended(List<RunRecord> runs) {
        return runs.stream()
                .map(RunRecord::endedAt)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }
}
