package io.jenkins.plugins.tao.job;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/** Checks of constructor arguments; each failure names the value that was wrong. */
public final class Require {
    private static final Pattern ENV_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private Require() {}

    /**
     * Fails when {@code holds} is false.
     *
     * @param message a format for {@link String#format}, with {@code args}
     * @throws IllegalArgumentException with that message
     */
    public static void require(boolean holds, String message, Object... args) {
        if (!holds) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, message, spoken(args)));
        }
    }

    /** A length of time is written as people write it. */
    private static Object[] spoken(Object... args) {
        return Arrays.stream(args)
                .map(arg -> arg instanceof Duration time ? Durations.words(time) : arg)
                .toArray();
    }

    static void requireEnvName(String name) {
        require(ENV_NAME.matcher(name).matches(), "'%s' is not a name of an environment variable", name);
    }
}
