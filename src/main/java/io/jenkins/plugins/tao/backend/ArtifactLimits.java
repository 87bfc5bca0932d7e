package io.jenkins.plugins.tao.backend;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of a job is brought home at most.
 *
 * @param maxBytesPerFile larger files are left where they are, and told
 * @param maxBytes all files together
 */
public record ArtifactLimits(long maxBytesPerFile, long maxBytes) {
    private static final long GIB = 1L << 30;

    /** 1 GiB a file and 4 GiB in all. */
    public static final ArtifactLimits USUAL = new ArtifactLimits(GIB, 4 * GIB);

    private static final ArtifactLimits NONE = new ArtifactLimits(Long.MAX_VALUE, Long.MAX_VALUE);
    private static final int FILES = 4;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})\\s*([KMGT])(?:i?B)?");
    private static final String UNITS = "KMGT";

    public ArtifactLimits {
        require(maxBytesPerFile > 0 && maxBytes > 0, "limits of an archive must be positive");
    }

    /**
     * Reads {@code 8G}, at most so much a file and four times that in all; {@code 8G, 100G} for both; or {@code none}. Units are K,
     * M, G and T, each 1024 times the one before. An empty text is {@link #USUAL}.
     *
     * @throws IllegalArgumentException if the text is none of these
     */
    public static ArtifactLimits parse(String text) {
        String words = text.strip();
        if (words.isEmpty()) {
            return USUAL;
        }
        if (words.equals("none")) {
            return NONE;
        }
        String[] sizes = words.split("\\s*,\\s*", -1);
        require(
                sizes.length <= 2,
                "'%s' holds more than two sizes: one for a file and one for all files together",
                text);
        long file = size(sizes[0]);
        long all = sizes.length == 2 ? size(sizes[1]) : Math.multiplyExact(file, FILES);
        require(all >= file, "'%s' allows a file more than all files together", text);
        return new ArtifactLimits(file, all);
    }

    private static long size(String text) {
        Matcher size = SIZE.matcher(text);
        require(size.matches(), "'%s' is not a size such as 500M, 8G or 1T", text);
        return Math.multiplyExact(Long.parseLong(size.group(1)), 1L << (10 * (UNITS.indexOf(size.group(2)) + 1)));
    }
}
