package io.jenkins.plugins.tao.nodes;

import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What one job has to do with the nodes that failed on its target: it avoids those known, and adds those that fail under it, where the
 * target asks for it. A list that cannot be read or written ends no job: that is told, and nothing is avoided.
 */
public final class NodeAvoidance {
    private final AvoidedNodes list;
    private final String target;
    private final Duration time;
    private final InstantSource clock;
    private final Consumer<String> note;

    /**
     * Makes it.
     *
     * @param list of the controller or the user
     * @param note tells a person something, in one line
     */
    public NodeAvoidance(AvoidedNodes list, Target target, InstantSource clock, Consumer<String> note) {
        this.list = list;
        this.target = target.name();
        time = target instanceof Avoiding.Place place
                ? place.avoidFailedNodesFor().orElse(Duration.ZERO)
                : Duration.ZERO;
        this.clock = clock;
        this.note = note;
    }

    /** The nodes that a first attempt avoids, the one that failed last first; tells each with its reason. */
    public Set<String> forSubmission() {
        List<AvoidedNodes.Entry> entries = entries();
        entries.forEach(entry -> note.accept("avoids " + entry));
        return names(entries);
    }

    /** The same for a further attempt, which tells its nodes itself. */
    public Set<String> known() {
        return names(entries());
    }

    /**
     * Hears what happens to a job, and adds the nodes that failed.
     *
     * @param job its name for people
     * @param mask takes secrets out of what is kept
     */
    public void on(JobEvent event, String job, UnaryOperator<String> mask) {
        if (event instanceof JobEvent.AttemptStarted next) {
            Attempt ended = next.ended();
            add(ended.failedNodes(), job, ended.cause(), ended.detail(), ended.endedAt(), mask);
        } else if (event instanceof JobEvent.Ended ended && ended.result().outcome() instanceof Outcome.Failed failed) {
            Instant at = ended.result().endedAt();
            add(ended.result().failedNodes(), job, failed.cause(), failed.detail(), at, mask);
        }
    }

    private void add(
            Set<String> nodes, String job, Outcome.Cause cause, String detail, Instant at, UnaryOperator<String> mask) {
        if (!cause.infrastructure()) {
            return; // a training that hangs says nothing of its node
        }
        try {
            list.add(target, nodes, job, mask.apply(cause + ", " + detail), at, time);
        } catch (IOException e) {
            note.accept("the nodes that failed cannot be kept for later jobs: " + e.getMessage());
        }
    }

    private List<AvoidedNodes.Entry> entries() {
        if (time.isZero()) {
            return List.of();
        }
        try {
            return list.of(target, clock.instant());
        } catch (IOException e) {
            note.accept("no node is avoided, because the nodes that failed cannot be read: " + e.getMessage());
            return List.of();
        }
    }

    private static Set<String> names(List<AvoidedNodes.Entry> entries) {
        Set<String> names = new LinkedHashSet<>();
        entries.forEach(entry -> names.add(entry.node()));
        return names;
    }
}
