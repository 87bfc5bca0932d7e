package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.http.HttpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * How a target is reached: the client's configuration and the namespace that comes with it. Nothing is taken from
 * environment, system properties or the home directory behind the user's back.
 *
 * @param config for the client
 * @param namespace where the account belongs
 * @param source what it was made of, for messages
 */
record ClusterAccess(Config config, Optional<String> namespace, String source) {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int REQUEST_MILLIS = 30_000;
    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /** By what the target says. */
    static ClusterAccess of(KubernetesTarget target) throws Denied {
        return of(target, System.getenv(), ACCOUNT);
    }

    /** The same with the surroundings of a pod. */
    static ClusterAccess of(KubernetesTarget target, Map<String, String> environment, Path account) throws Denied {
        if (target.kubeconfig().isPresent()) {
            return byKubeconfig(target, target.kubeconfig().get());
        }
        if (target.server().isPresent()) {
            return byToken(target, target.server().get());
        }
        return byPod(target, environment, account);
    }

    private static ConfigBuilder begin() {
        return new ConfigBuilder(Config.empty())
                .withAutoConfigure(false)
                .withConnectionTimeout(CONNECT_MILLIS)
                .withRequestTimeout(REQUEST_MILLIS)
                .withRequestRetryBackoffLimit(0)
                .withUserAgent("tao-run");
    }

    private static ClusterAccess byKubeconfig(KubernetesTarget target, KubernetesTarget.Kubeconfig given)
            throws Denied {
        KubeconfigReply.Login login = KubeconfigReply.read(given, target.context(), target.trusts());
        String source = "the context '" + login.context() + "' of the kubeconfig of " + given.source();
        Config config = target.trusts() ? trusted(given, login) : plain(login.cluster(), login.user());
        return new ClusterAccess(through(target.proxy(), config), login.namespace(), source);
    }

    private static Config trusted(KubernetesTarget.Kubeconfig given, KubeconfigReply.Login login) throws Denied {
        try {
            Config config = Config.fromKubeconfig(KubeconfigReply.select(given, login.context()));
            ConfigBuilder builder = new ConfigBuilder(config)
                    .withConnectionTimeout(CONNECT_MILLIS)
                    .withRequestTimeout(REQUEST_MILLIS)
                    .withRequestRetryBackoffLimit(0);
            if (login.user().getTokenFile() != null && login.user().getToken() == null) {
                Path file = given.resolve(login.user().getTokenFile());
                builder.withOauthTokenProvider(() -> text(file)); // the library knows no tokenFile
            }
            if (login.user().getExec() != null && isEmpty(config)) {
                throw new Denied(
                        "The program '" + login.user().getExec().getCommand() + "' that the kubeconfig of "
                                + given.source() + " names gave no credential.",
                        "It must be installed on this machine and logged in; 'kubectl get nodes' shows whether it works.");
            }
            return builder.build();
        } catch (RuntimeException e) { // the library wraps whatever the program named in the kubeconfig did
            throw new Denied(
                    "The kubeconfig of " + given.source() + " could not be used: " + e.getMessage() + ".",
                    "Its program must be installed on this machine; 'kubectl get nodes' shows whether it works.");
        }
    }

    private static boolean isEmpty(Config config) {
        return config.getOauthToken() == null
                && config.getAutoOAuthToken() == null
                && config.getOauthTokenProvider() == null
                && config.getClientCertData() == null;
    }

    private static Config plain(Cluster cluster, AuthInfo user) {
        return begin().withMasterUrl(cluster.getServer())
                .withCaCertData(cluster.getCertificateAuthorityData())
                .withHttpsProxy(cluster.getProxyUrl())
                .withHttpProxy(cluster.getProxyUrl())
                .withClientCertData(user.getClientCertificateData())
                .withClientKeyData(user.getClientKeyData())
                .withOauthToken(user.getToken())
                .withUsername(user.getUsername())
                .withPassword(user.getPassword())
                .withImpersonateUsername(user.getAs())
                .build();
    }

    private static ClusterAccess byToken(KubernetesTarget target, String server) {
        ConfigBuilder config = begin().withMasterUrl(server);
        target.token().ifPresent(token -> config.withOauthToken(token.reveal().strip()));
        target.caCertificate().ifPresent(ca -> config.withCaCertData(base64(ca.pem())));
        return new ClusterAccess(
                through(target.proxy(), config.build()),
                Optional.empty(),
                "the token of target '" + target.name() + "'");
    }

    /** Only one host is asked, so whether the proxy spares it is decided here, by the same words as for all others. */
    private static Config through(Optional<HttpProxy> proxy, Config config) {
        Optional<String> host =
                Optional.ofNullable(URI.create(config.getMasterUrl()).getHost());
        boolean own = config.getHttpsProxy() != null && !config.getHttpsProxy().isBlank();
        if (proxy.isEmpty() || own || host.isEmpty() || proxy.get().spares(host.get())) {
            return config;
        }
        HttpProxy way = proxy.get();
        String address = "http://" + way.host() + ":" + way.port();
        ConfigBuilder routed = new ConfigBuilder(config).withHttpsProxy(address).withHttpProxy(address);
        way.user()
                .ifPresent(user -> routed.withProxyUsername(user)
                        .withProxyPassword(way.password()
                                .map(password -> password.reveal())
                                .orElse("")));
        return routed.build();
    }

    /** The address is one of the cluster's own, which no proxy knows. */
    private static ClusterAccess byPod(KubernetesTarget target, Map<String, String> environment, Path account)
            throws Denied {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        Path token = account.resolve("token");
        if (host.isEmpty() || !Files.isReadable(token)) {
            throw new Denied(
                    "Could not authenticate to a Kubernetes cluster for target '" + target.name()
                            + "': it has no kubeconfig and no server with a token, and this process runs in no pod (no "
                            + token + (host.isEmpty() ? ", no KUBERNETES_SERVICE_HOST" : "") + ").",
                    "Give the target a kubeconfig: kubectl keeps it in ~/.kube/config, or where $KUBECONFIG says, and 'kubectl"
                            + " get nodes' shows whether it works. A cloud writes one: 'aws eks update-kubeconfig',"
                            + " 'gcloud container clusters get-credentials', 'az aks get-credentials'.");
        }
        String address = host.contains(":") ? "[" + host + "]" : host;
        ConfigBuilder config = begin().withMasterUrl("https://" + address + ":" + port)
                .withOauthTokenProvider(() -> text(token)); // the kubelet renews the file, so it is read each time
        Path ca = account.resolve("ca.crt");
        if (Files.isReadable(ca)) {
            config.withCaCertData(base64(text(ca)));
        }
        Path namespace = account.resolve("namespace");
        Optional<String> own = Files.isReadable(namespace) ? Optional.of(text(namespace)) : Optional.empty();
        return new ClusterAccess(config.build(), own, "the service account of this pod");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    private static String base64(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(UTF_8));
    }
}
