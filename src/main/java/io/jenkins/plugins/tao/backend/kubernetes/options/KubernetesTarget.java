package io.jenkins.plugins.tao.backend.kubernetes.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.Option;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A namespace of a Kubernetes cluster.
 *
 * @param name what jobs call it
 * @param kubeconfig how to reach the cluster, as kubectl has it
 * @param context the context of the kubeconfig
 * @param server the address of the API server, with {@code token}
 * @param token a bearer token for {@code server}
 * @param caCertificate the certificate authority of {@code server}
 * @param trustKubeconfig whether the kubeconfig may name programs and files of this machine
 * @param plainText whether the API server may be reached without TLS, where others on the network can read the credential
 * @param namespace where jobs run
 * @param managedNodes whether a provider looks after driver and container runtime of the nodes
 * @param resultsRoot below it each job has its results directory
 * @param volumes persistent volume claims of every job: {@code claim:/path} or {@code claim:/path:ro}
 * @param imagePullSecret an existing secret for private images
 * @param nodeSelector labels that nodes must have
 * @param tolerations taints that jobs bear: {@code key=value:Effect}, {@code key:Effect}, {@code key} or {@code *}
 * @param serviceAccount the account of the pods
 * @param queue a local queue of Kueue
 * @param podSecurity the pod security standard that the namespace enforces
 * @param securityContext whose processes run in the pods
 * @param s3 a storage for inputs and results
 * @param proxy the way out of this network, to the cluster and to S3; a kubeconfig's own {@code proxy-url} wins
 * @param fetchFromVolume whether files on a volume are fetched by a small pod that mounts it
 * @param fetchImage the image of that pod, with sh, find, tar and sha256sum
 * @param avoidFailedNodesFor how long later jobs avoid a node that failed under one, as in {@code 12h}
 */
public record KubernetesTarget(
        String name,

        @Option(defaultsTo = "what `server` and `token` say, else the service account of the pod this runs in")
        Optional<Kubeconfig> kubeconfig,

        @Option(defaultsTo = "its current one") Optional<String> context,
        Optional<String> server,
        Optional<Secret> token,
        @Option(defaultsTo = "those Java knows") Optional<Certificate> caCertificate,
        @Option(defaultsTo = "no") Optional<Boolean> trustKubeconfig,
        @Option(defaultsTo = "no") Optional<Boolean> plainText,

        @Option(defaultsTo = "that of the context or of this pod, else `default`")
        Optional<String> namespace,

        @Option(defaultsTo = "no") Optional<Boolean> managedNodes,
        @Option(defaultsTo = "`" + RESULTS + "`") Optional<String> resultsRoot,
        List<String> volumes,
        Optional<String> imagePullSecret,
        Map<String, String> nodeSelector,
        List<String> tolerations,
        @Option(defaultsTo = "the namespace's default") Optional<String> serviceAccount,
        Optional<String> queue,
        @Option(defaultsTo = "`baseline`") Optional<PodSecurity> podSecurity,
        @Option(defaultsTo = "the image's own user") Optional<RunAs> securityContext,
        Optional<S3Settings> s3,
        Optional<HttpProxy> proxy,
        @Option(defaultsTo = "no") Optional<Boolean> fetchFromVolume,
        @Option(defaultsTo = "the job's own") Optional<String> fetchImage,
        @Option(defaultsTo = "not at all") Optional<Duration> avoidFailedNodesFor)
        implements Avoiding.Place {
    private static final String RESULTS = "/results";

    /** What pods promise of themselves: a level of the pod security standards. */
    public enum PodSecurity {
        BASELINE,
        /** Never as root, and without any capability. */
        RESTRICTED
    }

    public KubernetesTarget {
        require(name.matches("[A-Za-z0-9._-]+"), "target name '%s' must be letters, digits and . _ -", name);
        boolean plain = plainText.orElse(false);
        server.ifPresent(address -> requireAddress(address, plain));
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
        fetchImage.ifPresent(image ->
                require(image.matches("[\\w.:/@-]+"), "fetchImage must be the name of an image, was '%s'", image));
        avoidFailedNodesFor.ifPresent(
                avoided -> require(!avoided.isNegative(), "avoidFailedNodesFor must not be negative, was %s", avoided));
        boolean rootly = podSecurity.equals(Optional.of(PodSecurity.RESTRICTED))
                && securityContext.map(RunAs::isRoot).orElse(false);
        require(!rootly, "target '%s' has podSecurity restricted, which forbids runAsUser 0", name);
    }

    private static void requireAddress(String address, boolean plain) {
        require(
                !address.matches(".*[\\s?#].*"),
                "server must be an address as in https://host:6443, was '%s'",
                address);
        Optional<String> fault = ServerAddress.fault(address, plain);
        require(
                fault.isEmpty(),
                "server must be an address as in https://host:6443; '%s' %s%s",
                address,
                fault.orElse(""),
                fault.filter(text -> text.contains("TLS"))
                        .map(text -> "; plainText: true allows it")
                        .orElse(""));
    }

    public boolean trusts() {
        return trustKubeconfig.orElse(false);
    }

    /** Whether the credential may travel without TLS. */
    public boolean allowsPlainText() {
        return plainText.orElse(false);
    }

    /** How to talk to the storage. */
    public HttpSettings http() {
        return HttpSettings.defaults().proxy(proxy);
    }

    public String resultsDirectory() {
        return resultsRoot.orElse(RESULTS);
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
            return new Certificate(Kubeconfig.read(file, "caCertificate"));
        }
    }
}
