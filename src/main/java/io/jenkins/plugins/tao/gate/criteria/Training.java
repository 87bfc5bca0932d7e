package io.jenkins.plugins.tao.gate.criteria;

import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.record.SpecLabels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One training of a build: the runs that do the same work and differ in the seed alone. Runs of other work are never pooled with it.
 *
 * @param name what people call it, such as {@code dino train}; told apart from the other trainings of the build
 * @param runs its runs in the order of their submission; at least one
 */
public record Training(String name, List<RunRecord> runs) {
    /** In which the requests of two runs of one training do not differ. */
    private static final List<String> ASKED = List.of("work/commandHash", "work/image", "work/data", "origin/job");

    private static final List<String> MORE = List.of("work/imageDigest", "work/specHash");

    public Training {
        runs = List.copyOf(runs);
    }

    /** Runs that belong together; of those that were asked for alike one stands for all in comparisons. */
    private record Group(List<RunRecord> runs, Map<List<Object>, RunRecord> unlike) {
        Group() {
            this(new ArrayList<>(), new LinkedHashMap<>());
        }

        void add(RunRecord run) {
            runs.add(run);
            unlike.putIfAbsent(traits(run), run);
        }

        boolean takes(RunRecord run, Matching matching) {
            Optional<String> confirmed = run.origin().fact(RunOrigin.CONFIRMED_RUN);
            return confirmed.isPresent()
                    ? runs.stream().anyMatch(other -> confirmed.get().equals(other.id()))
                    : unlike.values().stream()
                            .allMatch(other -> matching.differences(run, other).isEmpty()
                                    && (Evidence.isBeside(run) || Evidence.isBeside(other) || asked(run, other) == 0));
        }
    }

    /** The trainings of one build, in the order of their first runs. */
    public static List<Training> of(List<RunRecord> build, Matching matching) {
        List<Group> groups = new ArrayList<>();
        build.stream()
                .sorted(Comparator.comparing((RunRecord run) -> !run.succeeded())
                        .thenComparing(Evidence::confirms)
                        .thenComparing(RunRecord::submittedAt))
                .forEach(run -> groups.stream()
                        .filter(group -> group.takes(run, matching))
                        .findFirst()
                        .orElseGet(() -> {
                            groups.add(new Group());
                            return groups.get(groups.size() - 1);
                        })
                        .add(run));
        IdentityHashMap<RunRecord, Integer> places = new IdentityHashMap<>();
        build.forEach(run -> places.putIfAbsent(run, places.size()));
        List<List<RunRecord>> runs = groups.stream()
                .map(group -> group.runs().stream()
                        .sorted(Comparator.comparing(places::get))
                        .toList())
                .sorted(Comparator.comparing(group -> places.get(group.get(0))))
                .toList();
        return runs.stream()
                .map(group -> new Training(name(group, runs), group))
                .toList();
    }

    /** All that decides to which training a run belongs. */
    private static List<Object> traits(RunRecord run) {
        List<Object> traits = new ArrayList<>();
        Stream.of(Comparability.CONSTANT.values(), Matching.CIRCUMSTANCES.values(), ASKED, MORE)
                .flatMap(Collection::stream)
                .forEach(path -> traits.add(run.text(path)));
        traits.add(environment(run));
        traits.add(Comparability.spec(run));
        traits.add(Comparability.isWhole(run));
        Stream.of(RunOrigin.GROUP, RunOrigin.CELL, RunOrigin.CONFIRMS, RunOrigin.CONFIRMED_RUN, RunOrigin.BESIDE)
                .forEach(fact -> traits.add(run.origin().fact(fact)));
        return traits;
    }

    /** Of the runs of one earlier build those that are nearest to {@code run}, where several of its trainings can be compared. */
    public static List<RunRecord> nearest(RunRecord run, List<RunRecord> build) {
        if (build.size() < 2) {
            return build;
        }
        int least = build.stream()
                .filter(other -> !Evidence.isBeside(other))
                .mapToInt(other -> asked(run, other))
                .min()
                .orElse(0);
        return build.stream()
                .filter(other -> Evidence.isBeside(other) || asked(run, other) == least)
                .toList();
    }

    /** In how many things the requests of two runs differ that no build has twice by chance. */
    private static int asked(RunRecord one, RunRecord other) {
        Optional<String> group = one.origin().fact(RunOrigin.GROUP);
        if (group.isPresent() && group.equals(other.origin().fact(RunOrigin.GROUP))) {
            return 0; // the user said what repeats what
        }
        int count = 0;
        for (String path : ASKED) {
            count += Comparability.difference(path, one.text(path), other.text(path))
                            .isPresent()
                    ? 1
                    : 0;
        }
        Map<String, String> env = environment(one);
        Map<String, String> others = environment(other);
        return env.isEmpty() || others.isEmpty() || env.equals(others) ? count : count + 1;
    }

    private static Map<String, String> environment(RunRecord run) {
        Map<String, String> env = new LinkedHashMap<>(run.entries("work/env"));
        env.keySet().removeIf(SpecLabels::is);
        return env;
    }

    /** Network and action; with the first thing that tells it apart where several trainings share them. */
    private static String name(List<RunRecord> group, List<List<RunRecord>> all) {
        String work = anchor(group).workName();
        List<RunRecord> sharing = all.stream()
                .map(Training::anchor)
                .filter(run -> run.workName().equals(work))
                .toList();
        if (sharing.size() < 2) {
            return work;
        }
        for (Function<RunRecord, Optional<String>> mark : marks(sharing)) {
            List<String> values =
                    sharing.stream().flatMap(run -> mark.apply(run).stream()).toList();
            if (values.size() == sharing.size() && new HashSet<>(values).size() == values.size()) {
                return work + " (" + mark.apply(anchor(group)).orElse("") + ")";
            }
        }
        return work + " (" + anchor(group).id() + ")";
    }

    private static List<Function<RunRecord, Optional<String>>> marks(List<RunRecord> sharing) {
        List<Function<RunRecord, Optional<String>>> marks = new ArrayList<>();
        marks.add(Comparability::cell);
        TreeSet<String> keys = new TreeSet<>();
        sharing.forEach(run -> keys.addAll(Comparability.spec(run).keySet()));
        keys.forEach(key -> marks.add(
                run -> Optional.ofNullable(Comparability.spec(run).get(key)).map(value -> key + " " + value)));
        marks.add(run -> run.text("work/data"));
        marks.add(run -> run.text("machines/gpuType"));
        marks.add(run -> run.text("origin/job"));
        marks.add(run -> Optional.of(run.jobName()));
        return marks;
    }

    private static RunRecord anchor(List<RunRecord> group) {
        return group.stream().filter(RunRecord::succeeded).findFirst().orElseGet(() -> group.get(0));
    }
}
