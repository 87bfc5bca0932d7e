package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.GpuUse;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import lombok.RequiredArgsConstructor;

/**
 * Notices GPUs that a running job holds and does not use. Time counts only between samples of the node itself; of several
 * nodes each tells of its own.
 */
@RequiredArgsConstructor
final class Idle {
    /** Samples are five minutes apart at most; what lies between two that are further apart is not known. */
    private static final Duration GAP = Duration.ofMinutes(20);

    private final Duration limit;
    private final Map<Place, Instant> since = new TreeMap<>();
    private final Set<Place> told = new TreeSet<>();
    /** By the rank of the node. */
    private final Map<Integer, GpuUse> last = new TreeMap<>();

    private record Place(int node, int number) implements Comparable<Place> {
        static Place of(GpuUse.Gpu gpu) {
            return new Place(gpu.node(), gpu.number());
        }

        @Override
        public int compareTo(Place other) {
            return Comparator.comparingInt(Place::node)
                    .thenComparingInt(Place::number)
                    .compare(this, other);
        }

        String words() {
            return node == 0 ? Integer.toString(number) : number + " of node " + node;
        }
    }

    /** Takes the next samples, the oldest first; gives what a person should be told now. */
    Optional<JobEvent> take(List<GpuUse> samples) {
        samples.forEach(this::take);
        Set<Place> fresh = tooLong();
        if (!told.addAll(fresh)) {
            return Optional.empty();
        }
        return Optional.of(new JobEvent.Notice(all() ? what() + " Look at its log, or cancel it." : some()));
    }

    /** Forgets a node whose part of the job has ended: what its GPUs do now is no matter of the job's. */
    void forget(int node) {
        last.remove(node);
        since.keySet().removeIf(place -> place.node() == node);
        told.removeIf(place -> place.node() == node);
    }

    private void take(GpuUse sample) {
        int node = sample.gpus().get(0).node();
        boolean gap = Optional.ofNullable(last.put(node, sample))
                .map(before -> Duration.between(before.at(), sample.at()))
                .filter(between -> between.isNegative() || between.compareTo(GAP) > 0)
                .isPresent();
        if (gap) {
            Predicate<Place> here = place -> place.node() == node;
            since.keySet().removeIf(here);
            told.removeIf(here);
        }
        for (GpuUse.Gpu gpu : sample.gpus()) {
            if (gpu.isIdle()) {
                since.putIfAbsent(Place.of(gpu), sample.at());
            } else {
                since.remove(Place.of(gpu));
                told.remove(Place.of(gpu));
            }
        }
    }

    private Set<Place> tooLong() {
        return since.entrySet().stream()
                .filter(gpu -> idle(gpu).compareTo(limit) >= 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** By the clock of its own node. */
    private Duration idle(Map.Entry<Place, Instant> gpu) {
        return Optional.ofNullable(last.get(gpu.getKey().node()))
                .map(sample -> Duration.between(gpu.getValue(), sample.at()))
                .orElse(Duration.ZERO);
    }

    private List<GpuUse.Gpu> gpus() {
        return last.values().stream().flatMap(sample -> sample.gpus().stream()).toList();
    }

    private boolean all() {
        Set<Place> idle = tooLong();
        return !last.isEmpty() && gpus().stream().map(Place::of).allMatch(idle::contains);
    }

    /** Why the job counts as idle now: none of its GPUs has computed anything for too long. */
    Optional<String> idle() {
        return all() ? Optional.of(what()) : Optional.empty();
    }

    private String what() {
        Duration shortest = since.entrySet().stream()
                .map(this::idle)
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
        int count = gpus().size();
        return "The job runs, yet " + (count == 1 ? "its GPU has" : "its " + count + " GPUs have")
                + " computed nothing for " + Durations.words(shortest) + ".";
    }

    private String some() {
        Set<Place> idle = tooLong();
        return (idle.size() == 1 ? "GPU " : "GPUs ")
                + idle.stream().map(Place::words).collect(Collectors.joining(", ")) + " of the job's "
                + gpus().size() + (idle.size() == 1 ? " has" : " have") + " computed nothing for "
                + Durations.words(limit)
                + " or longer, while others work: ask for fewer, or look whether the training uses all of them.";
    }
}
