package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Discovery.Found;
import io.jenkins.plugins.tao.backend.kubernetes.api.ApiLists;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.view.Answer;
import io.jenkins.plugins.tao.backend.kubernetes.view.KueueReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What jobs of a cluster can name: GPU products, claims, queues, priority classes, runtime classes. */
final class KubernetesDiscovery {
    private static final String PRODUCT = "nvidia.com/gpu.product";

    private final KubernetesApi api;
    private final ApiLists lists;
    private final String namespace;
    private final List<Found> found = new ArrayList<>();

    KubernetesDiscovery(KubernetesApi api, String namespace) {
        this.api = api;
        lists = api.lists();
        this.namespace = namespace;
    }

    List<Found> all() throws BackendException {
        for (String field : List.of("nodeSelector", "volumes", "queue", "priorityClass", "runtimeClass")) {
            of(field);
        }
        return found;
    }

    /** What one field takes. */
    List<Found> of(String field) throws BackendException {
        switch (field) {
            case "nodeSelector" -> products(lists.nodes());
            case "volumes" -> claims(lists.claims(namespace));
            case "queue" ->
                names(
                        "queue",
                        field,
                        lists.generic(KueueReply.GROUP + "/" + api.kueueVersion(), "LocalQueue", namespace));
            case "priorityClass" -> names("priority class", field, lists.priorityClasses());
            case "runtimeClass" -> names("runtime class", field, lists.runtimeClasses());
            default -> {} // nothing of the cluster goes there
        }
        return found;
    }

    private void products(Answer<Node> nodes) {
        Map<String, List<Node>> byProduct = new TreeMap<>();
        for (Node node : nodes.orNone()) {
            if (CapacityReply.gpus(node, KubernetesOptions.GPU) > 0) {
                String product = Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of())
                        .getOrDefault(PRODUCT, "");
                byProduct.computeIfAbsent(product, key -> new ArrayList<>()).add(node);
            }
        }
        byProduct.forEach((product, all) -> {
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put("nodes", Integer.toString(all.size()));
            facts.put(
                    "usable",
                    Long.toString(all.stream().filter(CapacityReply::isUsable).count()));
            facts.put(
                    "gpus on the largest",
                    Integer.toString(all.stream()
                            .mapToInt(node -> CapacityReply.gpus(node, KubernetesOptions.GPU))
                            .max()
                            .orElse(0)));
            found.add(new Found(
                    "GPU product",
                    product.isEmpty() ? "" : "nodeSelector",
                    product.isEmpty() ? "without the label " + PRODUCT : PRODUCT + ": " + product,
                    facts));
        });
        gap("GPU products", nodes);
    }

    private void claims(Answer<PersistentVolumeClaim> claims) {
        for (PersistentVolumeClaim claim : claims.orNone()) {
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put(
                    "access",
                    String.join(" ", Objects.requireNonNullElse(claim.getSpec().getAccessModes(), List.of())));
            facts.put(
                    "phase",
                    claim.getStatus() == null
                            ? ""
                            : Objects.requireNonNullElse(claim.getStatus().getPhase(), ""));
            facts.values().removeIf(String::isEmpty);
            found.add(new Found("claim", "volumes", claim.getMetadata().getName() + ":/data", facts));
        }
        gap("claims", claims);
    }

    private void names(String kind, String field, Answer<? extends HasMetadata> all) {
        all.orNone()
                .forEach(each ->
                        found.add(new Found(kind, field, each.getMetadata().getName(), Map.of())));
        gap(kind, all);
    }

    /** What could not be listed is no empty list. */
    private void gap(String kind, Answer<?> answer) {
        answer.gap()
                .ifPresent(why -> found.add(new Found(
                        "not known", "", kind, Map.of("why", Objects.requireNonNullElse(why.getMessage(), "")))));
    }
}
