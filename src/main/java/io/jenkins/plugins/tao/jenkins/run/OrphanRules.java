package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Run;
import io.jenkins.plugins.tao.backend.LiveJobs.Found;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.job.JobKey;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Which of the jobs that live at a target are orphans of this controller. Asks no target. */
record OrphanRules(String controller, Set<String> cared, LastBuilds builds) {
    /**
     * Those after a look at a target.
     *
     * @param before what {@link #caredFor} said before that look: what has ended since is in the look still
     */
    static OrphanRules after(Set<String> before) {
        Set<String> cared = caredFor();
        cared.addAll(before);
        return new OrphanRules(TaoRuntime.dispatcher().controller().id(), cared, LastBuilds.get());
    }

    /** The ids of the jobs that are submitted, watched or being cancelled just now. */
    static Set<String> caredFor() {
        Set<String> cared = new HashSet<>(LiveBuilds.get().submitting());
        LiveBuilds.get()
                .watches()
                .values()
                .forEach(watches ->
                        watches.forEach(watch -> cared.add(watch.job().key().value())));
        LiveBuilds.get().blocked().forEach(watch -> cared.add(watch.job().key().value()));
        cared.addAll(CancelRequests.requested());
        return cared;
    }

    Optional<Orphan> judge(Found found) {
        JobKey key = found.job().key();
        boolean others =
                found.controller().isPresent() && !found.controller().get().equals(controller);
        if (others || cared.contains(key.value())) {
            return Optional.empty();
        }
        Optional<String> build = builds.of(key);
        Optional<Run<?, ?>> run = build.map(Run::fromExternalizableId);
        if (run.filter(Run::isBuilding).isPresent()) {
            return Optional.empty(); // it waits for the job, or will
        }
        boolean ours = build.isPresent() || found.controller().isPresent();
        return Optional.of(new Orphan(
                found.job(),
                found.state(),
                kind(key, ours, run),
                build.orElse(""),
                IgnoredOrphans.get().has(key)));
    }

    private static Orphan.Kind kind(JobKey key, boolean ours, Optional<Run<?, ?>> run) {
        if (!ours) {
            return Orphan.Kind.UNKNOWN;
        }
        if (run.isEmpty()) {
            return Orphan.Kind.GONE;
        }
        boolean left = TaoRunAction.of(run.get())
                .job(key.value())
                .filter(OrphanRules::leftOnPurpose)
                .isPresent();
        return left ? Orphan.Kind.LEFT : Orphan.Kind.UNWATCHED;
    }

    /** A job that was given up as lost is left too, but not on purpose. */
    private static boolean leftOnPurpose(JobRecord job) {
        return job.owner() == JobOwner.LEFT && !job.getState().equals("LOST");
    }
}
