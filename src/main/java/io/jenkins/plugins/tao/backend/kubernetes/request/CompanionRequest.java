package io.jenkins.plugins.tao.backend.kubernetes.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.view.VolcanoReply;
import io.jenkins.plugins.tao.job.Secret;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Makes what belongs to a Job and goes with it: Service, Secrets, PodGroup. Pure. */
public final class CompanionRequest {
    private static final int RENDEZVOUS = 29500;
    private static final String REGISTRY_USER = "$oauthtoken";
    private static final String DOCKER_HUB = "https://index.docker.io/v1/";

    private CompanionRequest() {}

    /** All of them for one Job, in the order in which they are made; owned by it once it is in the cluster. */
    public static List<HasMetadata> of(Job job, Map<String, Secret> secrets) {
        List<HasMetadata> companions = new ArrayList<>();
        if (!secrets.isEmpty()) {
            companions.add(environment(job, secrets));
        }
        pullSecretName(job).ifPresent(name -> {
            Secret key = secrets.get("NGC_KEY");
            if (key != null) {
                companions.add(pullSecret(job, name, key));
            }
        });
        if (job.getSpec().getTemplate().getSpec().getSubdomain() != null) {
            companions.add(service(job));
        }
        if (VolcanoReply.SCHEDULER.equals(job.getSpec().getTemplate().getSpec().getSchedulerName())) {
            companions.add(podGroup(job));
        }
        return companions;
    }

    private static java.util.Optional<String> pullSecretName(Job job) {
        String ours = job.getMetadata().getName() + JobRequest.PULL_SUFFIX;
        return job.getSpec().getTemplate().getSpec().getImagePullSecrets().stream()
                .map(reference -> reference.getName())
                .filter(ours::equals)
                .findFirst();
    }

    private static HasMetadata environment(Job job, Map<String, Secret> secrets) {
        Map<String, String> data = new LinkedHashMap<>();
        secrets.forEach((name, value) -> data.put(name, base64(value.reveal())));
        return new SecretBuilder()
                .withMetadata(metadata(job, job.getMetadata().getName()))
                .withType("Opaque")
                .withData(data)
                .build();
    }

    private static HasMetadata pullSecret(Job job, String name, Secret key) {
        String image =
                job.getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
        String password = key.reveal().strip();
        ObjectNode login = JsonNodeFactory.instance.objectNode();
        login.putObject("auths")
                .putObject(registry(image))
                .put("username", REGISTRY_USER)
                .put("password", password)
                .put("auth", base64(REGISTRY_USER + ":" + password));
        return new SecretBuilder()
                .withMetadata(metadata(job, name))
                .withType("kubernetes.io/dockerconfigjson")
                .withData(Map.of(".dockerconfigjson", base64(login.toString())))
                .build();
    }

    /** The host that an image reference is pulled from. */
    public static String registry(String image) {
        int slash = image.indexOf('/');
        String first = slash < 0 ? "" : image.substring(0, slash);
        boolean host = first.contains(".") || first.contains(":") || first.equals("localhost");
        return host ? first : DOCKER_HUB;
    }

    /** Headless, and answering before the pods are ready: the first node's name must resolve while others still pull. */
    private static Service service(Job job) {
        String name = job.getMetadata().getName();
        return new ServiceBuilder()
                .withMetadata(metadata(job, name))
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(Map.of(KubernetesNames.JOB_NAME, name))
                .addNewPort()
                .withName("rendezvous")
                .withPort(RENDEZVOUS)
                .withProtocol("TCP")
                .endPort()
                .endSpec()
                .build();
    }

    /** Volcano starts the pods of a group together or not at all. */
    private static GenericKubernetesResource podGroup(Job job) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("minMember", Objects.requireNonNullElse(job.getSpec().getParallelism(), 1));
        String queue = job.getMetadata().getAnnotations().get(JobRequest.VOLCANO_QUEUE);
        if (queue != null) {
            spec.put("queue", queue);
        }
        return new GenericKubernetesResourceBuilder()
                .withApiVersion(VolcanoReply.VERSION)
                .withKind("PodGroup")
                .withMetadata(metadata(job, job.getMetadata().getName()))
                .addToAdditionalProperties("spec", spec)
                .build();
    }

    private static ObjectMeta metadata(Job job, String name) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(KubernetesNames.MANAGED_BY, KubernetesNames.OURS);
        labels.put(
                KubernetesNames.JOB,
                Objects.requireNonNull(job.getMetadata().getLabels().get(KubernetesNames.JOB)));
        ObjectMetaBuilder metadata = new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(job.getMetadata().getNamespace())
                .withLabels(labels);
        if (job.getMetadata().getUid() != null) {
            metadata.addNewOwnerReference()
                    .withApiVersion("batch/v1")
                    .withKind("Job")
                    .withName(job.getMetadata().getName())
                    .withUid(job.getMetadata().getUid())
                    .endOwnerReference();
        }
        return metadata.build();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
