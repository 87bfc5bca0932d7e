package io.jenkins.plugins.tao.backend.kubernetes.request;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The secrets of a further attempt: the job's own, which whoever watches it keeps, and those of its storage, which only
 * a plan knows, and of a further attempt there is none. Pure.
 */
public final class AttemptSecrets {
    private AttemptSecrets() {}

    /**
     * All that the container of {@code attempt} refers to.
     *
     * @param own the job's own
     * @param storage the target's
     * @throws Rejected if one is nowhere to be had: the pod would wait for it for ever
     * @throws Denied if keys of the storage are needed and not where the target says
     */
    public static Map<String, Secret> of(Job attempt, Map<String, Secret> own, Optional<S3Settings> storage)
            throws Rejected, Denied {
        List<EnvVar> variables =
                attempt.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv();
        Set<String> wanted = wanted(variables, attempt.getMetadata().getName());
        Map<String, Secret> secrets = new LinkedHashMap<>();
        Optional<S3Settings> used = storage.or(() -> S3Settings.ofVariables(plain(variables), own));
        if (used.isPresent() && !own.keySet().containsAll(wanted)) {
            secrets.putAll(used.get().secrets(buckets(attempt)));
        }
        secrets.keySet().retainAll(wanted);
        secrets.putAll(own);
        wanted.removeAll(secrets.keySet());
        if (!wanted.isEmpty()) {
            throw new Rejected(
                    "The job's secrets " + String.join(", ", wanted) + " are not known here, and the pod of '"
                            + attempt.getMetadata().getName() + "' would wait for them for ever.",
                    "Submit the job again, with its secrets.");
        }
        return secrets;
    }

    private static Set<String> wanted(List<EnvVar> variables, String secret) {
        Set<String> wanted = new TreeSet<>();
        for (EnvVar variable : variables) {
            Optional.ofNullable(variable.getValueFrom())
                    .flatMap(from -> Optional.ofNullable(from.getSecretKeyRef()))
                    .filter(key -> secret.equals(key.getName()))
                    .ifPresent(key -> wanted.add(key.getKey()));
        }
        return wanted;
    }

    private static Map<String, String> plain(List<EnvVar> variables) {
        Map<String, String> plain = new LinkedHashMap<>();
        variables.stream()
                .filter(variable -> variable.getValue() != null)
                .forEach(variable -> plain.put(variable.getName(), variable.getValue()));
        return plain;
    }

    private static List<String> buckets(Job job) {
        String noted = job.getMetadata().getAnnotations().get(KubernetesNames.BUCKETS);
        List<String> buckets =
                new ArrayList<>(List.of(Objects.requireNonNullElse(noted, "").split(",")));
        buckets.removeIf(String::isEmpty);
        return buckets;
    }
}
