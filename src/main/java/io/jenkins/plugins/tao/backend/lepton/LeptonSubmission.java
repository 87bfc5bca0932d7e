package io.jenkins.plugins.tao.backend.lepton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.spec.FilledJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Starts jobs once. Making one is not repeatable and names are not unique for the service, so each attempt is looked for
 * by its name and labels first; what an answer that was lost had made is found by the next call.
 */
final class LeptonSubmission {
    private final LeptonTarget target;
    private final LeptonApi api;

    LeptonSubmission(LeptonTarget target, LeptonApi api) {
        this.target = target;
        this.api = api;
    }

    JobHandle first(JobSpec spec, JobKey key) throws BackendException {
        LeptonOptions options = LeptonPlan.options(spec, target.name());
        Optional<LeptonJob> earlier = find(key, 1);
        if (earlier.isPresent()) {
            return handle(earlier.get(), key, 1);
        }
        LeptonPlan plan = new LeptonPlan(target, spec, key, options, new LeptonPlaces(target, api).find(spec, options));
        ensurePullSecret();
        Map<String, Secret> secrets = plan.payload().secrets();
        ObjectNode body = LeptonRequest.job(plan, store(LeptonName.secrets(plan, secrets), secrets));
        return handle(api.create(body, secrets.values()), key, 1);
    }

    JobHandle again(JobHandle previous, Map<String, Secret> secrets, Set<String> avoid) throws BackendException {
        JobKey key = previous.key();
        int number = previous.attempt() + 1;
        Optional<LeptonJob> earlier = find(key, number);
        if (earlier.isPresent()) {
            return previous.nextAttempt(earlier.get().id(), createdAt(earlier.get(), previous.submittedAt()));
        }
        LeptonJob before = api.job(previous.nativeId())
                .orElseThrow(() -> new Rejected(
                        "Job '" + previous.nativeId() + "' is gone from " + target.service()
                                + ", so there is nothing to start again.",
                        "Submit it as a new job."));
        ensurePullSecret();
        LeptonRequest.Attempt attempt = new LeptonRequest.Attempt(key, number, target.name());
        Map<String, String> names = new LinkedHashMap<>();
        secrets.keySet().forEach(variable -> names.put(variable, LeptonName.secret(key, number, variable)));
        ObjectNode body = LeptonRequest.again(before, attempt, store(names, secrets), allowed(before, avoid));
        LeptonJob job = api.create(body, secrets.values());
        return previous.nextAttempt(job.id(), createdAt(job, previous.submittedAt()));
    }

    private Optional<LeptonJob> find(JobKey key, int attempt) throws BackendException {
        String name = LeptonName.of(key, attempt);
        String label = LeptonRequest.label(key.value());
        List<LeptonJob> found = api.called(name).stream()
                .filter(job -> job.name().equals(name)
                        || job.id().equals(name)
                        || job.id().startsWith(name + "-"))
                .filter(job -> job.label(LeptonRequest.JOB_LABEL).equals(label)
                        || job.label(LeptonRequest.JOB_LABEL).isEmpty())
                .toList();
        if (found.size() > 1) {
            throw new Rejected(
                    target.service() + " has " + found.size() + " jobs '" + name + "' for job '" + key + "': "
                            + found.stream().map(LeptonJob::id).collect(Collectors.joining(", ")) + ".",
                    "Stop all but one and delete these in the dashboard, then submit again.");
        }
        return found.stream().findFirst();
    }

    private JobHandle handle(LeptonJob job, JobKey key, int attempt) throws Unreadable {
        String results = job.variable(FilledJob.RESULTS_DIR)
                .orElseThrow(() -> new Unreadable(
                        "Job '" + job.id() + "' has lost its variable " + FilledJob.RESULTS_DIR,
                        job.json().toString(),
                        "Delete it in the dashboard, then submit again."));
        Instant at = createdAt(job, Instant.EPOCH);
        return new JobHandle(target.name(), LeptonType.NAME, key, attempt, job.id(), results, results, at);
    }

    private static Instant createdAt(LeptonJob job, Instant otherwise) {
        return job.createdAt().orElse(otherwise);
    }

    private void ensurePullSecret() throws BackendException {
        if (target.ngcKey().isPresent() && target.pullSecret().isEmpty()) {
            Secret ngcKey = target.ngcKey().get();
            String name = LeptonName.pullSecret(ngcKey.reveal());
            if (!names(api.pullSecrets()).contains(name)) {
                api.createPullSecret(name, ngcKey);
            }
        }
    }

    private static Set<String> names(JsonNode secrets) {
        Set<String> names = new TreeSet<>();
        for (JsonNode secret : secrets) {
            names.add(secret.path("metadata").path("id").asText(""));
            names.add(secret.path("metadata").path("name").asText(""));
        }
        return names;
    }

    /** Keeps the values in the workspace, and gives the names under which it lists them: it may add a suffix. */
    private Map<String, String> store(Map<String, String> names, Map<String, Secret> secrets) throws BackendException {
        if (names.isEmpty()) {
            return names;
        }
        List<String> there = listed(api.userSecrets());
        for (Map.Entry<String, Secret> secret : secrets.entrySet()) {
            String name = names.getOrDefault(secret.getKey(), secret.getKey());
            if (there.stream().noneMatch(each -> isNamed(each, name))) {
                api.createUserSecret(name, secret.getValue());
            }
        }
        List<String> now = listed(api.userSecrets());
        Map<String, String> known = new LinkedHashMap<>(names);
        known.replaceAll((variable, name) ->
                now.stream().filter(each -> isNamed(each, name)).findFirst().orElse(name));
        return known;
    }

    private static boolean isNamed(String listed, String name) {
        return listed.equals(name) || listed.startsWith(name + ".");
    }

    private static List<String> listed(JsonNode secrets) {
        List<String> names = new ArrayList<>();
        secrets.forEach(secret -> names.add(secret.path("name").asText("")));
        return names;
    }

    /** Lepton can only name nodes to use: all of the group that work, but those to avoid. */
    private List<String> allowed(LeptonJob before, Set<String> avoid) throws BackendException {
        Optional<String> group = before.nodeGroup();
        if (avoid.isEmpty() || group.isEmpty()) {
            return List.of();
        }
        List<String> allowed = new ArrayList<>();
        boolean avoided = false;
        for (JsonNode node : api.nodes(group.get())) {
            String id = node.path("metadata").path("id").asText("");
            boolean bad = avoid.contains(id)
                    || avoid.contains(node.path("metadata").path("name").asText(id));
            avoided |= bad;
            if (!bad
                    && !id.isEmpty()
                    && !node.path("spec").path("unschedulable").asBoolean()) {
                allowed.add(id);
            }
        }
        return avoided ? allowed : List.of();
    }
}
