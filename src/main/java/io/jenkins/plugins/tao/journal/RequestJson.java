package io.jenkins.plugins.tao.journal;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;

/** What was asked for, with secrets by name alone; pure. */
final class RequestJson {
    private static final JsonMapper JSON = new JsonMapper();

    private RequestJson() {}

    static ObjectNode of(JobHandle handle, JobSpec spec) {
        return add(of(handle), spec);
    }

    /** A job that was not submitted, and so has no token. */
    static ObjectNode planned(JobKey key, String target, JobSpec spec) {
        return add(JSON.createObjectNode().put("id", key.value()).put("target", target), spec);
    }

    private static ObjectNode add(ObjectNode node, JobSpec spec) {
        spec.image().ifPresent(image -> node.put("image", image));
        node.put("command", spec.command()).put("nodes", spec.resources().nodes());
        spec.hooks().pre().ifPresent(pre -> node.put("pre", pre));
        spec.hooks().post().ifPresent(post -> node.put("post", post));
        spec.resources().gpusPerNode().ifPresent(gpus -> node.put("gpus", gpus));
        spec.resources().cpusPerNode().ifPresent(cpus -> node.put("cpus", cpus));
        spec.resources().wallTime().ifPresent(time -> node.put("time", Durations.words(time)));
        spec.resources().startWithin().ifPresent(time -> node.put("startWithin", Durations.words(time)));
        spec.resources().retryBudget().ifPresent(budget -> node.put("retryBudget", budget.text()));
        ObjectNode env = node.putObject("env");
        spec.env().forEach(env::put);
        spec.secrets().keySet().forEach(node.putArray("secrets")::add);
        spec.inputs().forEach(node.putArray("inputs")::add);
        node.set("spec", JSON.valueToTree(spec.spec()));
        node.put("specFormat", spec.specFormat().extension());
        return node;
    }

    /** As much as a job's token tells. */
    static ObjectNode of(JobHandle handle) {
        return EventJson.identity(JSON.createObjectNode(), handle)
                .put("submittedAt", handle.submittedAt().toString());
    }
}
