package io.jenkins.plugins.tao.file;

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

    @Override
    public String toString() {
        return source + ":" + name;
    }
}
