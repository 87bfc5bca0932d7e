package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.VersionInfo;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesNames.Reference;
import java.io.InputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** Every request to the API server, each made once and each refusal named; no request is ever repeated here. */
final class KubernetesApi implements AutoCloseable {
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final String KUEUE = "kueue.x-k8s.io/v1beta1";

    private final String target;
    private final ServerClock clock = new ServerClock();
    private final ServerWarnings warnings = new ServerWarnings();
    private final KubernetesClient client;

    private KubernetesApi(String target, ClusterAccess access) {
        this.target = target;
        client = new KubernetesClientBuilder()
                .withHttpClientFactory(new OkHttpClientFactory())
                .withConfig(access.config())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("tao-clock", clock)
                        .addOrReplaceInterceptor("tao-warnings", warnings))
                .build();
    }

    /** Reads certificates and keys; connects to nothing yet. */
    static KubernetesApi of(String target, ClusterAccess access) throws Denied {
        try {
            return new KubernetesApi(target, access);
        } catch (KubernetesClientException e) {
            throw KubernetesErrors.unusable(target, access.source(), e);
        }
    }

    /** The API server's clock. */
    Optional<Instant> now() {
        return clock.now();
    }

    VersionInfo version() throws BackendException {
        return ask("ask for its version", client::getKubernetesVersion);
    }

    /** Whether the account may do {@code verb} with {@code resource}, written {@code group/resource/subresource}. */
    boolean may(String verb, String resource, Optional<String> namespace) throws BackendException {
        String[] parts = resource.split("/", -1);
        SelfSubjectAccessReview review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withVerb(verb)
                .withGroup(parts[0])
                .withResource(parts[1])
                .withSubresource(parts.length > 2 ? parts[2] : null)
                .withNamespace(namespace.orElse(null))
                .endResourceAttributes()
                .endSpec()
                .build();
        SelfSubjectAccessReview answer = ask(
                "ask for its permissions",
                () -> client.authorization().v1().selfSubjectAccessReview().create(review));
        return answer.getStatus() != null
                && Boolean.TRUE.equals(answer.getStatus().getAllowed());
    }

    /** Ours in {@code namespace}, out of the server's watch cache: no load on its storage. */
    List<Job> jobs(String namespace) throws BackendException {
        return ask(
                "list Jobs in namespace '" + namespace + "'",
                () -> client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(namespace)
                        .withLabel(KubernetesNames.MANAGED_BY, KubernetesNames.OURS)
                        .list(cached())
                        .getItems());
    }

    List<Pod> pods(String namespace) throws BackendException {
        return permitted(
                        () -> client.pods()
                                .inNamespace(namespace)
                                .withLabel(KubernetesNames.MANAGED_BY, KubernetesNames.OURS)
                                .list(cached())
                                .getItems(),
                        "list pods in namespace '" + namespace + "'")
                .orElse(List.of());
    }

    List<Event> events(String namespace) throws BackendException {
        return permitted(
                        () -> client.v1()
                                .events()
                                .inNamespace(namespace)
                                .list(cached())
                                .getItems(),
                        "list events in namespace '" + namespace + "'")
                .orElse(List.of());
    }

    /** All nodes; empty where that is not permitted. */
    Optional<List<Node>> nodes() throws BackendException {
        return permitted(() -> client.nodes().list(cached()).getItems(), "list nodes");
    }

    /** The pods of all namespaces; empty where that is not permitted. */
    Optional<List<Pod>> allPods() throws BackendException {
        return permitted(() -> client.pods().inAnyNamespace().list(cached()).getItems(), "list pods of all namespaces");
    }

    /** What Kueue made of the Jobs; nothing where there is no Kueue, or it may not be asked. */
    List<GenericKubernetesResource> workloads(String namespace) throws BackendException {
        return permitted(
                        () -> client.genericKubernetesResources(KUEUE, "Workload")
                                .inNamespace(namespace)
                                .list()
                                .getItems(),
                        "list workloads in namespace '" + namespace + "'")
                .orElse(List.of());
    }

    private static ListOptions cached() {
        return new ListOptionsBuilder().withResourceVersion("0").build();
    }

    Optional<Job> job(Reference job) throws BackendException {
        return ask(
                "read the Job '" + job + "'",
                () -> Optional.ofNullable(client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(job.namespace())
                        .withName(job.name())
                        .get()));
    }

    /** The claim of this name; an empty answer means that there is none. */
    Optional<PersistentVolumeClaim> claim(String namespace, String name) throws BackendException {
        return ask(
                "read the claim '" + name + "'",
                () -> Optional.ofNullable(client.persistentVolumeClaims()
                        .inNamespace(namespace)
                        .withName(name)
                        .get()));
    }

    boolean hasSecret(String namespace, String name) throws BackendException {
        return ask(
                "read the Secret '" + name + "'",
                () -> client.secrets().inNamespace(namespace).withName(name).get() != null);
    }

    /** Makes the Job; empty if there is one of that name. */
    Optional<Job> create(Job job) throws BackendException {
        String what = "create the Job '" + job.getMetadata().getName() + "'";
        return absent(
                what,
                () -> client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(job.getMetadata().getNamespace())
                        .resource(job)
                        .create());
    }

    /** Lets the server check a Job as if it were made, and gives what it warns of; nothing is stored. */
    List<String> tryOut(Job job) throws BackendException {
        synchronized (warnings) {
            warnings.expect();
            absent(
                    "create a Job in namespace '" + job.getMetadata().getNamespace() + "'",
                    () -> client.batch()
                            .v1()
                            .jobs()
                            .inNamespace(job.getMetadata().getNamespace())
                            .resource(job)
                            .dryRun()
                            .create());
            return warnings.told();
        }
    }

    /** Makes what belongs to a Job; one that is there already stays. */
    void createCompanion(HasMetadata companion) throws BackendException {
        String what = "create the " + companion.getKind() + " '"
                + companion.getMetadata().getName() + "'";
        absent(
                what,
                () -> client.resource(companion)
                        .inNamespace(companion.getMetadata().getNamespace())
                        .create());
    }

    /** Changes a Job by a JSON merge patch. */
    void patch(Reference job, String what, String patch) throws BackendException {
        ask(
                what + " the Job '" + job + "'",
                () -> Optional.ofNullable(client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(job.namespace())
                        .withName(job.name())
                        .patch(PatchContext.of(PatchType.JSON_MERGE), patch)));
    }

    /** Deletes a Job with all that belongs to it; it stays visible until its pods are gone. */
    void delete(Reference job) throws BackendException {
        ask(
                "delete the Job '" + job + "'",
                () -> client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(job.namespace())
                        .withName(job.name())
                        .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                        .delete());
    }

    /**
     * Opens the log of a pod, each line with its time before it.
     *
     * @param since lines of this second and later
     * @param tail at most that many of the last lines
     * @return empty while there is none: the container has not started, the pod or its node is gone, it may not be read
     */
    Optional<InputStream> log(Reference pod, Optional<Instant> since, OptionalInt tail) {
        try {
            var lines = client.pods()
                    .inNamespace(pod.namespace())
                    .withName(pod.name())
                    .inContainer(KubernetesNames.CONTAINER)
                    .withReadyWaitTimeout(0) // else the library waits for the container, with requests of its own
                    .usingTimestamps();
            if (tail.isPresent()) {
                return Optional.of(lines.tailingLines(tail.getAsInt()).getLogInputStream());
            }
            return Optional.of(
                    since.isPresent()
                            ? lines.sinceTime(since.get()
                                            .truncatedTo(ChronoUnit.SECONDS)
                                            .toString())
                                    .getLogInputStream()
                            : lines.getLogInputStream());
        } catch (KubernetesClientException e) {
            return Optional
                    .empty(); // one pod without a log must not silence the others; the server itself was just asked
        }
    }

    /** The last lines that a container wrote before it was started again; empty when there are none. */
    Optional<String> earlierLog(Reference pod, int lines) {
        try {
            return Optional.ofNullable(client.pods()
                    .inNamespace(pod.namespace())
                    .withName(pod.name())
                    .inContainer(KubernetesNames.CONTAINER)
                    .withReadyWaitTimeout(0)
                    .terminated()
                    .tailingLines(lines)
                    .getLog());
        } catch (KubernetesClientException e) {
            return Optional.empty(); // a diagnosis is best effort
        }
    }

    private <T> Optional<T> permitted(Supplier<T> request, String what) throws BackendException {
        try {
            return Optional.of(request.get());
        } catch (KubernetesClientException e) {
            if (e.getCode() == FORBIDDEN || e.getCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw KubernetesErrors.of(target, what, e);
        }
    }

    private <T> Optional<T> absent(String what, Supplier<T> request) throws BackendException {
        try {
            return Optional.of(request.get());
        } catch (KubernetesClientException e) {
            boolean exists = e.getCode() == CONFLICT
                    && (e.getStatus() == null
                            || !"Conflict".equals(e.getStatus().getReason())); // a quota's race is one
            if (exists) {
                return Optional.empty();
            }
            throw KubernetesErrors.of(target, what, e);
        }
    }

    private <T> T ask(String what, Supplier<T> request) throws BackendException {
        try {
            return request.get();
        } catch (KubernetesClientException e) {
            throw KubernetesErrors.of(target, what, e);
        } catch (java.io.UncheckedIOException e) {
            throw new Unreachable(
                    "The credential of target '" + target + "' cannot be read: " + e.getMessage() + ".",
                    "Look at the service account's files in this pod.",
                    e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
