package io.jenkins.plugins.tao.jenkins.trend;

import io.jenkins.plugins.tao.gate.Changes;
import io.jenkins.plugins.tao.gate.criteria.Comparability;
import io.jenkins.plugins.tao.gate.criteria.Matching;
import io.jenkins.plugins.tao.gate.criteria.Training;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/** One training through the builds: what gates compare with each other. */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
final class TrendTraining {
    /** A sweep has more; each takes some charts. */
    private static final int MOST = 12;

    private static final int COMMIT_DIGITS = 12;
    private static final Set<String> NAMED = Set.of("commit", "image", "image digest", "data", "driver", "CUDA");

    private final String name;
    /** The newest run. */
    private final RunRecord anchor;

    private final NavigableMap<Integer, List<RunRecord>> builds = new TreeMap<>();

    /**
     * The trainings, the first of the newest build first.
     *
     * @param builds the runs of each build, the oldest first
     * @param from the first build that is shown; a training that ran before it alone is left out
     */
    static List<TrendTraining> of(List<List<RunRecord>> builds, int from) {
        List<TrendTraining> all = new ArrayList<>();
        for (int build = builds.size() - 1; build >= 0; build--) {
            List<Training> open = new ArrayList<>(Training.of(builds.get(build), Matching.USUAL));
            for (TrendTraining training : List.copyOf(all)) {
                int place = build;
                List<RunRecord> own = training.nearest(firsts(open));
                open.stream()
                        .filter(one -> own.contains(first(one))
                                && nearest(first(one), all).contains(training))
                        .findFirst()
                        .ifPresent(one -> {
                            training.builds.put(place, one.runs());
                            open.remove(one);
                        });
            }
            for (Training one : open) {
                if (build >= from && all.size() < MOST) {
                    all.add(new TrendTraining(name(one, all), first(one)));
                    all.get(all.size() - 1).builds.put(build, one.runs());
                }
            }
        }
        return all;
    }

    private static RunRecord first(Training training) {
        return training.runs().stream()
                .filter(RunRecord::succeeded)
                .findFirst()
                .orElseGet(() -> training.runs().get(0));
    }

    private static List<RunRecord> firsts(List<Training> trainings) {
        return trainings.stream().map(TrendTraining::first).toList();
    }

    private List<RunRecord> nearest(List<RunRecord> runs) {
        return Training.nearest(
                anchor,
                runs.stream()
                        .filter(run -> Comparability.differences(anchor, run).isEmpty())
                        .toList());
    }

    /** Those of {@code all} that {@code run} is nearest to. */
    static List<TrendTraining> nearest(RunRecord run, List<TrendTraining> all) {
        List<TrendTraining> comparable = all.stream()
                .filter(training ->
                        Comparability.differences(training.anchor, run).isEmpty())
                .toList();
        List<RunRecord> anchors = Training.nearest(
                run, comparable.stream().map(training -> training.anchor).toList());
        return comparable.stream()
                .filter(training -> anchors.contains(training.anchor))
                .toList();
    }

    /** Trainings of one name in different builds differ in what keeps them from being compared. */
    private static String name(Training training, List<TrendTraining> all) {
        return all.stream()
                .filter(other -> other.anchor.workName().equals(first(training).workName())
                        && other.name.equals(training.name()))
                .findFirst()
                .map(other -> Comparability.differences(first(training), other.anchor).stream()
                        .findFirst()
                        .map(differs -> differs.replaceFirst(" instead of .*", ""))
                        .orElse(first(training).id()))
                .map(differs -> training.name() + " (" + differs + ")")
                .orElse(training.name());
    }

    String name() {
        return name;
    }

    /** Its runs by the place of their build. */
    NavigableMap<Integer, List<RunRecord>> builds() {
        return builds;
    }

    boolean has(String run) {
        return builds.values().stream()
                .anyMatch(runs -> runs.stream().anyMatch(one -> one.id().equals(run)));
    }

    /** The names of what its runs from {@code from} on measured, in the order in which they first appear. */
    Set<String> metrics(int from) {
        Set<String> names = new LinkedHashSet<>();
        builds.tailMap(from)
                .values()
                .forEach(runs -> runs.forEach(run -> {
                    names.addAll(run.metrics().keySet());
                    names.addAll(run.metricsOfMembers());
                }));
        return names;
    }

    /** What changed since its build before: commit, image, driver, data; empty when nothing did, or nothing is known. */
    String changes(int build) {
        Map.Entry<Integer, List<RunRecord>> before = builds.lowerEntry(build);
        RunRecord now = builds.getOrDefault(build, List.of(anchor)).get(0);
        return before == null
                ? ""
                : new Changes(before.getValue().get(0), now)
                        .all().stream()
                                .filter(change -> NAMED.contains(change.what())
                                        && !change.before().startsWith("(")
                                        && !change.now().startsWith("("))
                                .map(change ->
                                        change.what() + " " + brief(change.before()) + " → " + brief(change.now()))
                                .collect(Collectors.joining("; "));
    }

    private static String brief(String text) {
        return text.matches("(sha256:)?[0-9a-f]{20,}")
                ? text.replace("sha256:", "").substring(0, COMMIT_DIGITS)
                : text;
    }
}
