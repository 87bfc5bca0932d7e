package io.jenkins.plugins.tao.jenkins.verdict;

import hudson.model.Cause;
import hudson.model.Run;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.jenkins.run.BuildOrigin;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Calls runs of a build good; the same for the step and for the page. */
public record BuildBless(Run<?, ?> build) {
    /**
     * What is asked for.
     *
     * @param ids the ids of the runs; empty for all of the build
     * @param name the name of the baseline; blank for the level of the usual rule
     * @param by who blesses
     * @param why the reason
     */
    public record Asked(List<String> ids, String name, String by, String why) {
        public Asked {
            ids = List.copyOf(ids);
            name = name.isBlank() ? Blessed.LEVEL : name.strip();
            if (why.isBlank()) {
                throw new IllegalArgumentException("A blessing needs a reason: say why this run is good.");
            }
        }
    }

    /**
     * The blessings, one for each run; nothing is written.
     *
     * @throws IllegalArgumentException if a run has no record, or did not succeed: then none is blessed
     */
    public List<Blessed> blessings(Asked asked) throws IOException {
        List<RunRecord> runs = JobHistory.of(build.getParent()).read().records().stream()
                .filter(run -> asked.ids().isEmpty()
                        ? BuildOrigin.isOf(build, run.origin())
                        : asked.ids().contains(run.id()))
                .toList();
        List<String> absent = new ArrayList<>(asked.ids());
        runs.forEach(run -> absent.remove(run.id()));
        if (runs.isEmpty() || !absent.isEmpty()) {
            throw new IllegalArgumentException(
                    absent.isEmpty()
                            ? "No job of " + build.getExternalizableId() + " left a record that could be blessed."
                            : "No record of " + String.join(", ", absent)
                                    + " is there; wait for it with taoWait first.");
        }
        List<Blessed> blessings = new ArrayList<>();
        for (RunRecord run : runs) {
            if (!run.succeeded()) {
                throw new IllegalArgumentException(
                        run.id() + " " + run.outcome() + ": only runs that succeeded can be blessed.");
            }
            blessings.add(
                    new Blessed(asked.name(), run, asked.by(), Clock.systemUTC().instant(), asked.why()));
        }
        return blessings;
    }

    /** Keeps blessings beside the records of the job: they outlive its builds. */
    public void keep(List<Blessed> blessings) throws IOException {
        for (Blessed blessed : blessings) {
            JobHistory.baselines(build.getParent()).bless(blessed);
        }
    }

    /** The person who started the build, else the build. */
    public String starter() {
        Cause.UserIdCause person = build.getCause(Cause.UserIdCause.class);
        String name = person == null ? null : person.getUserName();
        return name == null ? "build " + build.getExternalizableId() : name;
    }
}
