package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.job.Durations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The target {@code slurm} that the environment variables of TAO's own tools describe. */
public record EnvironmentTarget(Surroundings here) {
    static final String NAME = "slurm";

    private static final String PARTITIONS = "polar,polar3,polar4,grizzly";
    private static final String BASE = "/lustre/fsw/portfolios/edgeai/users/";

    /** Whether the environment says where to log in. */
    boolean isSet() {
        return !variable("SLURM_HOSTNAME").isEmpty();
    }

    /**
     * The target.
     *
     * @throws UsageException naming what is missing
     */
    public Place place(BackendType slurm) throws UsageException {
        demandLogin();
        FileBinder binder = new FileBinder(here);
        Map<String, Value> options = new LinkedHashMap<>();
        hours(options, "timeout", "SLURM_TIMEOUT_HOURS");
        return new Place(binder.bind(target(), slurm.targetType(), Map.of("name", NAME)), section(options));
    }

    private void demandLogin() throws UsageException {
        if (variable("SLURM_USER").isEmpty() || words("SLURM_HOSTNAME", "").isEmpty()) {
            throw new UsageException("MISSING: "
                    + (variable("SLURM_USER").isEmpty() ? "SLURM_USER" : "SLURM_HOSTNAME")
                    + ". The target 'slurm' needs both SLURM_USER (the SSH user) and SLURM_HOSTNAME (the login hosts, a"
                    + " comma list such as login1.example.com,login2.example.com: the first is tried first). Set them,"
                    + " or describe the target in a targets file.");
        }
        if (variable("SSH_KEY_PATH").isEmpty() && variable("SSH_AUTH_SOCK").isEmpty()) {
            throw new UsageException("MISSING: SSH_KEY_PATH. Slurm is reached by SSH without a password: set"
                    + " SSH_KEY_PATH=/path/to/private_key, a key that each login host accepts for "
                    + variable("SLURM_USER") + ". An SSH agent at SSH_AUTH_SOCK is used where there is no key.");
        }
    }

    private Value.Keyed target() throws UsageException {
        Map<String, Value> values = new LinkedHashMap<>();
        values.put("hosts", list("SLURM_HOSTNAME", ""));
        values.put("user", text("SLURM_USER", ""));
        optional(values, "key", "SSH_KEY_PATH");
        values.put("baseDirectory", text("SLURM_BASE_RESULTS_DIR", BASE + variable("SLURM_USER")));
        values.put("partitions", list("SLURM_PARTITION", PARTITIONS));
        hours(values, "time", "SLURM_TIME_HOURS");
        optional(values, "account", "SLURM_ACCOUNT");
        optional(values, "requeue", "SLURM_USE_REQUEUE");
        if (!variable("SLURM_CONTAINER_MOUNTS").isEmpty()) {
            values.put("containerMounts", list("SLURM_CONTAINER_MOUNTS", ""));
        }
        return section(values);
    }

    private void optional(Map<String, Value> values, String key, String variable) {
        if (!variable(variable).isEmpty()) {
            values.put(key, text(variable, ""));
        }
    }

    private static Value.Keyed section(Map<String, Value> values) {
        Map<String, Value.Entry> entries = new LinkedHashMap<>();
        values.forEach((key, value) -> entries.put(key, new Value.Entry(value.where(), value)));
        return new Value.Keyed("environment variables SLURM_*", entries);
    }

    private Value text(String variable, String otherwise) {
        String set = variable(variable);
        return new Value.Text(variable, set.isEmpty() ? otherwise : set, true);
    }

    private Value list(String variable, String otherwise) {
        List<Value> items = new ArrayList<>();
        words(variable, otherwise).forEach(word -> items.add(new Value.Text(variable, word, true)));
        return new Value.Items(variable, items);
    }

    /** What is not set is the backend's to choose: four hours, 3.8 of them for the command. */
    private void hours(Map<String, Value> values, String key, String variable) throws UsageException {
        String text = variable(variable);
        if (text.isEmpty()) {
            return;
        }
        if (!text.matches("\\d{1,5}(\\.\\d{1,4})?")) {
            throw new UsageException(variable + ": '" + text + "' is not a number of hours such as 4 or 3.8.");
        }
        values.put(
                key,
                new Value.Text(
                        variable, Durations.ofHours(Double.parseDouble(text)).toSeconds() + "s", true));
    }

    /** The words of a comma list, trimmed, empty ones left out. */
    private List<String> words(String variable, String otherwise) {
        String set = variable(variable);
        return Arrays.stream((set.isEmpty() ? otherwise : set).split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private String variable(String name) {
        return here.env().getOrDefault(name, "").strip();
    }
}
