package io.jenkins.plugins.tao.backend.kubernetes;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A namespace of a Kubernetes cluster.
 *
 * @param name what jobs call it
 * @param kubeconfig how to reach the cluster, as kubectl has it; empty for {@code server}, and without either for the
 *     service account of the pod this runs in
 * @param context the context of the kubeconfig; empty for its current one
 * @param server the address of the API server, with {@code token}
 * @param token a bearer token for {@code server}
 * @param caCertificate the certificate authority of {@code server}; empty for those Java knows
 * @param trustKubeconfig whether the kubeconfig may name programs and files of this machine; empty for no
 * @param namespace where jobs run; empty for the context's, else {@code default}
 * @param managedNodes whether a provider looks after driver and container runtime of the nodes; empty for no
 * @param resultsRoot below it each job has its results directory; empty for {@code /results}
 * @param volumes persistent volume claims of every job: {@code claim:/path} or {@code claim:/path:ro}
 * @param imagePullSecret an existing secret for private images
 * @param nodeSelector labels that nodes must have
 * @param tolerations taints that jobs bear: {@code key=value:Effect}, {@code key:Effect}, {@code key} or {@code *}
 * @param serviceAccount the account of the pods; empty for the namespace's default
 * @param queue a local queue of Kueue
 * @param podSecurity the pod security standard that the namespace enforces; empty for {@code baseline}
 * @param securityContext whose processes run in the pods; empty for the image's own user
 * @param s3 a storage for inputs and results
 * @param proxy the way out of this network, to the cluster and to S3; a kubeconfig's own {@code proxy-url} wins
 */
public record KubernetesTarget(
        String name,
        Optional<Kubeconfig> kubeconfig,
        Optional<String> context,
        Optional<String> server,
        Optional<Secret> token,
        Optional<Certificate> caCertificate,
        Optional<Boolean> trustKubeconfig,
        Optional<String> namespace,
        Optional<Boolean> managedNodes,
        Optional<String> resultsRoot,
        List<String> volumes,
        Optional<String> imagePullSecret,
        Map<String, String> nodeSelector,
        List<String> tolerations,
        Optional<String> serviceAccount,
        Optional<String> queue,
        Optional<PodSecurity> podSecurity,
        Optional<RunAs> securityContext,
        Optional<S3Settings> s3,
        Optional<HttpProxy> proxy)
        implements Target {
    private static final String RESULTS = "/results";

    /** What pods promise of themselves: a level of the pod security standards. */
    public enum PodSecurity {
        BASELINE,
        /** Never as root, and without any capability. */
        RESTRICTED
    }

    public KubernetesTarget {
        require(name.matches("[A-Za-z0-9._-]+"), "target name '%s' must be letters, digits and . _ -", name);
        server.ifPresent(KubernetesTarget::requireAddress);
        boolean ways = kubeconfig.isPresent() && server.isPresent();
        require(!ways, "target '%s' has both kubeconfig and server; keep one", name);
        require(server.isPresent() || token.isEmpty(), "target '%s' has a token but no server", name);
        require(server.isEmpty() || token.isPresent(), "target '%s' has a server but no token for it", name);
        require(kubeconfig.isPresent() || context.isEmpty(), "target '%s' has a context but no kubeconfig", name);
        KubernetesWords.label("namespace", namespace);
        resultsRoot = resultsRoot.map(KubernetesWords::withoutSlash);
        resultsRoot.ifPresent(path -> KubernetesWords.path("resultsRoot", path));
        volumes = List.copyOf(volumes);
        volumes.forEach(VolumeMount::parse);
        KubernetesWords.name("imagePullSecret", imagePullSecret);
        nodeSelector = Collections.unmodifiableMap(new LinkedHashMap<>(nodeSelector));
        KubernetesWords.labels("nodeSelector", nodeSelector);
        tolerations = List.copyOf(tolerations);
        tolerations.forEach(Tolerated::parse);
        KubernetesWords.name("serviceAccount", serviceAccount);
        KubernetesWords.name("queue", queue);
        boolean rootly = podSecurity.equals(Optional.of(PodSecurity.RESTRICTED))
                && securityContext.map(RunAs::isRoot).orElse(false);
        require(!rootly, "target '%s' has podSecurity restricted, which forbids runAsUser 0", name);
    }

    private static void requireAddress(String address) {
        boolean loopback = address.matches("http://(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d{1,5})?/?");
        require(
                address.matches("https://[^\\s/?#@]+(/[^\\s?#]*)?") || loopback,
                "server must be an address as in https://host:6443, was '%s'",
                address);
    }

    /** A target with every default; use the builder's methods for the rest. */
    public static Builder of(String name) {
        return new Builder(name);
    }

    boolean trusts() {
        return trustKubeconfig.orElse(false);
    }

    /** How to talk to the storage. */
    HttpSettings http() {
        return HttpSettings.defaults().proxy(proxy);
    }

    String resultsDirectory() {
        return resultsRoot.orElse(RESULTS);
    }

    /**
     * A kubeconfig, checked when it is used.
     *
     * @param text its YAML
     * @param source where it came from, for messages
     * @param directory what the relative paths in it start from; empty for one that is no file
     */
    public record Kubeconfig(Secret text, String source, Optional<Path> directory) {
        /** One that is no file. */
        public Kubeconfig(Secret text, String source) {
            this(text, source, Optional.empty());
        }

        /** A path that it names. */
        Path resolve(String path) {
            return directory.map(from -> from.resolve(path)).orElseGet(() -> Path.of(path));
        }

        /** Reads one from a file. */
        public static Kubeconfig ofFile(Path file) {
            return new Kubeconfig(
                    Secret.of(read(file, "the kubeconfig")),
                    file.toString(),
                    Optional.ofNullable(file.toAbsolutePath().getParent()));
        }
    }

    /**
     * Certificates of an authority.
     *
     * @param pem one or more, in PEM
     */
    public record Certificate(String pem) {
        public Certificate {
            require(pem.contains("-----BEGIN CERTIFICATE-----"), "caCertificate must be a certificate in PEM");
        }

        /** Reads them from a file. */
        public static Certificate ofFile(Path file) {
            return new Certificate(read(file, "caCertificate"));
        }
    }

    private static String read(Path file, String what) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalArgumentException(what + " " + file + " cannot be read (" + e.getMessage() + ")", e);
        }
    }

    /** Builds a {@link KubernetesTarget} step by step; the checks are made by {@link #build}. */
    public static final class Builder {
        private final String name;
        private Optional<Kubeconfig> kubeconfig = Optional.empty();
        private Optional<String> context = Optional.empty();
        private Optional<String> server = Optional.empty();
        private Optional<Secret> token = Optional.empty();
        private Optional<Certificate> caCertificate = Optional.empty();
        private Optional<Boolean> trustKubeconfig = Optional.empty();
        private Optional<String> namespace = Optional.empty();
        private Optional<Boolean> managedNodes = Optional.empty();
        private Optional<String> resultsRoot = Optional.empty();
        private List<String> volumes = List.of();
        private Optional<String> imagePullSecret = Optional.empty();
        private Map<String, String> nodeSelector = Map.of();
        private List<String> tolerations = List.of();
        private Optional<String> serviceAccount = Optional.empty();
        private Optional<String> queue = Optional.empty();
        private Optional<PodSecurity> podSecurity = Optional.empty();
        private Optional<RunAs> securityContext = Optional.empty();
        private Optional<S3Settings> s3 = Optional.empty();
        private Optional<HttpProxy> proxy = Optional.empty();

        private Builder(String name) {
            this.name = name;
        }

        /** See {@link KubernetesTarget#kubeconfig}. */
        public Builder kubeconfig(Kubeconfig value) {
            kubeconfig = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#context}. */
        public Builder context(String value) {
            context = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#server}. */
        public Builder server(String value) {
            server = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#token}. */
        public Builder token(Secret value) {
            token = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#caCertificate}. */
        public Builder caCertificate(Certificate value) {
            caCertificate = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#trustKubeconfig}. */
        public Builder trustKubeconfig(boolean value) {
            trustKubeconfig = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#namespace}. */
        public Builder namespace(String value) {
            namespace = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#managedNodes}. */
        public Builder managedNodes(boolean value) {
            managedNodes = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#resultsRoot}. */
        public Builder resultsRoot(String value) {
            resultsRoot = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#volumes}. */
        public Builder volumes(List<String> value) {
            volumes = value;
            return this;
        }

        /** See {@link KubernetesTarget#imagePullSecret}. */
        public Builder imagePullSecret(String value) {
            imagePullSecret = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#nodeSelector}. */
        public Builder nodeSelector(Map<String, String> value) {
            nodeSelector = value;
            return this;
        }

        /** See {@link KubernetesTarget#tolerations}. */
        public Builder tolerations(List<String> value) {
            tolerations = value;
            return this;
        }

        /** See {@link KubernetesTarget#serviceAccount}. */
        public Builder serviceAccount(String value) {
            serviceAccount = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#queue}. */
        public Builder queue(String value) {
            queue = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#podSecurity}. */
        public Builder podSecurity(PodSecurity value) {
            podSecurity = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#securityContext}. */
        public Builder securityContext(RunAs value) {
            securityContext = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#s3}. */
        public Builder s3(S3Settings value) {
            s3 = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesTarget#proxy}. */
        public Builder proxy(Optional<HttpProxy> value) {
            proxy = value;
            return this;
        }

        /** Checks everything. */
        public KubernetesTarget build() {
            return new KubernetesTarget(
                    name,
                    kubeconfig,
                    context,
                    server,
                    token,
                    caCertificate,
                    trustKubeconfig,
                    namespace,
                    managedNodes,
                    resultsRoot,
                    volumes,
                    imagePullSecret,
                    nodeSelector,
                    tolerations,
                    serviceAccount,
                    queue,
                    podSecurity,
                    securityContext,
                    s3,
                    proxy);
        }
    }
}
