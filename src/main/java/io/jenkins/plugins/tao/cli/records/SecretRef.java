package io.jenkins.plugins.tao.cli.records;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a secret's value is found, never the value itself: safe to save and to print.
 *
 * @param source {@code env} or {@code file}
 * @param name the variable's name or the file's path
 */
public record SecretRef(String source, String name) {
    private static final Pattern FORM = Pattern.compile("(env):([A-Za-z_][A-Za-z0-9_]*)|(file):(.+)");

    /**
     * Reads {@code env:VAR} or {@code file:path}; the message of a failure never holds {@code text}, for it may be the
     * secret itself.
     */
    public static SecretRef parse(String text) {
        Matcher match = FORM.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException("a secret is never written here itself;"
                    + " write env:NAME (an environment variable) or file:PATH (a file) to say where its value is");
        }
        return match.group(1) != null ? new SecretRef("env", match.group(2)) : new SecretRef("file", match.group(4));
    }

    /**
     * The value, read now.
     *
     * @param owner what needs it, for the message: {@code secret NGC_KEY}
     */
    public Secret resolve(String owner, Surroundings here) throws UsageException {
        if (source.equals("env")) {
            String value = here.env().get(name);
            if (value == null || value.isEmpty()) {
                throw new UsageException("The environment variable " + name + " is not set; " + owner
                        + " needs it. Set it, or point to another place with env:NAME or file:PATH.");
            }
            return Secret.of(value);
        }
        Path file = here.path(name);
        try {
            return Secret.of(Files.readString(file).replaceFirst("\\R\\z", ""));
        } catch (IOException e) {
            throw new UsageException("The file " + file + " cannot be read; " + owner + " needs it.", e);
        }
    }

    @Override
    public String toString() {
        return source + ":" + name;
    }
}
