package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.TargetHealth;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import lombok.RequiredArgsConstructor;

/** Watches jobs, whatever their number, with one round of calls for each target at a time. */
@RequiredArgsConstructor
public final class Monitor implements AutoCloseable {
    private final Connections connections;
    private final Ticker ticker;
    private final Executor io;
    private final Map<Target, Poller> pollers = new HashMap<>();

    /**
     * Watches a job until it has ended, going on where {@code memory} says an earlier watch was.
     *
     * @throws IllegalArgumentException if {@code memory} holds something else than a watch has saved
     */
    public Watch watch(Target target, JobHandle job, WatchPlan plan, WatchMemory memory, JobObserver observer) {
        synchronized (pollers) {
            Poller poller =
                    pollers.computeIfAbsent(target, key -> new Poller(key, connections, ticker, io, this::forget));
            Watched watched = new Watched(job, plan, memory, observer, ticker, poller::hurry);
            poller.add(watched);
            return watched;
        }
    }

    /** Saves how far every watch was told, before the process ends; jobs and records stay. */
    @Override
    public void close() {
        synchronized (pollers) {
            pollers.values().forEach(Poller::keep);
        }
    }

    /** How the targets answer whose jobs are watched, by name; several of one name where it was configured anew. */
    public List<TargetHealth> health() {
        List<Poller> all;
        synchronized (pollers) {
            all = List.copyOf(pollers.values());
        }
        return all.stream()
                .map(Poller::health)
                .sorted(Comparator.comparing(TargetHealth::target))
                .toList();
    }

    private void forget(Poller poller) {
        synchronized (pollers) {
            if (poller.isIdle()) {
                pollers.values().remove(poller);
            }
        }
    }
}
