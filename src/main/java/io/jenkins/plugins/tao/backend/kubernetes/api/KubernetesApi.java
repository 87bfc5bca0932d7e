package io.jenkins.plugins.tao.backend.kubernetes.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobList;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.VersionInfo;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.ScalableResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.kubernetes.access.ClusterAccess;
import io.jenkins.plugins.tao.backend.kubernetes.access.ServerClock;
import io.jenkins.plugins.tao.backend.kubernetes.access.ServerNameSockets;
import io.jenkins.plugins.tao.backend.kubernetes.access.ServerPatience;
import io.jenkins.plugins.tao.backend.kubernetes.access.ServerWarnings;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesText;
import io.jenkins.plugins.tao.backend.kubernetes.view.Answer;
import io.jenkins.plugins.tao.backend.kubernetes.view.KueueReply;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.X509TrustManager;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.internal.tls.OkHostnameVerifier;

/** Every request to the API server, each made once and each refusal named; no request is ever repeated here. */
public final class KubernetesApi implements AutoCloseable {
    /** So many requests are under way at once. */
    public static final int SIDE_BY_SIDE = 12;

    private final ApiCalls calls;
    private final ServerClock clock;
    private final ServerPatience patience = new ServerPatience();
    private final ServerWarnings warnings = new ServerWarnings();
    private final KubernetesClient client;
    private final Recent<VersionInfo> versions;
    private final Recent<Boolean> permissions;
    private final Recent<Answer<Node>> nodes;
    private volatile Optional<String> kueue = Optional.empty();

    private KubernetesApi(String target, ClusterAccess access) {
        calls = new ApiCalls(target, access::renew, patience);
        clock = access.clock();
        versions = new Recent<>(clock);
        permissions = new Recent<>(clock);
        nodes = new Recent<>(clock);
        client = new KubernetesClientBuilder()
                .withHttpClientFactory(factory(access.tlsName(), List.of(clock, warnings, patience)))
                .withConfig(sideBySide(access.config()))
                .withKubernetesSerialization(KubernetesText.FORM)
                .build();
    }

    private static Config sideBySide(Config config) {
        config.setMaxConcurrentRequestsPerHost(SIDE_BY_SIDE);
        return config;
    }

    /** A certificate may be made out to another name than the address says, where the kubeconfig gives that name. */
    private static OkHttpClientFactory factory(Optional<String> tlsName, List<Interceptor> interceptors) {
        return new OkHttpClientFactory() {
            @Override
            protected void additionalConfig(OkHttpClient.Builder http) {
                interceptors.forEach(http::addInterceptor);
                tlsName.ifPresent(name -> {
                    OkHttpClient before = http.build();
                    X509TrustManager trusted = before.x509TrustManager();
                    if (trusted != null) { // without TLS there is no name to send
                        http.sslSocketFactory(new ServerNameSockets(before.sslSocketFactory(), name), trusted);
                    }
                    http.hostnameVerifier((host, session) -> OkHostnameVerifier.INSTANCE.verify(name, session));
                });
            }
        };
    }

    /** Reads certificates and keys; connects to nothing yet. */
    public static KubernetesApi of(String target, ClusterAccess access) throws Denied {
        try {
            return new KubernetesApi(target, access);
        } catch (KubernetesClientException e) {
            throw KubernetesErrors.unusable(target, access.source(), e);
        }
    }

    /** The API server's clock. */
    public Optional<Instant> now() {
        return clock.now();
    }

    /** Its version, asked for once a minute. */
    public VersionInfo version() throws BackendException {
        return versions.of("", () -> calls.ask("ask for its version", client::getKubernetesVersion));
    }

    /** The nodes, listed once a minute. */
    public Answer<Node> nodes() {
        try {
            return nodes.of("", () -> {
                Answer<Node> answer = lists().nodes();
                if (answer instanceof Answer.Unknown<Node> unknown) {
                    throw unknown.why(); // which is no answer to keep
                }
                return answer;
            });
        } catch (BackendException e) {
            return new Answer.Unknown<>(e);
        }
    }

    /** Whether the account may do {@code verb} with {@code resource}; asked for once a minute. */
    public boolean may(String verb, String resource, Optional<String> namespace) throws BackendException {
        return permissions.of(
                verb + " " + resource + " " + namespace.orElse(""), () -> review(verb, resource, namespace));
    }

    /** Whether the account may do {@code verb} with {@code resource}, written {@code group/resource/subresource}. */
    private boolean review(String verb, String resource, Optional<String> namespace) throws BackendException {
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
        SelfSubjectAccessReview answer = calls.ask(
                "ask for its permissions",
                () -> client.authorization().v1().selfSubjectAccessReview().create(review));
        return answer.getStatus() != null
                && Boolean.TRUE.equals(answer.getStatus().getAllowed());
    }

    /** What is listed of this cluster. */
    public ApiLists lists() {
        return new ApiLists(client, calls);
    }

    /** The Leases of controllers. */
    public ApiLeases leases() {
        return new ApiLeases(client, calls);
    }

    /** The logs of its pods. */
    public PodLogs podLogs() {
        return new PodLogs(client, calls);
    }

    /** The pods that read volumes. */
    public FetchPods fetchPods() {
        return new FetchPods(client, calls);
    }

    /** The version of Kueue's objects that this cluster prefers. */
    public String kueueVersion() throws BackendException {
        if (kueue.isEmpty()) {
            Optional<APIGroup> group =
                    calls.ask("ask for Kueue", () -> Optional.ofNullable(client.getApiGroup(KueueReply.GROUP)));
            kueue = group.map(APIGroup::getPreferredVersion).map(GroupVersionForDiscovery::getVersion);
        }
        return kueue.orElse(KueueReply.OLDEST);
    }

    public Optional<Job> job(Reference job) throws BackendException {
        return calls.ask(
                "read the Job '" + job + "'",
                () -> Optional.ofNullable(
                        jobs(job.namespace()).withName(job.name()).get()));
    }

    private NonNamespaceOperation<Job, JobList, ScalableResource<Job>> jobs(String namespace) {
        return client.batch().v1().jobs().inNamespace(namespace);
    }

    /** The claim of this name; an empty answer means that there is none. */
    public Optional<PersistentVolumeClaim> claim(String namespace, String name) throws BackendException {
        return calls.ask(
                "read the claim '" + name + "'",
                () -> Optional.ofNullable(client.persistentVolumeClaims()
                        .inNamespace(namespace)
                        .withName(name)
                        .get()));
    }

    public boolean hasSecret(String namespace, String name) throws BackendException {
        return calls.ask(
                "read the Secret '" + name + "'",
                () -> client.secrets().inNamespace(namespace).withName(name).get() != null);
    }

    /** Makes the Job; empty if there is one of that name. */
    public Optional<Job> create(Job job) throws BackendException {
        String what = "create the Job '" + job.getMetadata().getName() + "'";
        return calls.create(
                what, () -> jobs(job.getMetadata().getNamespace()).resource(job).create());
    }

    /** Lets the server check a Job as if it were made, and gives what it warns of; nothing is stored. */
    public List<String> tryOut(Job job) throws BackendException {
        synchronized (warnings) {
            calls.create(
                    "create a Job in namespace '" + job.getMetadata().getNamespace() + "'",
                    () -> jobs(job.getMetadata().getNamespace())
                            .resource(job)
                            .dryRun()
                            .create());
            return warnings.last();
        }
    }

    /** Makes what belongs to a Job; one that is there already stays. */
    public void createCompanion(HasMetadata companion) throws BackendException {
        String what = "create the " + companion.getKind() + " '"
                + companion.getMetadata().getName() + "'";
        calls.create(
                what,
                () -> client.resource(companion)
                        .inNamespace(companion.getMetadata().getNamespace())
                        .create());
    }

    /** Changes a Job by a JSON merge patch. */
    public void patch(Reference job, String what, String patch) throws BackendException {
        PatchContext merged = PatchContext.of(PatchType.JSON_MERGE);
        calls.ask(
                what + " the Job '" + job + "'",
                () -> Optional.ofNullable(
                        jobs(job.namespace()).withName(job.name()).patch(merged, patch)));
    }

    /** Notes something on a Job. */
    public void annotate(Reference job, String name, String value) throws BackendException {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").putObject("annotations").put(name, value);
        patch(job, "change", patch.toString());
    }

    /** Deletes a Job with all that belongs to it; it stays visible until its pods are gone. */
    public void delete(Reference job) throws BackendException {
        calls.ask(
                "delete the Job '" + job + "'",
                () -> jobs(job.namespace())
                        .withName(job.name())
                        .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                        .delete());
    }

    @Override
    public void close() {
        client.close();
    }
}
