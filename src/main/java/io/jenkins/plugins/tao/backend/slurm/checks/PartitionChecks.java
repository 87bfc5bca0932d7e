package io.jenkins.plugins.tao.backend.slurm.checks;

import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.job.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks a job against the partitions that it may get: those it names, else the cluster's default one. Slurm itself takes a
 * job that is longer than its partition allows, and never starts it.
 *
 * @param limits the longest wall time of each partition, empty for none; no entries when the cluster did not tell
 * @param usual the partition of jobs that name none
 */
record PartitionChecks(String cluster, Map<String, Optional<Duration>> limits, Optional<String> usual) {
    /** What is wrong; empty when the job fits, or nothing is known of partitions. */
    List<Check> of(SlurmPlan plan) {
        if (limits.isEmpty()) {
            return List.of();
        }
        List<Check> checks = new ArrayList<>();
        List<String> named = plan.partition()
                .map(text -> List.of(text.split(",", -1)))
                .orElseGet(() -> usual.map(List::of).orElse(List.of()));
        named.stream().filter(name -> !limits.containsKey(name)).forEach(name -> checks.add(unknown(name)));
        List<String> tooShort = named.stream()
                .filter(name -> limits.getOrDefault(name, Optional.empty())
                        .filter(limit -> plan.shape().wallTime().compareTo(limit) > 0)
                        .isPresent())
                .toList();
        if (!tooShort.isEmpty()) {
            checks.add(tooShort(plan, tooShort, tooShort.size() == named.size()));
        }
        return checks;
    }

    private Check unknown(String name) {
        return Check.failed(
                "partition",
                "'" + name + "' does not exist on " + cluster,
                "Use one of: " + String.join(", ", limits.keySet()) + ".");
    }

    /** Of several partitions Slurm starts the job in one whose limit it keeps to. */
    private Check tooShort(SlurmPlan plan, List<String> names, boolean all) {
        String asked = plan.shape().time() + " is more than " + spoken(plan, names);
        return all
                ? Check.failed(
                        "wall time",
                        asked + ": the job would wait for ever",
                        "Lower the wall time or set another partition." + longer(plan))
                : Check.warning(
                        "wall time",
                        asked + ": the job waits for another partition of its list",
                        "Lower the wall time, or leave these partitions out.");
    }

    private String spoken(SlurmPlan plan, List<String> names) {
        String which = plan.partition().isPresent() ? "partition " : "the default partition ";
        return which
                + String.join(
                        ", ",
                        names.stream()
                                .map(name -> "'" + name + "' ("
                                        + Durations.words(limits.getOrDefault(name, Optional.empty())
                                                .orElse(Duration.ZERO))
                                        + ")")
                                .toList())
                + " allows";
    }

    private String longer(SlurmPlan plan) {
        List<String> fit = limits.entrySet().stream()
                .filter(entry -> entry.getValue()
                        .map(limit -> plan.shape().wallTime().compareTo(limit) <= 0)
                        .orElse(true))
                .map(Map.Entry::getKey)
                .toList();
        return fit.isEmpty() ? "" : " These allow it: " + String.join(", ", fit) + ".";
    }
}
