package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.Matching;
import io.jenkins.plugins.tao.gate.criteria.SameBuild;
import io.jenkins.plugins.tao.gate.criteria.Training;
import io.jenkins.plugins.tao.gate.statistics.Blessing;
import io.jenkins.plugins.tao.gate.statistics.NamedChange;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import io.jenkins.plugins.tao.gate.statistics.SeriesEvent;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The history of one training for all of its metrics, from its records and blessings. A run stands where it ended and a blessing where it
 * was given: what happened after the judged run ended does not count, so its answer stays the same. Where the gate says which
 * circumstances must match, the runs before the first one that matches are the levels before: each change of them begins a level.
 */
final class SeriesEvents {
    private final Evidence evidence;
    private final Matching matching;
    private final Instant now;
    private final List<List<RunRecord>> comparable = new ArrayList<>();
    /** The same work in other circumstances, before the first comparable run. */
    private final List<List<RunRecord>> former = new ArrayList<>();

    private final List<List<RunRecord>> sinceLevel = new ArrayList<>();
    private final Apart apart;

    /**
     * The history of the judged run.
     *
     * @param matching what its gate asks of two runs before it compares them
     * @param branch the branch whose runs count; empty for every branch
     */
    SeriesEvents(Evidence evidence, Matching matching, String branch) {
        this.evidence = evidence;
        this.matching = matching;
        now = ended(evidence.tonight());
        apart = new Apart(evidence.anchor(), matching);
        Apart earlier = new Apart(evidence.anchor(), matching);
        Optional<Instant> level = level().map(blessed -> blessed.record().submittedAt());
        for (List<RunRecord> build : SameBuild.split(evidence.history())) {
            List<RunRecord> asked = build.stream()
                    .filter(run -> branch.isEmpty()
                            || run.origin().fact(RunOrigin.BRANCH).equals(Optional.of(branch)))
                    .toList();
            List<RunRecord> own = asked.stream()
                    .filter(run -> (isEarly(run, level) ? earlier : apart).comparable(run))
                    .toList();
            if (own.isEmpty() && comparable.isEmpty() && !matching.mustMatch().isEmpty()) {
                add(former, former(asked));
            }
            List<RunRecord> nearest = Training.nearest(evidence.anchor(), own);
            add(comparable, nearest);
            add(sinceLevel, nearest.stream().filter(run -> !isEarly(run, level)).toList());
        }
    }

    private static void add(List<List<RunRecord>> builds, List<RunRecord> build) {
        if (!build.isEmpty()) {
            builds.add(build);
        }
    }

    /** Of one build the runs of the same work; those of one image, say, where it had several. */
    private List<RunRecord> former(List<RunRecord> build) {
        List<RunRecord> same = build.stream().filter(this::sameWork).toList();
        return Training.nearest(evidence.anchor(), same).stream()
                .filter(run -> matching.differences(same.get(0), run).isEmpty())
                .toList();
    }

    private boolean sameWork(RunRecord run) {
        return matching.ofWork().differences(evidence.anchor(), run).isEmpty();
    }

    private boolean matches(RunRecord run) {
        return matching.differences(evidence.anchor(), run).isEmpty();
    }

    private static boolean isEarly(RunRecord run, Optional<Instant> level) {
        return level.filter(run.submittedAt()::isBefore).isPresent();
    }

    /**
     * One event.
     *
     * @param run whose circumstances it has
     * @param matches whether they are those of the judged run
     */
    private record Timed(Instant at, SeriesEvent event, RunRecord run, boolean matches) {}

    /** The runs, blessings and named changes before {@code judged} in the order in which they happened, and {@code judged}. */
    List<SeriesEvent> until(Values values, Sample judged) {
        List<Timed> timed = new ArrayList<>();
        Map<String, Sample> byRun = new HashMap<>();
        add(timed, byRun, values, false);
        add(timed, byRun, values, true);
        Optional<Sample> last = Optional.empty();
        for (Blessed blessed : levels()) {
            RunRecord run = blessed.record();
            Sample sample = byRun.containsKey(run.id()) ? byRun.get(run.id()) : values.sample(List.of(run));
            if (!last.equals(Optional.of(sample))) {
                timed.add(new Timed(given(blessed), new Blessing(sample, blessed.why()), run, matches(run)));
            }
            last = Optional.of(sample);
        }
        timed.sort(Comparator.comparing(
                Timed::at)); // stable: a run that ended in the same instant stands before its blessing
        List<SeriesEvent> events = withChanges(timed);
        events.add(judged);
        return events;
    }

    private void add(List<Timed> timed, Map<String, Sample> byRun, Values values, boolean matches) {
        for (List<RunRecord> group : matches ? comparable : former) {
            Sample all = values.sample(group);
            // A run that failed because a replicate is not a number is neither usual nor the last good one.
            Sample sample = all.notANumber() ? Sample.without(all.label(), all.planned()) : all;
            group.forEach(run -> byRun.put(run.id(), sample));
            Instant at = ended(group);
            if (!at.isAfter(now)) {
                timed.add(new Timed(at, sample, group.get(0), matches));
            }
        }
    }

    /** With the changes between the levels. After the first event in the circumstances of the judged run no other ones count. */
    private List<SeriesEvent> withChanges(List<Timed> timed) {
        List<SeriesEvent> events = new ArrayList<>();
        Optional<RunRecord> before = Optional.empty();
        boolean begun = false;
        for (Timed next : timed) {
            if (begun && !next.matches()) {
                continue;
            }
            change(next.run(), before).ifPresent(events::add);
            events.add(next.event());
            begun = next.matches();
            before = begun ? Optional.empty() : Optional.of(next.run());
        }
        change(evidence.anchor(), before).ifPresent(events::add);
        return events;
    }

    private Optional<SeriesEvent> change(RunRecord run, Optional<RunRecord> before) {
        return before.flatMap(then -> matching.change(run, then)).map(NamedChange::new);
    }

    /** The comparable runs since the last blessed level, with a value. */
    List<Sample> sinceLevel(Values values) {
        return sinceLevel.stream()
                .map(values::sample)
                .filter(run -> run.valid() && !run.notANumber())
                .toList();
    }

    /** What people should know of the runs that do not count; empty when all do. */
    String note() {
        return note(Set.of());
    }

    /** The same where the runs before a named change count. */
    String noteOfSeries() {
        return note(former.stream().flatMap(List::stream).map(RunRecord::label).collect(Collectors.toSet()));
    }

    private String note(Set<String> counted) {
        Map<String, List<String>> leftOut = apart.leftOut();
        leftOut.keySet().removeAll(counted);
        if (leftOut.isEmpty()) {
            return "";
        }
        List<String> labels = new ArrayList<>(leftOut.keySet());
        String newest = labels.get(labels.size() - 1);
        return " " + Sentences.count(leftOut.size(), "run") + " cannot be compared; " + newest + ": "
                + String.join("; ", leftOut.getOrDefault(newest, List.of())) + ".";
    }

    private Optional<Blessed> level() {
        List<Blessed> levels =
                levels().stream().filter(blessed -> matches(blessed.record())).toList();
        return levels.isEmpty() ? Optional.empty() : Optional.of(levels.get(levels.size() - 1));
    }

    /** The blessed levels of such work, the oldest first. */
    private List<Blessed> levels() {
        return evidence.levels().stream()
                .filter(blessed -> given(blessed).isBefore(now))
                .filter(blessed -> sameWork(blessed.record()))
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
