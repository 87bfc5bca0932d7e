package io.jenkins.plugins.tao.placing;

import java.util.List;
import java.util.Optional;

/**
 * The limits of one target: its own, and those of folders on it.
 *
 * @param target the name of the target
 * @param all each of this target
 */
public record Limits(String target, List<Limit> all) {
    public Limits {
        all = List.copyOf(all);
    }

    /** Those of {@code every} that are of the target. */
    public static Limits of(String target, List<Limit> every) {
        return new Limits(
                target,
                every.stream().filter(limit -> limit.target().equals(target)).toList());
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Whether a job also waits here that the target refuses because of a limit of its own. */
    public boolean waitWhenRefused() {
        return all.stream().anyMatch(Limit::waitWhenRefused);
    }

    /** Those that count a job in the folder of this name. */
    List<Limit> covering(String folder) {
        return all.stream().filter(limit -> limit.covers(folder)).toList();
    }

    /** Those that count a job in {@code theirs} and none in {@code ours}. */
    List<Limit> coveringOnly(String theirs, String ours) {
        return covering(theirs).stream().filter(limit -> !limit.covers(ours)).toList();
    }

    /** How fast jobs are sent. */
    Optional<Limit.Rate> rate() {
        return all.stream().flatMap(limit -> limit.rate().stream()).findFirst();
    }
}
