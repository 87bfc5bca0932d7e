package io.jenkins.plugins.tao.backend.kubernetes.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesText;
import io.jenkins.plugins.tao.job.Secret;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shows the objects of a plan as YAML that {@code kubectl apply} takes; values of secrets are stars. Pure. */
public final class KubernetesPreview {
    private static final Secret STARS = Secret.of("***");

    private KubernetesPreview() {}

    public static Preview of(KubernetesPlan plan) throws Rejected {
        Job job = JobRequest.render(plan);
        Map<String, Secret> stars = new LinkedHashMap<>();
        plan.payload().secretNames().forEach(name -> stars.put(name, STARS));
        List<Preview.Part> parts = new ArrayList<>();
        parts.add(new Preview.Part("job.yaml", KubernetesText.FORM.asYaml(job)));
        for (HasMetadata companion : CompanionRequest.of(job, stars)) {
            String name = companion.getMetadata().getName().endsWith(JobRequest.PULL_SUFFIX)
                    ? "pull-secret"
                    : companion.getKind().toLowerCase(Locale.ROOT);
            parts.add(new Preview.Part(name + ".yaml", KubernetesText.FORM.asYaml(shown(companion))));
        }
        return new Preview(parts);
    }

    private static HasMetadata shown(HasMetadata companion) {
        if (!(companion instanceof io.fabric8.kubernetes.api.model.Secret secret)) {
            return companion;
        }
        Map<String, String> texts = new LinkedHashMap<>();
        secret.getData()
                .forEach((name, value) ->
                        texts.put(name, new String(Base64.getDecoder().decode(value), UTF_8)));
        return new SecretBuilder(secret).withData(null).withStringData(texts).build();
    }
}
