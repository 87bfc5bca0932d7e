package io.jenkins.plugins.tao.backend.kubernetes.access;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesText;
import io.jenkins.plugins.tao.backend.kubernetes.options.ServerAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a kubeconfig before the client library sees it: the library runs the programs it names while parsing, takes paths
 * as files of this machine, and falls back silently where a context is missing. Pure.
 */
public final class KubeconfigReply {
    private static final String CHECK = "Check it with 'kubectl --kubeconfig FILE config view --minify'.";

    private final Kubeconfig given;
    private final KubeconfigFiles files;
    private final boolean trusted;
    private final boolean plain;

    private KubeconfigReply(Kubeconfig given, boolean trusted, boolean plain) throws Denied {
        this.given = given;
        this.files = KubeconfigFiles.read(given);
        this.trusted = trusted;
        this.plain = plain;
    }

    /**
     * What one context of a kubeconfig says.
     *
     * @param context its name
     * @param namespace its namespace, when it names one
     */
    record Login(String context, Cluster cluster, AuthInfo user, Optional<String> namespace) {}

    /** The login that {@code target} takes of {@code given}: that of its context, or of the current one. */
    static Login read(Kubeconfig given, KubernetesTarget target) throws Denied {
        return new KubeconfigReply(given, target.trusts(), target.allowsPlainText()).login(target.context());
    }

    /**
     * The same kubeconfig with {@code context} for its current one and no relative paths: the library takes no other, and
     * looks for them in the directory of this process, while kubectl means the kubeconfig's own.
     */
    static String select(Kubeconfig given, String context) throws Denied {
        io.fabric8.kubernetes.api.model.Config config =
                KubeconfigFiles.read(given).config();
        config.setCurrentContext(context);
        KubeconfigFiles.absolute(given, config);
        return KubernetesText.FORM.asYaml(config);
    }

    /** The namespace that comes with a target's context; empty without a kubeconfig, and for one that is wrong. */
    public static Optional<String> namespace(KubernetesTarget target) {
        if (target.kubeconfig().isEmpty()) {
            return Optional.empty();
        }
        try {
            return read(target.kubeconfig().get(), target).namespace();
        } catch (Denied e) {
            return Optional.empty(); // a preview needs no credential; submission says what is wrong with it
        }
    }

    private Login login(Optional<String> wanted) throws Denied {
        io.fabric8.kubernetes.api.model.Config config = files.config();
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
                .orElseThrow(() -> denied(
                        "context '" + name + "'",
                        "has no cluster '" + context.getCluster() + "', which its context '" + name + "' names",
                        CHECK));
        AuthInfo user = list(config.getUsers()).stream()
                .filter(each -> each.getName() != null && each.getName().equals(context.getUser()))
                .map(NamedAuthInfo::getUser)
                .findFirst()
                .orElseThrow(() -> denied(
                        "context '" + name + "'",
                        "has no user '" + context.getUser() + "', which its context '" + name + "' names",
                        CHECK));
        check(context, cluster, user);
        return new Login(name, cluster, user, present(context.getNamespace()));
    }

    private void check(Context context, Cluster cluster, AuthInfo user) throws Denied {
        addresses("cluster '" + context.getCluster() + "'", cluster);
        texts("user '" + context.getUser() + "'", user);
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
                    "user '" + context.getUser() + "'",
                    "uses what only an administrator may allow: " + String.join(", ", refused),
                    "Make one without programs and files: 'kubectl config view --minify --flatten --raw' turns files"
                            + " into data, and 'kubectl create token SERVICE_ACCOUNT' replaces the program of a cloud; or"
                            + " set trustKubeconfig on the target, where the program must then be installed.");
        }
        boolean empty = present(user.getToken())
                .or(() -> present(user.getClientKeyData()))
                .or(() -> present(user.getPassword()))
                .isEmpty();
        if (empty) {
            String entry = "user '" + context.getUser() + "'";
            throw denied(entry, "has no token, certificate or password in its " + entry, CHECK);
        }
    }

    private void addresses(String entry, Cluster cluster) throws Denied {
        Optional<String> server = present(cluster.getServer());
        if (server.isEmpty()) {
            throw denied(entry, "names no server in its " + entry, CHECK);
        }
        Optional<String> fault = ServerAddress.fault(server.get(), plain);
        if (fault.isPresent()) {
            throw denied(
                    entry,
                    "names in its " + entry + " the server '" + printable(server.get()) + "', which " + fault.get(),
                    "Write it as in server: https://host:6443. A cluster that has no TLS needs plainText on the"
                            + " target.");
        }
        oneLine(entry, "tls-server-name", cluster.getTlsServerName());
        Optional<String> proxy = present(cluster.getProxyUrl()).flatMap(ServerAddress::proxyFault);
        if (proxy.isPresent()) {
            throw denied(entry, "names in its " + entry + " a proxy-url that " + proxy.get(), CHECK);
        }
    }

    /** What goes into a header must be one line. */
    private void texts(String entry, AuthInfo user) throws Denied {
        oneLine(entry, "token", user.getToken());
        oneLine(entry, "username", user.getUsername());
        oneLine(entry, "password", user.getPassword());
        oneLine(entry, "as", user.getAs());
        for (String group : list(user.getAsGroups())) {
            oneLine(entry, "as-groups", group);
        }
        if (present(user.getAsUid()).isPresent()) {
            throw denied(
                    entry, "has as-uid in its " + entry + ", which is not supported", "Leave it out, or use as alone.");
        }
    }

    private void oneLine(String entry, String field, @Nullable String text) throws Denied {
        boolean odd = present(text)
                .map(found -> found.chars().anyMatch(each -> each < ' ' || each > '~'))
                .orElse(false);
        if (odd) {
            throw denied(
                    entry,
                    "has in its " + entry + " a " + field + " that is not one line of printable characters",
                    "A line end or blank came along when it was copied: write it again.");
        }
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }

    private Denied denied(String what, String remedy) {
        return new Denied("The kubeconfig of " + given.sources() + " " + what + ".", remedy);
    }

    /** The same for a fault of one entry, which the file that gives it has. */
    private Denied denied(String entry, String what, String remedy) {
        return new Denied("The kubeconfig of " + files.source(entry) + " " + what + ".", remedy);
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
