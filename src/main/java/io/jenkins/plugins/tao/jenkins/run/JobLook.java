package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One look at jobs, for a Pipeline. */
public final class JobLook {
    private JobLook() {}

    /**
     * Asks each target once, whatever the number of its jobs; blocks on the network.
     *
     * @return where each of {@code jobs} stands, in their order: texts, numbers, truth values and lists by name
     * @throws BackendException if a target does not answer: then nothing is known of its jobs
     */
    public static List<Map<String, Object>> at(BuildScope scope, List<JobHandle> jobs) throws BackendException {
        Map<String, Set<JobHandle>> targets = new LinkedHashMap<>();
        jobs.forEach(job -> targets.computeIfAbsent(job.target(), unused -> new LinkedHashSet<>())
                .add(job));
        Map<JobHandle, JobStatus> answer = new HashMap<>();
        for (Map.Entry<String, Set<JobHandle>> target : targets.entrySet()) {
            answer.putAll(
                    TaoRuntime.dispatcher().poll(scope.target(target.getKey(), target.getValue()), target.getValue()));
        }
        ArrayList<Map<String, Object>> looks = new ArrayList<>();
        jobs.forEach(job -> looks.add(look(scope, job, Optional.ofNullable(answer.get(job)))));
        return looks;
    }

    private static Map<String, Object> look(BuildScope scope, JobHandle job, Optional<JobStatus> status) {
        Map<String, Object> look = new LinkedHashMap<>();
        look.put("id", job.key().value());
        look.put("target", job.target());
        look.put("nativeId", job.nativeId());
        look.put("attempt", job.attempt());
        look.put("token", job.token());
        look.put("resultsDir", job.resultsDirectory());
        look.put("known", status.isPresent());
        look.put("state", status.map(now -> now.state().name()).orElse("UNKNOWN"));
        status.ifPresent(now -> add(look, now));
        scope.page()
                .job(job.key().value())
                .map(JobRecord::getProgress)
                .filter(progress -> !progress.isEmpty())
                .ifPresent(progress -> look.put("progress", progress));
        return look;
    }

    private static void add(Map<String, Object> look, JobStatus now) {
        look.put("nativeState", now.nativeState());
        look.put("nodes", new ArrayList<>(now.nodes()));
        now.reason().ifPresent(reason -> look.put("reason", reason));
        now.exitCode().ifPresent(code -> look.put("exitCode", code));
        now.startedAt().ifPresent(time -> look.put("startTime", time.toString()));
        now.endedAt().ifPresent(time -> look.put("endTime", time.toString()));
    }
}
