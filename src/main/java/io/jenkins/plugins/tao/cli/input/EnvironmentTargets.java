package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.job.Durations;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Targets that environment variables describe: {@code slurm} those of TAO's own tools; {@code kubernetes} kubectl's {@code KUBECONFIG}
 * with {@code TAO_K8S_*}, else {@code ~/.kube/config}, else the pod this runs in; {@code lepton} those of TAO's SDK and of the official
 * client.
 */
public record EnvironmentTargets(Surroundings here) {
    static final String SLURM = "slurm";
    static final String KUBERNETES = "kubernetes";
    static final String LEPTON = "lepton";

    private static final String PARTITIONS = "polar,polar3,polar4,grizzly";
    private static final String BASE = "/lustre/fsw/portfolios/edgeai/users/";
    private static final String KUBECONFIG = "~/.kube/config";
    private static final String WORKSPACE = "LEPTON_WORKSPACE_ID";
    private static final List<String> TOKENS = List.of("LEPTON_AUTH_TOKEN", "LEPTON_WORKSPACE_TOKEN");

    /** Whether {@code name} is one of them, described or not. */
    static boolean isOne(String name) {
        return name.equals(SLURM) || name.equals(KUBERNETES) || name.equals(LEPTON);
    }

    /** Those that the environment describes. */
    List<String> names() {
        return Stream.of(SLURM, KUBERNETES, LEPTON).filter(this::isSet).toList();
    }

    private boolean isSet(String name) {
        return switch (name) {
            case SLURM -> is("SLURM_HOSTNAME");
            case KUBERNETES -> kubeconfig().isPresent();
            default -> is(WORKSPACE);
        };
    }

    /**
     * The target called {@code name}. A Kubernetes target without a kubeconfig says at its first use where one was looked for.
     *
     * @throws UsageException naming what is missing
     */
    public Place place(String name, BackendType type) throws UsageException {
        return switch (name) {
            case SLURM -> slurm(type);
            case KUBERNETES -> kubernetes(type);
            default -> lepton(type);
        };
    }

    private Place slurm(BackendType type) throws UsageException {
        demandLogin();
        Section target = new Section("environment variables SLURM_*");
        target.put("hosts", words("SLURM_HOSTNAME", variable("SLURM_HOSTNAME")));
        target.put("user", "SLURM_USER", variable("SLURM_USER"));
        optional(target, "key", "SSH_KEY_PATH");
        target.put(
                "baseDirectory",
                "SLURM_BASE_RESULTS_DIR",
                usual("SLURM_BASE_RESULTS_DIR", BASE + variable("SLURM_USER")));
        target.put("partitions", words("SLURM_PARTITION", usual("SLURM_PARTITION", PARTITIONS)));
        hours(target, "time", "SLURM_TIME_HOURS");
        optional(target, "account", "SLURM_ACCOUNT");
        optional(target, "requeue", "SLURM_USE_REQUEUE");
        if (is("SLURM_CONTAINER_MOUNTS")) {
            target.put("containerMounts", words("SLURM_CONTAINER_MOUNTS", variable("SLURM_CONTAINER_MOUNTS")));
        }
        Section options = new Section("environment variables SLURM_*");
        hours(options, "timeout", "SLURM_TIMEOUT_HOURS");
        return new Place(
                new FileBinder(here).bind(target.keyed(), type.targetType(), Map.of("name", SLURM)), options.keyed());
    }

    private void demandLogin() throws UsageException {
        if (!is("SLURM_USER")
                || words("SLURM_HOSTNAME", variable("SLURM_HOSTNAME")).values().isEmpty()) {
            throw new UsageException("MISSING: "
                    + (is("SLURM_USER") ? "SLURM_HOSTNAME" : "SLURM_USER")
                    + ". The target 'slurm' needs both SLURM_USER (the SSH user) and SLURM_HOSTNAME (the login hosts, a"
                    + " comma list such as login1.example.com,login2.example.com: the first is tried first). Set them,"
                    + " or describe the target in a targets file.");
        }
        if (!is("SSH_KEY_PATH") && !is("SSH_AUTH_SOCK")) {
            throw new UsageException("MISSING: SSH_KEY_PATH. Slurm is reached by SSH without a password: set"
                    + " SSH_KEY_PATH=/path/to/private_key, a key that each login host accepts for "
                    + variable("SLURM_USER") + ". An SSH agent at SSH_AUTH_SOCK is used where there is no key.");
        }
    }

    /** What is not set is the backend's to choose: four hours, 3.8 of them for the command. */
    private void hours(Section section, String key, String variable) throws UsageException {
        String text = variable(variable);
        if (text.isEmpty()) {
            return;
        }
        if (!text.matches("\\d{1,5}(\\.\\d{1,4})?")) {
            throw new UsageException(variable + ": '" + text + "' is not a number of hours such as 4 or 3.8.");
        }
        section.put(key, variable, Durations.ofHours(Double.parseDouble(text)).toSeconds() + "s");
    }

    private Place kubernetes(BackendType type) throws UsageException {
        Section section = new Section("environment variables KUBECONFIG, TAO_K8S_*");
        kubeconfig().ifPresent(path -> section.put("kubeconfig", path));
        if (kubeconfig().isPresent() && is("TAO_K8S_CONTEXT")) {
            section.put("context", variable("TAO_K8S_CONTEXT"));
        }
        if (is("TAO_K8S_NAMESPACE")) {
            section.put("namespace", variable("TAO_K8S_NAMESPACE"));
        }
        if (variable("TAO_K8S_SKIP_NODE_RUNTIME_CHECK").equals("1")) {
            section.put("managedNodes", "true");
        }
        section.put("trustKubeconfig", "true"); // it is the user's own, on the user's own machine
        return bound(section, type, KUBERNETES);
    }

    private Optional<String> kubeconfig() {
        if (is("KUBECONFIG")) {
            List<String> files = Arrays.stream(variable("KUBECONFIG").split(Pattern.quote(File.pathSeparator), -1))
                    .filter(path -> !path.isBlank())
                    .map(path -> here.path(path).toString())
                    .toList();
            return files.isEmpty() ? Optional.empty() : Optional.of(String.join(File.pathSeparator, files));
        }
        return Files.isRegularFile(here.path(KUBECONFIG)) ? Optional.of(KUBECONFIG) : Optional.empty();
    }

    private Place lepton(BackendType type) throws UsageException {
        Optional<String> token = TOKENS.stream().filter(this::is).findFirst();
        if (!is(WORKSPACE) || token.isEmpty()) {
            throw new UsageException("MISSING: " + (is(WORKSPACE) ? TOKENS.get(0) : WORKSPACE)
                    + ". The target 'lepton' needs both " + WORKSPACE + " (the workspace's id) and " + TOKENS.get(0)
                    + " (an access token of it). Set them, or describe the target in a targets file.");
        }
        Section section = new Section("environment variables LEPTON_*");
        section.put("workspace", WORKSPACE, variable(WORKSPACE));
        section.put("token", token.get(), "env:" + token.get());
        return bound(section, type, LEPTON);
    }

    private Place bound(Section section, BackendType type, String name) throws UsageException {
        Map<String, Object> given = Map.of("name", name, "proxy", HttpProxy.ofEnvironment(here.env()));
        return Place.of(new FileBinder(here).bind(section.keyed(), type.targetType(), given));
    }

    /** The section of a targets file that would say the same; each value is named by its variable in messages. */
    private static final class Section {
        private final String where;
        private final Map<String, Value.Entry> entries = new LinkedHashMap<>();

        Section(String where) {
            this.where = where;
        }

        void put(String key, String text) {
            put(key, where, text);
        }

        void put(String key, String variable, String text) {
            put(key, new Value.Text(variable, text, true));
        }

        void put(String key, Value value) {
            entries.put(key, new Value.Entry(value.where(), value));
        }

        Value.Keyed keyed() {
            return new Value.Keyed(where, entries);
        }
    }

    private void optional(Section section, String key, String variable) {
        if (is(variable)) {
            section.put(key, variable, variable(variable));
        }
    }

    /** The words of a comma list, trimmed, empty ones left out. */
    private static Value.Items words(String variable, String text) {
        List<Value> items = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            if (!word.isBlank()) {
                items.add(new Value.Text(variable, word.strip(), true));
            }
        }
        return new Value.Items(variable, items);
    }

    private String usual(String variable, String otherwise) {
        return is(variable) ? variable(variable) : otherwise;
    }

    private boolean is(String variable) {
        return !variable(variable).isEmpty();
    }

    private String variable(String name) {
        return here.env().getOrDefault(name, "").strip();
    }
}
