package io.jenkins.plugins.tao.backend.kubernetes.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Option;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the pods of a job have beyond the options that most jobs need.
 *
 * @param resources further resources of the container, as limits: {@code rdma/hca: 1}, {@code vpc.amazonaws.com/efa: 4},
 *     {@code hugepages-2Mi: 5Gi}
 * @param capabilities capabilities of the container, as in {@code IPC_LOCK}
 * @param runtimeClass a runtime class of the cluster
 * @param hostNetwork whether the pods use their node's network
 * @param apiToken whether the pods get a token of their service account
 * @param secretEnv variables from Secrets that are there: the name, and {@code secret/key}
 * @param patch YAML that is merged into the pod template, see {@link PodPatch}
 */
public record PodShape(
        Map<String, String> resources,
        List<String> capabilities,
        Optional<String> runtimeClass,
        @Option(defaultsTo = "no") Optional<Boolean> hostNetwork,
        @Option(defaultsTo = "no") Optional<Boolean> apiToken,
        Map<String, String> secretEnv,
        Optional<String> patch) {
    /** As the cluster makes them. */
    public static final PodShape PLAIN = new PodShape(
            Map.of(), List.of(), Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Optional.empty());

    public PodShape {
        resources = Collections.unmodifiableMap(new LinkedHashMap<>(resources));
        resources.forEach((name, amount) -> {
            KubernetesWords.labelKey("resources", name);
            KubernetesWords.quantity("resources: " + name, Optional.of(amount));
        });
        capabilities = List.copyOf(capabilities);
        capabilities.forEach(word ->
                require(word.matches("[A-Z][A-Z0-9_]*"), "capabilities: '%s' must be a name such as IPC_LOCK", word));
        KubernetesWords.name("runtimeClass", runtimeClass);
        secretEnv = Collections.unmodifiableMap(new LinkedHashMap<>(secretEnv));
        secretEnv.forEach((name, from) -> {
            require(name.matches("[A-Za-z_][A-Za-z0-9_]*"), "secretEnv: '%s' is no name of a variable", name);
            require(
                    from.matches("[a-z0-9][-a-z0-9.]*/[A-Za-z0-9._-]+") && !from.contains("-/") && !from.contains("./"),
                    "secretEnv: '%s' must be secret/key, was '%s'",
                    name,
                    from);
        });
        patch = patch.filter(text -> !text.isBlank());
        patch.ifPresent(PodPatch::parse);
    }
}
