package io.jenkins.plugins.tao.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Stop-watch and numbers for people. */
final class Measure {
    private static final double NANOS_PER_MS = 1e6;

    private Measure() {}

    static double millis(Callable<?> work) throws Exception {
        long begin = System.nanoTime();
        work.call();
        return (System.nanoTime() - begin) / NANOS_PER_MS;
    }

    static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    static String ms(double millis) {
        return String.format(Locale.ROOT, millis < 100 ? "%.1f ms" : "%.0f ms", millis);
    }

    static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    static String bytes(long count) {
        return String.format(Locale.ROOT, "%,d bytes", count);
    }
}
