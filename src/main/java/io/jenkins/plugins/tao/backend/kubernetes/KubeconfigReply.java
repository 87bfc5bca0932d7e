package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesTarget.Kubeconfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a kubeconfig before the client library sees it: the library runs the programs it names while parsing, takes paths
 * as files of this machine, and falls back silently where a context is missing. Pure.
 */
final class KubeconfigReply {
    private static final String CHECK = "Check it with 'kubectl --kubeconfig FILE config view --minify'.";

    private final Kubeconfig given;
    private final boolean trusted;

    private KubeconfigReply(Kubeconfig given, boolean trusted) {
        this.given = given;
        this.trusted = trusted;
    }

    /**
     * What one context of a kubeconfig says.
     *
     * @param context its name
     * @param namespace its namespace, when it names one
     */
    record Login(String context, Cluster cluster, AuthInfo user, Optional<String> namespace) {}

    /**
     * The login of {@code context}, or of the current one.
     *
     * @param trusted whether programs and files of this machine may be named
     */
    static Login read(Kubeconfig given, Optional<String> context, boolean trusted) throws Denied {
        return new KubeconfigReply(given, trusted).login(context);
    }

    /**
     * The same kubeconfig with {@code context} for its current one and no relative paths: the library takes no other, and
     * looks for them in the directory of this process, while kubectl means the kubeconfig's own.
     */
    static String select(Kubeconfig given, String context) throws Denied {
        io.fabric8.kubernetes.api.model.Config config = new KubeconfigReply(given, true).parse();
        config.setCurrentContext(context);
        for (NamedCluster each : list(config.getClusters())) {
            Cluster cluster = each.getCluster();
            if (cluster != null) {
                resolve(given, cluster.getCertificateAuthority(), cluster::setCertificateAuthority);
            }
        }
        for (NamedAuthInfo each : list(config.getUsers())) {
            AuthInfo user = each.getUser();
            if (user != null) {
                resolve(given, user.getClientCertificate(), user::setClientCertificate);
                resolve(given, user.getClientKey(), user::setClientKey);
                program(given, user);
            }
        }
        return new KubernetesSerialization().asYaml(config);
    }

    private static void resolve(Kubeconfig given, @Nullable String path, Consumer<String> to) {
        present(path).ifPresent(text -> to.accept(given.resolve(text).toString()));
    }

    /** A bare name is looked for on the PATH. */
    private static void program(Kubeconfig given, AuthInfo user) {
        if (user.getExec() != null) {
            String command = user.getExec().getCommand();
            resolve(given, command != null && command.contains("/") ? command : null, user.getExec()::setCommand);
        }
    }

    /** The namespace that comes with a target's context; empty without a kubeconfig, and for one that is wrong. */
    static Optional<String> namespace(KubernetesTarget target) {
        if (target.kubeconfig().isEmpty()) {
            return Optional.empty();
        }
        try {
            return read(target.kubeconfig().get(), target.context(), target.trusts())
                    .namespace();
        } catch (Denied e) {
            return Optional.empty(); // a preview needs no credential; submission says what is wrong with it
        }
    }

    private Login login(Optional<String> wanted) throws Denied {
        io.fabric8.kubernetes.api.model.Config config = parse();
        List<NamedContext> contexts = list(config.getContexts());
        String name = wanted.or(() -> present(config.getCurrentContext()))
                .orElseThrow(() -> denied(
                        "names no current-context",
                        "Set one with 'kubectl config use-context', or set context on the target to one of: "
                                + names(contexts) + "."));
        Context context = contexts.stream()
                .filter(each -> name.equals(each.getName()) && each.getContext() != null)
                .map(NamedContext::getContext)
                .findFirst()
                .orElseThrow(() -> denied("has no context '" + name + "'", "Use one of: " + names(contexts) + "."));
        Cluster cluster = list(config.getClusters()).stream()
                .filter(each -> each.getName() != null && each.getName().equals(context.getCluster()))
                .map(NamedCluster::getCluster)
                .findFirst()
                .orElseThrow(() -> denied("has no cluster '" + context.getCluster() + "'", CHECK));
        AuthInfo user = list(config.getUsers()).stream()
                .filter(each -> each.getName() != null && each.getName().equals(context.getUser()))
                .map(NamedAuthInfo::getUser)
                .findFirst()
                .orElseThrow(() -> denied("has no user '" + context.getUser() + "'", CHECK));
        check(cluster, user);
        return new Login(name, cluster, user, present(context.getNamespace()));
    }

    private io.fabric8.kubernetes.api.model.Config parse() throws Denied {
        String text = given.text().reveal();
        if (text.isBlank()) {
            throw denied("is empty", "Store the content of ~/.kube/config in it.");
        }
        try {
            io.fabric8.kubernetes.api.model.Config config =
                    new KubernetesSerialization().unmarshal(text, io.fabric8.kubernetes.api.model.Config.class);
            if (config == null || list(config.getClusters()).isEmpty()) {
                throw denied("names no clusters", "Store the content of ~/.kube/config in it.");
            }
            return config;
        } catch (RuntimeException e) { // the library's own kinds differ with what is wrong; its text may hold secrets
            throw denied("is no kubeconfig in YAML", "Store the content of ~/.kube/config in it.");
        }
    }

    private void check(Cluster cluster, AuthInfo user) throws Denied {
        if (present(cluster.getServer()).isEmpty()) {
            throw denied("names no server for its cluster", CHECK);
        }
        if (trusted) {
            return;
        }
        List<String> refused = new ArrayList<>();
        if (user.getExec() != null) {
            refused.add("exec (" + user.getExec().getCommand() + ")");
        }
        if (user.getAuthProvider() != null) {
            refused.add("auth-provider");
        }
        present(user.getTokenFile()).ifPresent(path -> refused.add("tokenFile"));
        present(user.getClientKey()).ifPresent(path -> refused.add("client-key"));
        present(user.getClientCertificate()).ifPresent(path -> refused.add("client-certificate"));
        present(cluster.getCertificateAuthority()).ifPresent(path -> refused.add("certificate-authority"));
        if (Boolean.TRUE.equals(cluster.getInsecureSkipTlsVerify())) {
            refused.add("insecure-skip-tls-verify");
        }
        if (!refused.isEmpty()) {
            throw denied(
                    "uses what only an administrator may allow: " + String.join(", ", refused),
                    "Make one without programs and files: 'kubectl config view --minify --flatten --raw' turns files into"
                            + " data, and 'kubectl create token SERVICE_ACCOUNT' replaces the program of a cloud; or set"
                            + " trustKubeconfig on the target, where the program must then be installed.");
        }
        boolean empty = present(user.getToken())
                .or(() -> present(user.getClientKeyData()))
                .or(() -> present(user.getPassword()))
                .isEmpty();
        if (empty) {
            throw denied("has no token, certificate or password for its user", CHECK);
        }
    }

    private Denied denied(String what, String remedy) {
        return new Denied("The kubeconfig of " + given.source() + " " + what + ".", remedy);
    }

    private static String names(List<NamedContext> contexts) {
        String names = contexts.stream().map(NamedContext::getName).collect(Collectors.joining(", "));
        return names.isEmpty() ? "(it has none)" : names;
    }

    private static <T> List<T> list(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    private static Optional<String> present(@Nullable String text) {
        return text == null || text.isBlank() ? Optional.empty() : Optional.of(text);
    }
}
