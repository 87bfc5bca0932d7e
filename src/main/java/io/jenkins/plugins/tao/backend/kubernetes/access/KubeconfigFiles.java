package io.jenkins.plugins.tao.backend.kubernetes.access;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The files of one kubeconfig, merged as kubectl does: the first file that has a value or an entry gives it, and relative
 * paths start from the file that names them. Source:
 * https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/#merging-kubeconfig-files
 */
final class KubeconfigFiles {
    private static final String STORE = "Store the content of ~/.kube/config in it.";

    private final Kubeconfig given;
    private final Config merged = new Config();
    private final Map<String, String> origins = new LinkedHashMap<>();

    private KubeconfigFiles(Kubeconfig given) {
        this.given = given;
    }

    /**
     * Reads all files of {@code given}.
     *
     * @throws Denied if one of them is no kubeconfig, naming it
     */
    static KubeconfigFiles read(Kubeconfig given) throws Denied {
        KubeconfigFiles files = new KubeconfigFiles(given);
        List<Kubeconfig> parts = given.parts();
        for (Kubeconfig part : parts) {
            boolean blank = part.text().reveal().isBlank();
            if (!blank) {
                files.add(part, parse(part));
            } else if (parts.size() == 1) {
                throw denied(part.source(), "is empty");
            }
        }
        if (files.merged.getClusters().isEmpty()) {
            throw denied(given.sources(), "names no clusters");
        }
        return files;
    }

    Config config() {
        return merged;
    }

    /** The file that gives an entry, as in {@code cluster 'a'}; all of them for an entry that none has. */
    String source(String entry) {
        return origins.getOrDefault(entry, given.sources());
    }

    private void add(Kubeconfig part, Config config) {
        if (given.parts().size() > 1) {
            absolute(part, config);
        }
        if (merged.getCurrentContext() == null || merged.getCurrentContext().isBlank()) {
            merged.setCurrentContext(config.getCurrentContext());
        }
        merged.setContexts(merge(merged.getContexts(), config.getContexts(), NamedContext::getName, "context", part));
        merged.setClusters(merge(merged.getClusters(), config.getClusters(), NamedCluster::getName, "cluster", part));
        merged.setUsers(merge(merged.getUsers(), config.getUsers(), NamedAuthInfo::getName, "user", part));
    }

    private <T> List<T> merge(
            @Nullable List<T> first, @Nullable List<T> next, Function<T, String> name, String kind, Kubeconfig part) {
        List<T> all = new ArrayList<>(list(first));
        for (T each : list(next)) {
            String entry = kind + " '" + name.apply(each) + "'";
            if (origins.putIfAbsent(entry, part.source()) == null) {
                all.add(each); // a file that names it twice means the first, too
            }
        }
        return all;
    }

    /** Makes the paths in {@code config} absolute that are relative to the directory of {@code given}. */
    static void absolute(Kubeconfig given, Config config) {
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
                resolve(given, user.getTokenFile(), user::setTokenFile);
                program(given, user);
            }
        }
    }

    private static void resolve(Kubeconfig given, @Nullable String path, Consumer<String> to) {
        if (path != null && !path.isBlank()) {
            to.accept(given.resolve(path).toString());
        }
    }

    /** A bare name is looked for on the PATH. */
    private static void program(Kubeconfig given, AuthInfo user) {
        if (user.getExec() != null) {
            String command = user.getExec().getCommand();
            resolve(given, command != null && command.contains("/") ? command : null, user.getExec()::setCommand);
        }
    }

    private static Config parse(Kubeconfig part) throws Denied {
        try {
            Config config = KubernetesText.FORM.unmarshal(part.text().reveal(), Config.class);
            return config == null ? new Config() : config;
        } catch (StackOverflowError e) { // the library reads nested text by recursion
            throw denied(part.source(), "is nested too deeply to be a kubeconfig");
        } catch (RuntimeException e) { // the library's own kinds differ with what is wrong; its text may hold secrets
            throw denied(part.source(), "is no kubeconfig in YAML");
        }
    }

    private static Denied denied(String source, String what) {
        return new Denied("The kubeconfig of " + source + " " + what + ".", STORE);
    }

    private static <T> List<T> list(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }
}
