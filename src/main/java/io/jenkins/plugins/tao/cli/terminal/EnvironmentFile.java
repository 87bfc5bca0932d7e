package io.jenkins.plugins.tao.cli.terminal;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The credential file of TAO's own client, {@code ~/.config/tao/.env}: lines such as {@code LEPTON_AUTH_TOKEN=abc}. */
public final class EnvironmentFile {
    private static final Pattern LINE = Pattern.compile("\\s*(?:export\\s+)?([A-Za-z_]\\w*)\\s*=(.*)");
    private static final Pattern QUOTED = Pattern.compile("'([^']*)'|\"([^\"]*)\"");

    private EnvironmentFile() {}

    /**
     * The variables {@code env} and those that only the file below {@code home} sets. A file that cannot be read sets none, and
     * {@code err} says so.
     */
    public static Map<String, String> added(Map<String, String> env, Path home, PrintStream err) {
        String config = env.getOrDefault("XDG_CONFIG_HOME", "");
        Path file = (config.isBlank() ? home.resolve(".config") : Path.of(config)).resolve("tao/.env");
        if (!Files.exists(file)) {
            return env;
        }
        Map<String, String> all = new LinkedHashMap<>();
        try {
            new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().forEach(line -> take(line, all));
        } catch (IOException e) {
            err.println("tao: " + file + " cannot be read, so its variables are not set: " + e + ".");
            return env;
        }
        all.putAll(env);
        return all;
    }

    private static void take(String line, Map<String, String> variables) {
        Matcher variable = LINE.matcher(line);
        if (variable.matches()) {
            String value = variable.group(2).strip();
            Matcher quoted = QUOTED.matcher(value);
            if (quoted.matches()) {
                value = quoted.group(1) == null ? quoted.group(2) : quoted.group(1);
            }
            variables.put(variable.group(1), value);
        }
    }
}
