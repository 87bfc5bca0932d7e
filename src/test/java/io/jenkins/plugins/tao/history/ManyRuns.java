package io.jenkins.plugins.tao.history;

import io.jenkins.plugins.tao.record.ARun;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A history as five years of nightly runs leave it: each metric with a curve of forty values. */
public final class ManyRuns {
    private static final int VALUES = 40;

    private ManyRuns() {}

    /** Writes one of {@code runs} runs by {@code metrics} metrics, called {@code metric_0} and so on, into {@code folder}. */
    public static void write(Path folder, int runs, int metrics) throws IOException {
        Random random = new Random(7);
        Files.createDirectories(folder);
        try (BufferedWriter out = Files.newBufferedWriter(folder.resolve(RunHistory.FILE))) {
            for (int run = 1; run <= runs; run++) {
                ARun made = ARun.of(run);
                for (int metric = 0; metric < metrics; metric++) {
                    made.metric(
                            "metric_" + metric,
                            random.doubles(VALUES, 0.4, 0.44)
                                    .map(value -> Math.rint(value * 100_000) / 100_000)
                                    .toArray());
                }
                out.write(made.record().line());
                out.newLine();
            }
        }
    }

    /** Writes one by hand: the folder, and how many runs and metrics. */
    public static void main(String[] args) throws IOException {
        write(Path.of(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    }
}
