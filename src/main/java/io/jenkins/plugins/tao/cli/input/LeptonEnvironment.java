package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.http.HttpProxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The target {@code lepton} that the environment variables of TAO's SDK and of the official client describe: {@code
 * LEPTON_WORKSPACE_ID} with {@code LEPTON_AUTH_TOKEN} or {@code LEPTON_WORKSPACE_TOKEN}.
 */
record LeptonEnvironment(Surroundings here) {
    static final String NAME = "lepton";

    private static final String WORKSPACE = "LEPTON_WORKSPACE_ID";
    private static final List<String> TOKENS = List.of("LEPTON_AUTH_TOKEN", "LEPTON_WORKSPACE_TOKEN");

    /** Whether the environment names a workspace. */
    boolean isSet() {
        return is(WORKSPACE);
    }

    /**
     * The target.
     *
     * @throws UsageException if there is no token
     */
    Place place(BackendType lepton) throws UsageException {
        Optional<String> token = TOKENS.stream().filter(this::is).findFirst();
        if (!is(WORKSPACE) || token.isEmpty()) {
            throw new UsageException("MISSING: " + (is(WORKSPACE) ? TOKENS.get(0) : WORKSPACE)
                    + ". The target 'lepton' needs both " + WORKSPACE + " (the workspace's id) and " + TOKENS.get(0)
                    + " (an access token of it). Set them, or describe the target in a targets file.");
        }
        Value.Keyed section = new Value.Keyed(
                "environment variables LEPTON_*",
                Map.of(
                        "workspace",
                                entry(
                                        WORKSPACE,
                                        here.env().getOrDefault(WORKSPACE, "").strip()),
                        "token", entry(token.get(), "env:" + token.get())));
        Map<String, Object> given = Map.of("name", NAME, "proxy", HttpProxy.ofEnvironment(here.env()));
        return Place.of(new FileBinder(here).bind(section, lepton.targetType(), given));
    }

    private boolean is(String variable) {
        return !here.env().getOrDefault(variable, "").isBlank();
    }

    private static Value.Entry entry(String where, String text) {
        return new Value.Entry(where, new Value.Text(where, text, true));
    }
}
