package io.jenkins.plugins.tao.gate.criteria;

import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Tells builds apart that have one number, because the numbering began again. Pure. */
public final class SameBuild {
    /** Where no record tells when its build began: as long a pause parts two builds of one number. */
    private static final Duration PAUSE = Duration.ofHours(12);

    private SameBuild() {}

    /** The runs by build, in the order of their first runs; a run that confirms another belongs to the build of that one. */
    public static List<List<RunRecord>> split(List<RunRecord> runs) {
        List<List<RunRecord>> builds = new ArrayList<>();
        Map<String, List<RunRecord>> newest = new HashMap<>();
        List<RunRecord> sorted = runs.stream()
                .sorted(Comparator.comparing(RunRecord::submittedAt))
                .toList();
        for (int i = 0; i < sorted.size(); i++) {
            RunRecord run = sorted.get(i);
            List<RunRecord> former = newest.getOrDefault(label(run), List.of());
            if (!former.isEmpty() && same(former.get(former.size() - 1), run, sorted.subList(0, i))) {
                former.add(run);
            } else {
                List<RunRecord> build = new ArrayList<>(List.of(run));
                newest.put(label(run), build);
                builds.add(build);
            }
        }
        return builds;
    }

    /** The newest build among {@code all} with a run that is {@code wanted}; the runs of other numbers show where a numbering began again. */
    public static List<RunRecord> newest(Predicate<RunRecord> wanted, List<RunRecord> all) {
        return split(all).stream()
                .filter(build -> build.stream().anyMatch(wanted))
                .reduce((former, next) -> next)
                .orElse(List.of());
    }

    /** The newest build among {@code runs}, which have one label. */
    public static List<RunRecord> newest(List<RunRecord> runs) {
        List<List<RunRecord>> builds = split(runs);
        return builds.isEmpty() ? List.of() : builds.get(builds.size() - 1);
    }

    /** Of {@code runs} those of the build that {@code one} belongs to. */
    public static List<RunRecord> of(RunRecord one, List<RunRecord> runs) {
        return split(runs).stream()
                .filter(build -> build.stream().anyMatch(run -> run.id().equals(one.id())))
                .findFirst()
                .orElse(List.of());
    }

    /** The label of the build that a run belongs to. */
    public static String label(RunRecord run) {
        return run.origin().fact(RunOrigin.CONFIRMS).orElseGet(run::label);
    }

    private static boolean same(RunRecord last, RunRecord next, List<RunRecord> before) {
        if (Evidence.confirms(next)) {
            return true;
        }
        Optional<String> began = last.origin().fact(RunOrigin.BUILD_AT);
        Optional<String> begins = next.origin().fact(RunOrigin.BUILD_AT);
        if (began.isPresent() && begins.isPresent() && !Evidence.confirms(last)) {
            return began.equals(begins);
        }
        return last.origin().fact(RunOrigin.BUILD).isEmpty()
                || (Duration.between(last.endedAt(), next.submittedAt()).compareTo(PAUSE) < 0
                        && !isParted(last, next, before));
    }

    /** Whether a run of another number of the same work began and ended between the two. */
    private static boolean isParted(RunRecord last, RunRecord next, List<RunRecord> before) {
        for (int i = before.size() - 1; i >= 0; i--) {
            RunRecord between = before.get(i);
            if (between.submittedAt().isBefore(last.endedAt())) {
                return false;
            }
            if (!label(between).equals(label(next))
                    && between.workName().equals(next.workName())
                    && between.origin().fact(RunOrigin.JOB).equals(next.origin().fact(RunOrigin.JOB))
                    && !between.endedAt().isAfter(next.submittedAt())) {
                return true;
            }
        }
        return false;
    }
}
