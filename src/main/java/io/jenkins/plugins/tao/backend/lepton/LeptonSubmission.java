package io.jenkins.plugins.tao.backend.lepton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.OtherWork;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonSecrets;
import io.jenkins.plugins.tao.backend.lepton.checks.LeptonPlaces;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonJob;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonName;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonPlan;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonRequest;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonState;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.Work;
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
    private final Controller controller;
    private final LeptonSecrets kept;

    LeptonSubmission(LeptonTarget target, LeptonApi api, Controller controller) {
        this.target = target;
        this.api = api;
        this.controller = controller;
        kept = new LeptonSecrets(api);
    }

    JobHandle first(JobSpec spec, JobKey key) throws BackendException {
        LeptonOptions options = LeptonPlan.options(spec, target.name());
        Optional<LeptonJob> earlier = find(key, 1);
        if (earlier.isPresent()) {
            String runs = earlier.get().label(LeptonRequest.WORK_LABEL);
            if (!runs.isEmpty() && !runs.equals(Work.of(spec))) {
                throw OtherWork.refused(target.name(), key);
            }
            return handle(earlier.get(), key, 1);
        }
        LeptonPlan plan = new LeptonPlan(target, spec, key, options, new LeptonPlaces(target, api).find(spec, options));
        ensurePullSecret();
        Map<String, Secret> values = plan.payload().secrets();
        return handle(
                create(LeptonName.secrets(plan, values), values, names -> LeptonRequest.job(plan, names)), key, 1);
    }

    JobHandle again(JobHandle previous, Map<String, Secret> secrets, Set<String> avoid) throws BackendException {
        JobKey key = previous.key();
        int number = previous.attempt() + 1;
        Optional<LeptonJob> earlier = find(key, number);
        Optional<LeptonJob> last = api.job(previous.nativeId());
        if (earlier.isPresent()) {
            leave(last);
            return previous.nextAttempt(earlier.get().id(), createdAt(earlier.get(), previous.submittedAt()));
        }
        LeptonJob before = last.orElseThrow(() -> new Rejected(
                "Job '" + previous.nativeId() + "' is gone from " + target.service()
                        + ", so there is nothing to start again.",
                "Submit it as a new job."));
        requireSecrets(before, secrets);
        ensurePullSecret();
        LeptonRequest.Attempt attempt = new LeptonRequest.Attempt(key, number, target.name());
        Map<String, String> names = new LinkedHashMap<>();
        secrets.keySet().forEach(variable -> names.put(variable, LeptonName.secret(key, number, variable)));
        List<String> nodes = allowed(before, avoid);
        LeptonJob job = create(names, secrets, stored -> LeptonRequest.again(before, attempt, stored, nodes));
        leave(last);
        return previous.nextAttempt(job.id(), createdAt(job, previous.submittedAt()));
    }

    /**
     * Stops an attempt that waits on a bad node, once there is another: by that {@link LeptonPoll} tells it from one that was cancelled.
     * One that may not be stopped waits on, and keeps nobody from the next.
     */
    private void leave(Optional<LeptonJob> waiting) throws BackendException {
        if (waiting.isEmpty()) {
            return;
        }
        LeptonJob job = waiting.get();
        if (!job.stopped() && LeptonState.read(job).ending().isEmpty()) {
            try {
                api.stop(job.id());
            } catch (Rejected | Denied e) {
                return;
            }
        }
        kept.remove(job.ownSecrets().values());
    }

    /** The body of a job, once it is known under which names its secrets are kept. */
    private interface Body {
        ObjectNode of(Map<String, String> names) throws Rejected;
    }

    /** Makes the job and its secrets; a job that is refused leaves none. When it is not known, they stay: it may run. */
    private LeptonJob create(Map<String, String> names, Map<String, Secret> values, Body body) throws BackendException {
        try {
            return api.create(signed(body.of(kept.store(names, values))), values.values());
        } catch (Rejected | Denied e) {
            kept.takeBack(names.values());
            throw e;
        }
    }

    private ObjectNode signed(ObjectNode body) {
        if (!controller.id().isEmpty()) {
            body.withObject("/metadata/labels").put(LeptonRequest.CONTROLLER_LABEL, controller.id());
        }
        return body;
    }

    /** Those of the attempt before are gone from the workspace with it. */
    private static void requireSecrets(LeptonJob before, Map<String, Secret> given) throws Rejected {
        Set<String> missing = new TreeSet<>(before.ownSecrets().keySet());
        missing.removeAll(given.keySet());
        if (!missing.isEmpty()) {
            throw new Rejected(
                    "The secrets " + String.join(", ", missing) + " of job '" + before.id() + "' are not known here.",
                    "Submit the job again, with its secrets.");
        }
    }

    /** The job of one attempt. */
    Optional<LeptonJob> find(JobKey key, int attempt) throws BackendException {
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

    /**
     * Lepton can only name nodes to use: all of the group that work, but those to avoid. Where none would be left, the one that
     * failed last is avoided alone.
     */
    private List<String> allowed(LeptonJob before, Set<String> avoid) throws BackendException {
        Optional<String> group = before.nodeGroup();
        if (avoid.isEmpty() || group.isEmpty()) {
            return List.of();
        }
        JsonNode nodes = api.nodes(group.get());
        List<String> allowed = without(avoid, nodes);
        return allowed.isEmpty() ? without(Set.of(avoid.iterator().next()), nodes) : allowed;
    }

    /** The ids of the nodes that work without those to avoid; empty if none is left, or none of them was to be avoided. */
    private static List<String> without(Set<String> avoid, Iterable<JsonNode> nodes) {
        List<String> allowed = new ArrayList<>();
        boolean avoided = false;
        for (JsonNode node : nodes) {
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
