package io.jenkins.plugins.tao.backend.kubernetes.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.http.HttpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a target is reached: the client's configuration and the namespace that comes with it. Nothing is taken from
 * environment, system properties or the home directory behind the user's back.
 *
 * @param config for the client
 * @param namespace where the account belongs
 * @param source what it was made of, for messages
 * @param renewing what gives the credential anew, where a program does
 * @param tlsName the name that the server's certificate is made out to, where that is not its address
 * @param clock the server's clock, as its answers tell it
 */
public record ClusterAccess(
        Config config,
        Optional<String> namespace,
        String source,
        Optional<ExecCredential> renewing,
        Optional<String> tlsName,
        ServerClock clock) {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int REQUEST_MILLIS = 30_000;
    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /** By what the target says. */
    public static ClusterAccess of(KubernetesTarget target) throws Denied {
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

    /** Renews what the server no longer takes; says whether there is another credential now. */
    public boolean renew() {
        boolean file = config.getOauthTokenProvider() != null; // which reads its file each time
        return renewing.map(ExecCredential::renew).orElse(file);
    }

    /** Whether the client's certificate has run out, so that only another client can go on. */
    public boolean isOutdated() {
        return config.getClientCertData() != null
                && renewing.map(ExecCredential::hasExpired).orElse(false);
    }

    private static ClusterAccess byKubeconfig(KubernetesTarget target, Kubeconfig given) throws Denied {
        KubeconfigReply.Login login = KubeconfigReply.read(given, target);
        String source = "the context '" + login.context() + "' of the kubeconfig of " + given.sources();
        ServerClock clock = new ServerClock();
        Optional<ExecCredential> program = Optional.ofNullable(login.user().getExec())
                .map(exec -> new ExecCredential(given, login.cluster(), exec, clock));
        Config config = login.user().getAuthProvider() != null
                ? byProvider(given, login)
                : plain(given, login.cluster(), login.user(), program);
        return new ClusterAccess(
                through(target.proxy(), config),
                login.namespace(),
                source,
                program,
                Optional.ofNullable(login.cluster().getTlsServerName()),
                clock);
    }

    /** The library knows the old kinds that are built into clients. */
    private static Config byProvider(Kubeconfig given, KubeconfigReply.Login login) throws Denied {
        try {
            Config config = Config.fromKubeconfig(KubeconfigReply.select(given, login.context()));
            return new ConfigBuilder(config)
                    .withConnectionTimeout(CONNECT_MILLIS)
                    .withRequestTimeout(REQUEST_MILLIS)
                    .withRequestRetryBackoffLimit(0)
                    .build();
        } catch (RuntimeException e) { // the library wraps whatever the provider did
            throw new Denied(
                    "The kubeconfig of " + given.sources() + " could not be used: " + e.getMessage() + ".",
                    "Its auth-provider must be usable on this machine; 'kubectl get nodes' shows whether it works.",
                    e);
        }
    }

    /** Files and programs are named here only by a kubeconfig that is trusted. */
    private static Config plain(Kubeconfig given, Cluster cluster, AuthInfo user, Optional<ExecCredential> program)
            throws Denied {
        ConfigBuilder config = begin().withMasterUrl(cluster.getServer())
                .withTrustCerts(Boolean.TRUE.equals(cluster.getInsecureSkipTlsVerify()))
                .withDisableHostnameVerification(Boolean.TRUE.equals(cluster.getInsecureSkipTlsVerify()))
                .withCaCertData(cluster.getCertificateAuthorityData())
                .withCaCertFile(file(given, cluster.getCertificateAuthority()))
                .withHttpsProxy(cluster.getProxyUrl())
                .withHttpProxy(cluster.getProxyUrl())
                .withClientCertData(user.getClientCertificateData())
                .withClientCertFile(file(given, user.getClientCertificate()))
                .withClientKeyData(user.getClientKeyData())
                .withClientKeyFile(file(given, user.getClientKey()))
                .withOauthToken(user.getToken())
                .withUsername(user.getUsername())
                .withPassword(user.getPassword())
                .withImpersonateUsername(user.getAs())
                .withImpersonateGroups(Objects.requireNonNullElse(user.getAsGroups(), List.<String>of())
                        .toArray(String[]::new))
                .withImpersonateExtras(Objects.requireNonNullElse(user.getAsUserExtra(), Map.of()));
        if (user.getTokenFile() != null) {
            Path tokenFile = given.resolve(user.getTokenFile());
            config.withOauthToken(null)
                    .withOauthTokenProvider(() -> text(tokenFile)); // whoever renews it, writes it anew
        }
        if (program.isPresent()) {
            byProgram(given, program.get(), config);
        }
        return config.build();
    }

    private static void byProgram(Kubeconfig given, ExecCredential program, ConfigBuilder config) throws Denied {
        try {
            ExecCredential.Reply first = program.current();
            if (first.token().isPresent()) {
                config.withOauthTokenProvider(program);
            }
            first.certificate().ifPresent(pem -> config.withClientCertData(base64(pem)));
            first.key().ifPresent(pem -> config.withClientKeyData(base64(pem)));
        } catch (UncheckedIOException e) {
            throw new Denied(
                    "The kubeconfig of " + given.sources() + " gave no credential: " + e.getMessage() + ".",
                    "The program must be installed on this machine and logged in; 'kubectl get nodes' shows whether it"
                            + " works.",
                    e);
        }
    }

    private static @Nullable String file(Kubeconfig given, @Nullable String path) {
        return path == null || path.isBlank() ? null : given.resolve(path).toString();
    }

    private static ClusterAccess byToken(KubernetesTarget target, String server) {
        ConfigBuilder config = begin().withMasterUrl(server);
        target.token().ifPresent(token -> config.withOauthToken(token.reveal().strip()));
        target.caCertificate().ifPresent(ca -> config.withCaCertData(base64(ca.pem())));
        return new ClusterAccess(
                through(target.proxy(), config.build()),
                Optional.empty(),
                "the token of target '" + target.name() + "'",
                Optional.empty(),
                Optional.empty(),
                new ServerClock());
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
                    "Give the target a kubeconfig: kubectl keeps it in ~/.kube/config, or where $KUBECONFIG says, and"
                            + " 'kubectl get nodes' shows whether it works. A cloud writes one: 'aws eks"
                            + " update-kubeconfig', 'gcloud container clusters get-credentials', 'az aks"
                            + " get-credentials'.");
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
        return new ClusterAccess(
                config.build(),
                own,
                "the service account of this pod",
                Optional.empty(),
                Optional.empty(),
                new ServerClock());
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
