package io.jenkins.plugins.tao.backend.lepton.request;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonMount;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonPatch;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.Work;
import io.jenkins.plugins.tao.payload.Payload;
import io.jenkins.plugins.tao.spec.FilledJob;
import java.util.List;
import java.util.Map;

/** What is sent: bodies as Lepton's own client sends them, field by field. Pure, without secrets but where they belong. */
public final class LeptonRequest {
    public static final String JOB_LABEL = "tao-job";
    public static final String ATTEMPT_LABEL = "tao-attempt";
    public static final String TARGET_LABEL = "tao-target";
    /** The id of the controller that sent the job. */
    public static final String CONTROLLER_LABEL = "tao-controller";

    /** The commit of the job's code. */
    public static final String COMMIT_LABEL = "tao-commit";

    /** A fingerprint of what the job runs, by which a second submission with the same id is compared. */
    public static final String WORK_LABEL = "tao-work";

    /** Where the job's results go in S3; the job itself does not read it. */
    public static final String RESULTS_ADDRESS = "TAO_RESULTS_ADDRESS";

    private LeptonRequest() {}

    /**
     * The first attempt of a job.
     *
     * @param secrets names of secrets of the workspace, by variable
     */
    public static ObjectNode job(LeptonPlan plan, Map<String, String> secrets) throws Rejected {
        ObjectNode body = Json.object();
        body.set("metadata", metadata(plan, 1));
        ObjectNode spec = body.putObject("spec");
        int workers = plan.spec().resources().nodes();
        spec.put("resource_shape", plan.place().shape());
        affinity(plan, spec);
        container(plan, spec);
        spec.put("shared_memory_size", sharedMemory(plan));
        spec.put("completions", workers).put("parallelism", workers);
        if (workers > 1) {
            spec.put("intra_job_communication", true);
        }
        spec.put("max_failure_retry", 0).put("max_job_failure_retry", 0);
        environment(plan, secrets, spec.putArray("envs"));
        mounts(plan.place().mounts(), spec.putArray("mounts"));
        ArrayNode pulls = spec.putArray("image_pull_secrets");
        plan.place().pullSecrets().forEach(pulls::add);
        spec.put(
                "ttl_seconds_after_finished",
                plan.options()
                        .archiveAfter()
                        .orElseGet(plan.target()::archiveAfterOrDefault)
                        .toSeconds());
        spec.putObject("log").put("enable_collection", true).put("save_termination_logs", true);
        queue(plan.options(), spec);
        plan.options().patch().ifPresent(patch -> LeptonPatch.apply(spec, patch));
        return body;
    }

    private static ObjectNode metadata(LeptonPlan plan, int attempt) {
        ObjectNode metadata = Json.object();
        metadata.put("id", LeptonName.of(plan.key(), attempt));
        metadata.put("visibility", plan.options().visibility().orElse("private"));
        ObjectNode labels = labels(plan.key(), attempt, plan.target().name()).put(WORK_LABEL, Work.of(plan.spec()));
        plan.spec().gitCode().ifPresent(code -> labels.put(COMMIT_LABEL, label(code.commit())));
        metadata.set("labels", labels);
        return metadata;
    }

    private static ObjectNode labels(JobKey key, int attempt, String target) {
        return Json.object()
                .put(JOB_LABEL, label(key.value()))
                .put(ATTEMPT_LABEL, Integer.toString(attempt))
                .put(TARGET_LABEL, label(target));
    }

    /** A label's value has at most 63 letters, digits, dots, underscores and hyphens, the first and last no sign. */
    public static String label(String text) {
        String cut = text.substring(0, Math.min(63, text.length()));
        return cut.replaceAll("^[^A-Za-z0-9]+|[^A-Za-z0-9]+$", "");
    }

    private static void affinity(LeptonPlan plan, ObjectNode spec) {
        if (plan.place().group().isPresent()) {
            ObjectNode affinity = spec.putObject("affinity");
            affinity.putArray("allowed_dedicated_node_groups")
                    .add(plan.place().group().get());
            if (!plan.options().nodes().isEmpty()) {
                ArrayNode nodes = affinity.putArray("allowed_nodes_in_node_group");
                plan.options().nodes().forEach(nodes::add);
            }
        }
    }

    private static void container(LeptonPlan plan, ObjectNode spec) throws Rejected {
        String image = plan.spec()
                .image()
                .orElseThrow(() -> new Rejected(
                        "Job '" + plan.key() + "' names no container image.",
                        "Give it an image; Lepton runs nothing without one."));
        ObjectNode container = spec.putObject("container");
        container.put("image", image);
        container
                .putArray("command")
                .add("/bin/sh")
                .add("-c")
                .add(plan.payload().script());
    }

    private static int sharedMemory(LeptonPlan plan) {
        return plan.options().sharedMemory().orElseGet(plan.target()::sharedMemoryOrDefault);
    }

    private static void environment(LeptonPlan plan, Map<String, String> secrets, ArrayNode envs) throws Rejected {
        Payload payload = plan.payload();
        payload.resultsAddress().ifPresent(address -> plain(envs, RESULTS_ADDRESS, address.toString()));
        plain(envs, FilledJob.JOB_ID, plan.key().value());
        plain(envs, FilledJob.RESULTS_DIR, payload.resultsDirectory());
        plain(envs, "NUM_GPU_PER_NODE", Integer.toString(LeptonPlan.gpus(plan.spec())));
        if (plan.spec().resources().nodes() > 1) {
            plain(envs, "WORLD_SIZE", Integer.toString(plan.spec().resources().nodes()));
        }
        plan.options().secretRefs().forEach((variable, name) -> reference(envs, variable, name));
        secrets.forEach((variable, name) -> reference(envs, variable, name));
    }

    private static void plain(ArrayNode envs, String name, String value) {
        envs.addObject().put("name", name).put("value", value);
    }

    private static void reference(ArrayNode envs, String variable, String secret) {
        envs.addObject().put("name", variable).putObject("value_from").put("secret_name_ref", secret);
    }

    private static void mounts(List<LeptonMount> mounts, ArrayNode list) {
        for (LeptonMount mount : mounts) {
            ObjectNode node = list.addObject()
                    .put("path", mount.path())
                    .put("from", mount.from())
                    .put("mount_path", mount.mountPath());
            if (mount.readOnly()) {
                node.putObject("mount_options").put("read_only", true);
            }
        }
    }

    private static void queue(LeptonOptions options, ObjectNode spec) {
        boolean requested =
                options.canBePreempted().isPresent() || options.canPreempt().isPresent();
        if (options.priority().isPresent() || requested) {
            ObjectNode queue = spec.putObject("queue_config");
            queue.put("priority_class", options.priority().orElse("mid-4000"));
            options.canBePreempted().ifPresent(yes -> queue.put("can_be_preempted", yes));
            options.canPreempt().ifPresent(yes -> queue.put("can_preempt", yes));
        }
        options.reservation()
                .ifPresent(id -> spec.putObject("reservation_config").put("reservation_id", id));
    }

    /**
     * A further attempt: what the service has of the one before, under a new name, with new secrets.
     *
     * @param nodes ids of nodes that may be used; empty for all of the group
     */
    public static ObjectNode again(LeptonJob before, Attempt attempt, Map<String, String> secrets, List<String> nodes) {
        ObjectNode body = Json.object();
        ObjectNode metadata = body.putObject("metadata");
        metadata.put("id", LeptonName.of(attempt.key(), attempt.number()));
        metadata.put(
                "visibility", before.json().path("metadata").path("visibility").asText("private"));
        metadata.set("labels", labels(attempt.key(), attempt.number(), attempt.target()));
        ObjectNode spec = before.copyOfSpec();
        spec.remove("stopped");
        ArrayNode envs = spec.withArray("envs");
        for (int i = envs.size() - 1; i >= 0; i--) {
            if (secrets.containsKey(envs.get(i).path("name").asText())) {
                envs.remove(i);
            }
        }
        secrets.forEach((variable, name) -> reference(envs, variable, name));
        if (!nodes.isEmpty()) {
            ArrayNode allowed = spec.withObject("/affinity").putArray("allowed_nodes_in_node_group");
            nodes.forEach(allowed::add);
        }
        body.set("spec", spec);
        return body;
    }

    /** Which attempt of which job. */
    public record Attempt(JobKey key, int number, String target) {}

    public static ObjectNode stop() {
        ObjectNode body = Json.object();
        body.putObject("spec").put("stopped", true);
        return body;
    }

    public static ObjectNode pullSecret(String name, Secret ngcKey) {
        ObjectNode body = Json.object();
        body.putObject("metadata").put("name", name).put("id", name);
        body.putObject("spec")
                .put("registry_server", "https://nvcr.io")
                .put("username", "$oauthtoken")
                .put("password", ngcKey.reveal());
        return body;
    }

    public static ArrayNode userSecret(String name, Secret value) {
        ArrayNode body = Json.list();
        body.addObject().put("name", name).put("value", value.reveal()).put("visibility", "private");
        return body;
    }
}
