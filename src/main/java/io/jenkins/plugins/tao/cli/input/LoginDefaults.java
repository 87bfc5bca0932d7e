package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a target reached by SSH need not say: as OpenSSH has it, from the user's configuration, files and variables. */
final class LoginDefaults {
    static final String KNOWN_HOSTS = "knownHosts";

    private static final String AGENT = "agent";

    private final Surroundings here;

    LoginDefaults(Surroundings here) {
        this.here = here;
    }

    /** Adds what {@code section} leaves out to {@code fields}. */
    void add(Value.Keyed section, Map<String, @Nullable Object> fields) throws UsageException {
        fields.putAll(new SshAliases(here).of(section));
        if (section.get(KNOWN_HOSTS).isEmpty()) {
            fields.putIfAbsent(KNOWN_HOSTS, "~/.ssh/known_hosts");
        }
        String agent = here.env().getOrDefault("SSH_AUTH_SOCK", "");
        if (section.get(AGENT).isEmpty() && !agent.isBlank()) {
            fields.put(AGENT, agent);
        }
    }

    /** The words of one text or of a list of texts, as they are written; none where there is something else. */
    static List<String> words(Value value) {
        List<Value> values = value instanceof Value.Items items ? items.values() : List.of(value);
        return values.stream()
                .filter(Value.Text.class::isInstance)
                .map(each -> ((Value.Text) each).text())
                .toList();
    }
}
