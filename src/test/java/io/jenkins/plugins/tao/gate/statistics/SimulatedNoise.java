package io.jenkins.plugins.tao.gate.statistics;

import java.util.random.RandomGenerator;

/** How the values of simulated runs are spread. Those without bounds have mean 0 and standard deviation 1. */
enum SimulatedNoise {
    NORMAL("normal"),
    OUTLIERS("normal, 5 % outliers of 3 to 8 SD"),
    HEAVY("Student's t with 3 degrees"),
    HEAVY_OUTLIERS("t3 and outliers"),
    SKEWED("skewed, exponential with the long tail below"),
    AR_3("AR(1) 0.3"),
    AR_6("AR(1) 0.6"),
    WEEKLY("every seventh run 4 SD lower"),
    BETA_97("share near 1: beta, mean 0.97, SD 0.01"),
    BETA_99("share near 1: beta, mean 0.99, SD 0.005"),
    IMAGES_500("share near 1: accuracy 0.97 of 500 images"),
    IMAGES_50("accuracy 0.90 of 50 images");

    private static final double OUTLIER_SHARE = 0.05;
    private static final int WEEK = 7;
    private static final double BAD_DAY = 4;

    final String words;

    SimulatedNoise(String words) {
        this.words = words;
    }

    MetricRange range() {
        return name().startsWith("BETA") || name().startsWith("IMAGES") ? MetricRange.SHARE : MetricRange.OPEN;
    }

    /** One value; {@code last} is the value of the run before, {@code run} the run's number. */
    double value(RandomGenerator random, double last, int run) {
        return switch (this) {
            case NORMAL -> random.nextGaussian();
            case OUTLIERS -> random.nextGaussian() + outlier(random);
            case HEAVY -> heavy(random);
            case HEAVY_OUTLIERS -> heavy(random) + outlier(random);
            case SKEWED -> 1 + Math.log(1 - random.nextDouble());
            case AR_3 -> autoregressive(random, last, 0.3);
            case AR_6 -> autoregressive(random, last, 0.6);
            case WEEKLY -> random.nextGaussian() - (run % WEEK == 0 ? BAD_DAY : 0);
            case BETA_97 -> beta(random, 0.97, 0.01);
            case BETA_99 -> beta(random, 0.99, 0.005);
            case IMAGES_500 -> images(random, 500, 0.97);
            case IMAGES_50 -> images(random, 50, 0.9);
        };
    }

    private static double autoregressive(RandomGenerator random, double last, double part) {
        return part * last + Math.sqrt(1 - part * part) * random.nextGaussian();
    }

    /** Student's t with 3 degrees of freedom, scaled to variance 1. */
    private static double heavy(RandomGenerator random) {
        double squares = 0;
        for (int i = 0; i < 3; i++) {
            double part = random.nextGaussian();
            squares += part * part;
        }
        return random.nextGaussian() / Math.sqrt(squares);
    }

    private static double outlier(RandomGenerator random) {
        return random.nextDouble() < OUTLIER_SHARE ? (random.nextBoolean() ? 1 : -1) * random.nextDouble(3, 8) : 0;
    }

    private static double images(RandomGenerator random, int count, double share) {
        int wrong = 0; // by the waiting times between wrong ones
        int at = next(random, share);
        while (at < count) {
            wrong++;
            at += 1 + next(random, share);
        }
        return (count - wrong) / (double) count;
    }

    private static int next(RandomGenerator random, double share) {
        return (int) Math.min(1e6, Math.log(1 - random.nextDouble()) / Math.log(share));
    }

    private static double beta(RandomGenerator random, double mean, double deviation) {
        double sum = mean * (1 - mean) / (deviation * deviation) - 1;
        double good = gamma(random, mean * sum);
        return good / (good + gamma(random, (1 - mean) * sum));
    }

    /** Marsaglia and Tsang 2000, for shapes of at least 1. */
    private static double gamma(RandomGenerator random, double shape) {
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = random.nextGaussian();
            double v = Math.pow(1 + c * x, 3);
            if (v > 0 && Math.log(random.nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
                return d * v;
            }
        }
    }
}
