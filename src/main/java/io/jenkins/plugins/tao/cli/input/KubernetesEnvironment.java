package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.http.HttpProxy;
import java.io.File;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The target {@code kubernetes} that kubectl's own configuration describes: {@code $KUBECONFIG}, a file
 * or a list of them that kubectl would merge, else
 * {@code ~/.kube/config}, else the pod this runs in; {@code TAO_K8S_CONTEXT} and {@code TAO_K8S_NAMESPACE} choose in it.
 */
record KubernetesEnvironment(Surroundings here) {
    static final String NAME = "kubernetes";

    private static final String CUSTOMARY = "~/.kube/config";
    private static final String WHERE = "environment variables KUBECONFIG, TAO_K8S_*";

    /** Whether something here says how to reach a cluster. */
    boolean isSet() {
        return kubeconfig().isPresent();
    }

    /** The target; without a kubeconfig its first use says where one was looked for. */
    Place place(BackendType kubernetes) throws UsageException {
        Map<String, Value> values = new LinkedHashMap<>();
        kubeconfig().ifPresent(path -> put(values, "kubeconfig", path));
        if (values.containsKey("kubeconfig")) {
            variable("TAO_K8S_CONTEXT").ifPresent(context -> put(values, "context", context));
        }
        variable("TAO_K8S_NAMESPACE").ifPresent(namespace -> put(values, "namespace", namespace));
        variable("TAO_K8S_SKIP_NODE_RUNTIME_CHECK")
                .filter("1"::equals)
                .ifPresent(skip -> put(values, "managedNodes", "true"));
        put(values, "trustKubeconfig", "true"); // it is the user's own, on the user's own machine
        Map<String, Value.Entry> entries = new LinkedHashMap<>();
        values.forEach((key, value) -> entries.put(key, new Value.Entry(WHERE, value)));
        Value.Keyed section = new Value.Keyed(WHERE, entries);
        Map<String, Object> given = Map.of("name", NAME, "proxy", HttpProxy.ofEnvironment(here.env()));
        return Place.of(new FileBinder(here).bind(section, kubernetes.targetType(), given));
    }

    private Optional<String> kubeconfig() {
        Optional<String> named = variable("KUBECONFIG");
        if (named.isPresent()) {
            List<String> files = Arrays.stream(named.get().split(Pattern.quote(File.pathSeparator), -1))
                    .filter(path -> !path.isBlank())
                    .map(path -> here.path(path).toString())
                    .toList();
            return files.isEmpty() ? Optional.empty() : Optional.of(String.join(File.pathSeparator, files));
        }
        return Files.isRegularFile(here.path(CUSTOMARY)) ? Optional.of(CUSTOMARY) : Optional.empty();
    }

    private static void put(Map<String, Value> values, String key, String text) {
        values.put(key, new Value.Text(WHERE, text, true));
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(here.env().get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }
}
