package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hudson.model.Run;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import lombok.Getter;

/**
 * The jobs of two builds side by side: those of one name that do the same work are a pair, then what is left of the same work, in the order in
 * which they were submitted. Cells of a sweep are pairs by their values alone.
 */
public final class BuildComparison {
    @Getter
    private final Run<?, ?> before;

    @Getter
    private final Run<?, ?> now;

    private final List<ComparedJob> pairs = new ArrayList<>();
    private final List<String> alone = new ArrayList<>();

    BuildComparison(Run<?, ?> before, Run<?, ?> now) {
        this.before = before;
        this.now = now;
        pair();
    }

    private void pair() {
        List<JobRecord> open = new ArrayList<>(TaoRunAction.of(before).getJobs());
        Map<String, RunRecord> then = new HashMap<>(); // each file is read once, however many jobs there are
        open.forEach(job -> folder(before, job).record().ifPresent(known -> then.put(job.getId(), known)));
        Map<JobRecord, RunRecord> tonight = new LinkedHashMap<>();
        for (JobRecord job : TaoRunAction.of(now).getJobs()) {
            folder(now, job)
                    .record()
                    .ifPresentOrElse(
                            known -> tonight.put(job, known),
                            () -> alone.add(now.getDisplayName() + " " + job.getId()));
        }
        Map<JobRecord, JobRecord> partners = new HashMap<>();
        match(tonight, open, then, partners, BuildComparison::isSameJob);
        match(tonight, open, then, partners, BuildComparison::isSameWork);
        tonight.forEach((job, known) -> {
            JobRecord partner = partners.get(job);
            if (partner == null) {
                alone.add(now.getDisplayName() + " " + job.getId());
            } else {
                RunRecord old = Objects.requireNonNull(then.get(partner.getId()));
                pairs.add(new ComparedJob(old, known, folder(before, partner), folder(now, job)));
            }
        });
        open.forEach(job -> alone.add(before.getDisplayName() + " " + job.getId()));
    }

    /** Finds a partner for each job that has none yet; partners are no longer {@code open}. */
    private static void match(
            Map<JobRecord, RunRecord> tonight,
            List<JobRecord> open,
            Map<String, RunRecord> then,
            Map<JobRecord, JobRecord> partners,
            BiPredicate<RunRecord, RunRecord> same) {
        tonight.forEach((job, known) -> {
            if (!partners.containsKey(job)) {
                open.stream()
                        .filter(other -> Optional.ofNullable(then.get(other.getId()))
                                .filter(old -> same.test(old, known))
                                .isPresent())
                        .findFirst()
                        .ifPresent(other -> {
                            partners.put(job, other);
                            open.remove(other);
                        });
            }
        });
    }

    private static boolean isSameJob(RunRecord old, RunRecord known) {
        return isSameWork(old, known) && old.jobName().equals(known.jobName());
    }

    private static boolean isSameWork(RunRecord old, RunRecord known) {
        return old.workName().equals(known.workName())
                && old.origin().fact(RunOrigin.CELL).equals(known.origin().fact(RunOrigin.CELL));
    }

    private static JobFolder folder(Run<?, ?> build, JobRecord job) {
        return new JobFolder(build, job.getId());
    }

    public List<ComparedJob> getPairs() {
        return List.copyOf(pairs);
    }

    /** Jobs of either build that have no partner, or no record yet. */
    public List<String> getAlone() {
        return List.copyOf(alone);
    }

    /** Why no job stands beside another; empty where one does. */
    String emptyBecause() {
        if (!pairs.isEmpty()) {
            return "";
        }
        for (Run<?, ?> build : List.of(before, now)) {
            if (TaoRunAction.of(build).getJobs().isEmpty()) {
                return Messages.Compare_noJobs(build.getDisplayName());
            }
        }
        return Messages.Compare_noPair(before.getDisplayName(), now.getDisplayName());
    }

    ObjectNode json() throws IOException {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("before", before.getNumber());
        json.put("now", now.getNumber());
        ArrayNode list = json.putArray("jobs");
        for (ComparedJob pair : pairs) {
            list.add(pair.json());
        }
        alone.forEach(json.putArray("alone")::add);
        return json;
    }
}
