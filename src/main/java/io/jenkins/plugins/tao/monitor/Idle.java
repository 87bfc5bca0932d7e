package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.GpuUse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Notices GPUs that a running job holds and does not use. Time counts only between samples of the node itself. */
final class Idle {
    /** Samples are five minutes apart at most; what lies between two that are further apart is not known. */
    private static final Duration GAP = Duration.ofMinutes(20);

    private final Duration limit;
    private final Map<Integer, Instant> since = new TreeMap<>();
    private final Set<Integer> told = new TreeSet<>();
    private Optional<GpuUse> last = Optional.empty();

    /** A GPU that computed nothing for {@code limit} is reported, once for each such time. */
    Idle(Duration limit) {
        this.limit = limit;
    }

    /** Takes the next samples, the oldest first; gives what a person should be told now. */
    Optional<JobEvent> take(List<GpuUse> samples) {
        samples.forEach(this::take);
        Set<Integer> fresh = tooLong();
        if (!told.addAll(fresh)) {
            return Optional.empty();
        }
        return Optional.of(new JobEvent.Notice(all() ? what() + " Look at its log, or cancel it." : some()));
    }

    private void take(GpuUse sample) {
        boolean gap = last.map(before -> Duration.between(before.at(), sample.at()))
                .filter(between -> between.isNegative() || between.compareTo(GAP) > 0)
                .isPresent();
        if (gap) {
            since.clear();
            told.clear();
        }
        last = Optional.of(sample);
        for (GpuUse.Gpu gpu : sample.gpus()) {
            if (gpu.isIdle()) {
                since.putIfAbsent(gpu.number(), sample.at());
            } else {
                since.remove(gpu.number());
                told.remove(gpu.number());
            }
        }
    }

    private Set<Integer> tooLong() {
        return since.entrySet().stream()
                .filter(gpu -> idle(gpu.getValue()).compareTo(limit) >= 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Duration idle(Instant from) {
        return last.map(sample -> Duration.between(from, sample.at())).orElse(Duration.ZERO);
    }

    private boolean all() {
        Set<Integer> idle = tooLong();
        return last.map(sample -> sample.gpus().stream().allMatch(gpu -> idle.contains(gpu.number())))
                .orElse(false);
    }

    /** Why the job counts as idle now: none of its GPUs has computed anything for too long. */
    Optional<String> idle() {
        return all() ? Optional.of(what()) : Optional.empty();
    }

    private String what() {
        Duration shortest =
                since.values().stream().map(this::idle).min(Duration::compareTo).orElse(Duration.ZERO);
        int count = last.map(sample -> sample.gpus().size()).orElse(0);
        return "The job runs, yet " + (count == 1 ? "its GPU has" : "its " + count + " GPUs have")
                + " computed nothing for " + Durations.words(shortest) + ".";
    }

    private String some() {
        Set<Integer> idle = tooLong();
        int count = last.map(sample -> sample.gpus().size()).orElse(0);
        return (idle.size() == 1 ? "GPU " : "GPUs ")
                + idle.stream().map(String::valueOf).collect(Collectors.joining(", ")) + " of the job's " + count
                + (idle.size() == 1 ? " has" : " have") + " computed nothing for " + Durations.words(limit)
                + " or longer, while others work: ask for fewer, or look whether the training uses all of them.";
    }
}
