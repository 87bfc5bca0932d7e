package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.model.Run;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.job.Secret;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;

/** What steps do just now for the builds of this process: what is on its way, what is watched. Never saved. */
@Extension
public final class LiveBuilds {
    /** By the build itself, for its id changes with the name of its job. */
    private final Map<Run<?, ?>, LiveBuild> builds = new WeakHashMap<>();

    static LiveBuilds get() {
        return ExtensionList.lookupSingleton(LiveBuilds.class);
    }

    /** What is done for {@code run}. */
    synchronized LiveBuild of(Run<?, ?> run) {
        return builds.computeIfAbsent(run, build -> new LiveBuild());
    }

    /** The same when the build has ended: nothing is added any more. */
    synchronized Optional<LiveBuild> ended(Run<?, ?> run) {
        return Optional.ofNullable(builds.remove(run));
    }

    /** The jobs that builds of this process watch, by the id of the build. */
    synchronized Map<String, List<WatchRun>> watches() {
        Map<String, List<WatchRun>> all = new TreeMap<>();
        builds.forEach((build, live) -> all.put(build.getExternalizableId(), live.watches()));
        return all;
    }

    /** The watches of builds of this process that wait until their target can be used again. */
    synchronized List<ResumedWatch> blocked() {
        return builds.values().stream().flatMap(live -> live.blocked().stream()).toList();
    }

    /** The ids of the jobs that are on their way to a target. */
    synchronized Set<String> submitting() {
        Set<String> all = new HashSet<>();
        builds.values().forEach(live -> all.addAll(live.submitting()));
        return all;
    }

    /** What is done for one build. */
    static final class LiveBuild {
        private final Map<String, SubmitRun> submissions = new HashMap<>();
        private final Set<WatchRun> watches = new LinkedHashSet<>();
        private final Set<ResumedWatch> blocked = new LinkedHashSet<>();
        private final Map<String, JointLines> lines = new HashMap<>();
        private final Map<String, CompletableFuture<Void>> confirming = new HashMap<>();
        private final Set<Secret> bound = new LinkedHashSet<>();
        private CompletableFuture<Void> reported = CompletableFuture.completedFuture(null);

        /** Takes the one confirming run of the job {@code id}; where another step has it, what is done once that has settled it. */
        synchronized Optional<CompletableFuture<Void>> confirm(String id) {
            return Optional.ofNullable(confirming.putIfAbsent(id, new CompletableFuture<>()));
        }

        /** The confirming run is settled, or was never started. */
        void confirmed(String id) {
            CompletableFuture<Void> settled;
            synchronized (this) {
                settled = confirming.remove(id);
            }
            if (settled != null) {
                settled.complete(null);
            }
        }

        /** Keeps the secrets of a request that is sent again. */
        synchronized void bind(List<Secret> secrets) {
            bound.addAll(secrets);
        }

        /** The secrets of all requests that were sent again. */
        synchronized Set<Secret> bound() {
            return Set.copyOf(bound);
        }

        synchronized void submitting(String id, SubmitRun submission) {
            submissions.put(id, submission);
        }

        synchronized void submitted(String id) {
            submissions.remove(id);
        }

        synchronized Set<String> submitting() {
            return Set.copyOf(submissions.keySet());
        }

        synchronized Optional<SubmitRun> submission(String id) {
            return Optional.ofNullable(submissions.get(id));
        }

        synchronized void watching(WatchRun watch) {
            watches.add(watch);
        }

        synchronized void watched(WatchRun watch) {
            watches.remove(watch);
        }

        synchronized void blocked(ResumedWatch watch) {
            blocked.add(watch);
        }

        synchronized void blockedNoMore(ResumedWatch watch) {
            blocked.remove(watch);
        }

        synchronized List<ResumedWatch> blocked() {
            return List.copyOf(blocked);
        }

        synchronized int watched() {
            return watches.size();
        }

        synchronized List<WatchRun> watches() {
            return List.copyOf(watches);
        }

        /** Reports to all who listen, after what was reported before; returns at once. */
        synchronized void happened(TaoEvent event) {
            if (TaoListener.any()) {
                reported = reported.thenRunAsync(() -> TaoListener.tellAll(event), TaoRuntime.calls());
            }
        }

        synchronized JointLines lines(String target) {
            return lines.computeIfAbsent(target, name -> new JointLines(name, TaoRuntime.ticker(), TaoRuntime.steps()));
        }
    }
}
