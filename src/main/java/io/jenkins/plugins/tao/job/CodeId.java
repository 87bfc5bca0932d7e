package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.regex.Pattern;

/**
 * The name of a job's code by its content: equal for equal files, modes and links.
 *
 * @param value 40 hexadecimal digits in small letters
 */
public record CodeId(String value) {
    /** How many digits it has. */
    public static final int DIGITS = 40;

    private static final Pattern FORM = Pattern.compile("[0-9a-f]{" + DIGITS + "}");

    public CodeId {
        require(FORM.matcher(value).matches(), "'%s' is no id of code: %d hexadecimal digits", value, DIGITS);
    }

    @Override
    public String toString() {
        return value;
    }
}
