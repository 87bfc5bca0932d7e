package io.jenkins.plugins.tao.backend.kubernetes.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a queue of Kueue writes into the pods of a Job that it admits: the nodes of a flavor, and its own marks. A further attempt is
 * admitted by itself, maybe to other nodes, so it is made without them. Pure.
 *
 * @see <a href="https://kueue.sigs.k8s.io/docs/reference/labels-and-annotations/">Labels and Annotations</a>, read for Kueue 0.14
 */
final class QueueTraces {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String PREFIX = "kueue.x-k8s.io/";
    private static final Set<String> MARKS = Set.of(
            PREFIX + "podset",
            PREFIX + "tas",
            PREFIX + "workload",
            PREFIX + "local-queue-name",
            PREFIX + "cluster-queue-name");

    private QueueTraces() {}

    /** What a Job asks of its nodes. */
    private record Asked(Map<String, String> nodeSelector, List<Toleration> tolerations) {}

    /** Notes on a Job of a queue what it asks of nodes, before the queue adds to it. */
    static void note(Job job) {
        if (job.getMetadata().getLabels().containsKey(KubernetesNames.QUEUE)) {
            PodSpec pod = job.getSpec().getTemplate().getSpec();
            Map<String, String> selector =
                    Optional.ofNullable(pod.getNodeSelector()).orElse(Map.of());
            try {
                String text = JSON.writeValueAsString(new Asked(selector, pod.getTolerations()));
                job.getMetadata().getAnnotations().put(KubernetesNames.NODES_ASKED, text);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("tolerations that no JSON can be made of", e);
            }
        }
    }

    /** Takes what a queue has added out of the pods of a Job. Of a Job without a note the nodes stay as they are. */
    static void remove(Job job) {
        PodTemplateSpec template = job.getSpec().getTemplate();
        ObjectMeta metadata = template.getMetadata();
        metadata.getLabels().keySet().removeAll(MARKS);
        if (metadata.getAnnotations() != null) {
            metadata.getAnnotations().keySet().removeAll(MARKS);
        }
        PodSpec pod = template.getSpec();
        pod.getSchedulingGates().removeIf(gate -> gate.getName().startsWith(PREFIX));
        asked(job).ifPresent(asked -> {
            pod.setNodeSelector(asked.nodeSelector().isEmpty() ? null : asked.nodeSelector());
            pod.setTolerations(asked.tolerations());
        });
    }

    private static Optional<Asked> asked(Job job) {
        String text = job.getMetadata().getAnnotations().get(KubernetesNames.NODES_ASKED);
        try {
            return text == null ? Optional.empty() : Optional.of(JSON.readValue(text, Asked.class));
        } catch (JsonProcessingException e) {
            return Optional.empty(); // somebody changed it
        }
    }
}
