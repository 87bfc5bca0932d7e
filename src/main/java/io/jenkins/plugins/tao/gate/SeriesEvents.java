package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Comparability;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.Blessing;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import io.jenkins.plugins.tao.gate.statistics.SeriesEvent;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.DateTimeException;
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
    private final Instant now;
    private final List<RunRecord> comparable = new ArrayList<>();
    private final List<RunRecord> sinceLevel = new ArrayList<>();
    private final Apart apart;

    /**
     * The history of the judged run.
     *
     * @param branch the branch whose runs count; empty for every branch
     */
    SeriesEvents(Evidence evidence, Values values, String branch) {
        this.evidence = evidence;
        this.values = values;
        now = ended(evidence.tonight());
        apart = new Apart(evidence.anchor());
        Apart earlier = new Apart(evidence.anchor());
        Optional<Instant> level = level().map(blessed -> blessed.record().submittedAt());
        for (RunRecord run : evidence.history()) {
            if (!branch.isEmpty() && !run.origin().fact(RunOrigin.BRANCH).equals(Optional.of(branch))) {
                continue;
            }
            boolean early = level.filter(run.submittedAt()::isBefore).isPresent();
            if ((early ? earlier : apart).comparable(run)) {
                comparable.add(run);
                if (!early) {
                    sinceLevel.add(run);
                }
            }
        }
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
                .filter(blessed -> Comparability.differences(evidence.anchor(), blessed.record())
                        .isEmpty())
                .sorted(Comparator.comparing(SeriesEvents::given))
                .toList();
    }

    /** Clocks differ: a blessing is never before its run. */
    private static Instant given(Blessed blessed) {
        Instant ended = ended(blessed.record());
        return blessed.at().isBefore(ended) ? ended : blessed.at();
    }

    private static Instant ended(List<RunRecord> runs) {
        return runs.stream()
                .map(SeriesEvents::ended)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    private static Instant ended(RunRecord run) {
        try {
            return run.text("times/endedAt").map(Instant::parse).orElseGet(run::submittedAt);
        } catch (DateTimeException e) {
            return run.submittedAt();
        }
    }
}
