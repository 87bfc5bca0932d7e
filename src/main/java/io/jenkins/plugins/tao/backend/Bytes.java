package io.jenkins.plugins.tao.backend;

import java.util.Locale;

/** Sizes for people. */
public final class Bytes {
    private static final long KIB = 1024;
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

    private Bytes() {}

    /** As in {@code 512 bytes}, {@code 1.5 GiB} or {@code 4 GiB}. */
    public static String words(long bytes) {
        double size = (double) bytes;
        int unit = 0;
        while (size >= KIB && unit < UNITS.length - 1) {
            size /= KIB;
            unit++;
        }
        String number = String.format(Locale.ROOT, "%.1f", size);
        return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number) + " " + UNITS[unit];
    }
}
