package io.jenkins.plugins.tao.backend.slurm.reply;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes of memory as Slurm prints them: {@code 3808K}, {@code 1.5G}; bytes without a letter. */
public final class MemorySize {
    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)([KMGT]?)");

    private MemorySize() {}

    /** Begun mebibytes counted whole; empty for a text that is no size. */
    public static OptionalLong mebibytes(String size) {
        Matcher match = SIZE.matcher(size);
        if (!match.matches()) {
            return OptionalLong.empty();
        }
        double factor =
                switch (match.group(2)) {
                    case "K" -> 1.0 / 1024;
                    case "M" -> 1;
                    case "G" -> 1024;
                    case "T" -> 1024 * 1024;
                    default -> 1.0 / 1024 / 1024;
                };
        return OptionalLong.of((long) Math.ceil(Double.parseDouble(match.group(1)) * factor));
    }
}
