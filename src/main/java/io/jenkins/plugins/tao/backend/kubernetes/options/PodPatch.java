package io.jenkins.plugins.tao.backend.kubernetes.options;

import static io.jenkins.plugins.tao.job.Require.require;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.jenkins.plugins.tao.http.Json;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A patch of the pod template, for what no option has: affinity, topology, volumes of any kind, side containers that end
 * with the pod. Maps are merged; of lists whose items have a {@code name}, items of one name are merged; {@link #ADDED}
 * lists get the items added, others are replaced. What this backend itself decides cannot be patched. Pure.
 */
public final class PodPatch {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Set<String> TOP = Set.of("metadata", "spec");
    private static final Set<String> METADATA = Set.of("labels", "annotations");
    private static final Set<String> ADDED =
            Set.of("tolerations", "volumeMounts", "imagePullSecrets", "topologySpreadConstraints", "envFrom");
    /** Each with what to use instead. */
    private static final Map<String, String> OURS = Map.of(
            "restartPolicy", "restartPolicy",
            "terminationGracePeriodSeconds", "grace",
            "subdomain", "nodes",
            "hostname", "nodes",
            "activeDeadlineSeconds", "time");

    private static final Map<String, String> OUR_CONTAINER =
            Map.of("command", "command", "args", "command", "image", "image", "workingDir", "command");

    private PodPatch() {}

    /**
     * Reads and checks a patch.
     *
     * @throws IllegalArgumentException if it is no YAML of a pod template, or changes what is not its to change
     */
    static ObjectNode parse(String yaml) {
        JsonNode patch;
        try {
            patch = JSON.valueToTree(KubernetesText.FORM.unmarshal(yaml, Map.class));
        } catch (RuntimeException | StackOverflowError e) { // the library's own kinds differ with what is wrong
            throw new IllegalArgumentException("patch is no YAML of a pod template", e);
        }
        require(patch instanceof ObjectNode, "patch must be a map with metadata or spec");
        only("patch", patch, TOP);
        only("patch: metadata", patch.path("metadata"), METADATA);
        patch.path("metadata").path("labels").fieldNames().forEachRemaining(PodPatch::requireFree);
        JsonNode spec = patch.path("spec");
        OURS.forEach((field, option) -> require(
                !spec.has(field), "patch: spec.%s is not the patch's to change; use the option %s", field, option));
        spec.path("containers").forEach(PodPatch::container);
        return (ObjectNode) patch;
    }

    private static void only(String where, JsonNode node, Set<String> allowed) {
        node.fieldNames()
                .forEachRemaining(field -> require(
                        allowed.contains(field), "%s has no '%s'; it takes %s", where, field, new TreeSet<>(allowed)));
    }

    private static void requireFree(String label) {
        require(
                !label.equals(KubernetesNames.MANAGED_BY) && !label.startsWith("tao-run.jenkins.io/"),
                "patch: the label '%s' is how the pods are found again",
                label);
    }

    /** Another container would keep the pod running, and its GPUs held, when the command has ended. */
    private static void container(JsonNode container) {
        require(
                KubernetesNames.CONTAINER.equals(container.path("name").asText()),
                "patch: containers can only name 'main'; a side container goes into initContainers with restartPolicy:"
                        + " Always, so that it ends with the command");
        OUR_CONTAINER.forEach((field, option) ->
                require(!container.has(field), "patch: %s of the container is the job's %s", field, option));
    }

    /** The template with {@code yaml} merged in. */
    public static PodTemplateSpec apply(PodTemplateSpec template, String yaml) {
        ObjectNode whole = JSON.valueToTree(template);
        Json.merge(whole, parse(yaml), PodPatch::merged);
        try {
            return JSON.treeToValue(whole, PodTemplateSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("patch does not fit a pod template: " + e.getOriginalMessage(), e);
        }
    }

    private static ArrayNode merged(String field, ArrayNode there, ArrayNode items) {
        if (ADDED.contains(field)) {
            return there.deepCopy().addAll(items);
        }
        if (!named(there) || !named(items)) {
            return items;
        }
        ArrayNode all = there.deepCopy();
        Set<Integer> used = new HashSet<>();
        for (JsonNode item : items) {
            int at = index(all, item.path("name").asText());
            if (at >= 0 && used.add(at)) {
                Json.merge((ObjectNode) all.get(at), item, PodPatch::merged);
            } else {
                all.add(item);
            }
        }
        return all;
    }

    private static boolean named(ArrayNode list) {
        for (JsonNode item : list) {
            if (!item.isObject() || !item.has("name")) {
                return false;
            }
        }
        return true;
    }

    private static int index(ArrayNode list, String name) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).path("name").asText().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
