package io.jenkins.plugins.tao.backend.slurm.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmAccess;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One look at many jobs by REST: the controller first, accounting for those that it no longer knows. A job counts as unknown to the
 * controller only when that said so of this very job: a list in which it is missing proves nothing.
 */
final class RestLook {
    /** Up to so many are asked for one by one: a list holds all jobs of the cluster, some kilobytes each. */
    private static final int ONE_BY_ONE = 8;

    private final SlurmApi api;
    private final Map<String, Integer> members = new HashMap<>();
    private final Map<String, List<String>> queue = new HashMap<>();
    private final List<String> past = new ArrayList<>();
    private final Set<String> silent = new HashSet<>();
    private final Collection<JobHandle> jobs;

    RestLook(SlurmApi api, Collection<JobHandle> jobs) {
        this.api = api;
        this.jobs = jobs;
        jobs.stream()
                .filter(job -> ArrayId.whole(job).matches("\\d+"))
                .forEach(job -> members.put(
                        ArrayId.whole(job),
                        ArrayId.of(job)
                                .map(array -> array.array().members().size())
                                .orElse(1)));
    }

    SlurmAccess.Look ask() throws BackendException {
        if (members.size() > ONE_BY_ONE) {
            take(api.queue(job -> members.containsKey(whole(job))));
        }
        for (String id : members.keySet()) {
            if (!queue.containsKey(id)) {
                api.job(id).ifPresent(this::take);
            }
        }
        for (Map.Entry<String, Integer> job : members.entrySet()) {
            if (needsPast(job.getKey(), job.getValue())) {
                askPast(job.getKey());
            }
        }
        List<String> rows = queue.values().stream().flatMap(List::stream).toList();
        return new SlurmAccess.Look(RestShell.look(rows, past), unclear());
    }

    private void take(JsonNode records) {
        for (JsonNode record : records) {
            queue.computeIfAbsent(whole(record), id -> new ArrayList<>()).addAll(RestRows.queue(record));
        }
    }

    private static String whole(JsonNode record) {
        String array = RestRows.number(record.path("array_job_id"), "0");
        return array.equals("0") ? RestRows.number(record.path("job_id"), "") : array;
    }

    /** Accounting alone tells of what the controller has forgotten, and who cancelled a job. */
    private boolean needsPast(String id, int count) {
        List<String> rows = queue.getOrDefault(id, List.of());
        return rows.size() < count || rows.stream().anyMatch(row -> row.contains("\u001fCANCELLED\u001f"));
    }

    private void askPast(String id) throws BackendException {
        try {
            Optional<JsonNode> told = api.past(id);
            told.ifPresent(records -> past.addAll(RestRows.all(records, RestRows::past)));
        } catch (Unreachable e) {
            silent.add(id);
        }
    }

    private Set<JobHandle> unclear() {
        return jobs.stream()
                .filter(job -> silent.contains(ArrayId.whole(job)) && !queue.containsKey(ArrayId.whole(job)))
                .collect(Collectors.toUnmodifiableSet());
    }
}
