package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a target reached by SSH need not say: as OpenSSH has it, from the user's configuration, files and variables. */
record LoginDefaults(Surroundings here) {
    static final String KNOWN_HOSTS = "knownHosts";

    private static final String AGENT = "agent";

    /** What {@code section} leaves out. */
    Map<String, Object> of(Value.Keyed section) throws UsageException {
        Map<String, Object> fields = new LinkedHashMap<>(new SshAliases(here).of(section));
        if (!section.entries().containsKey(KNOWN_HOSTS)) {
            fields.putIfAbsent(KNOWN_HOSTS, "~/.ssh/known_hosts");
        }
        String agent = here.env().getOrDefault("SSH_AUTH_SOCK", "");
        if (section.get(AGENT).isEmpty() && !agent.isBlank()) {
            fields.put(AGENT, agent);
        }
        return fields;
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
