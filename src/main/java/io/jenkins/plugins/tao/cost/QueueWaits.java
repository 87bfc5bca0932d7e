package io.jenkins.plugins.tao.cost;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How long earlier jobs like one waited: jobs of the same target with as many GPUs; where it is not known how many a job asks for, all of
 * the target. Pure, so that the same records give the same answer after a restart.
 *
 * @param like what the jobs have in common, for a person
 * @param seconds the waits that are known
 */
public record QueueWaits(String like, List<Double> seconds) {
    /** With fewer waits nothing is expected. */
    public static final int LEAST = 5;

    private static final int HALF = 50;
    private static final int MOST = 90;
    private static final double NOTABLE_SECONDS = 60;

    public QueueWaits {
        seconds = List.copyOf(seconds);
    }

    /** The waits of those of {@code runs} that are like {@code run} and were submitted before it. */
    public static QueueWaits before(RunRecord run, List<RunRecord> runs) {
        Optional<String> target = run.text("target");
        OptionalDouble gpus = gpus(run);
        Instant submitted = run.submittedAt();
        List<Double> waits = runs.stream()
                .filter(other -> Usage.hasEnded(other) && !other.id().equals(run.id()))
                .filter(other -> other.text("target").equals(target))
                .filter(other -> gpus.isEmpty() || gpus(other).equals(gpus))
                .filter(other -> other.submittedAt().isBefore(submitted))
                .flatMap(other -> other.number("times/queueSeconds").stream().boxed())
                .toList();
        String many = gpus.isEmpty()
                ? ""
                : gpus.getAsDouble() == 1 ? " with 1 GPU" : " with " + (long) gpus.getAsDouble() + " GPUs";
        return new QueueWaits("jobs" + many + " on " + target.orElse("this target"), waits);
    }

    private static OptionalDouble gpus(RunRecord run) {
        String group = run.number("machines/gpus").isPresent() ? "machines" : "asked";
        OptionalDouble each = run.number(group + "/gpus");
        return each.isEmpty()
                ? each
                : OptionalDouble.of(
                        each.getAsDouble() * run.number(group + "/nodeCount").orElse(1));
    }

    /** The seconds within which half of them began; empty where too few waits are known. */
    public OptionalDouble half() {
        return seconds.size() < LEAST ? OptionalDouble.empty() : OptionalDouble.of(at(HALF));
    }

    /** What a job like these may expect, a sentence; empty where too few waits are known, or nine of ten are below a minute. */
    public Optional<String> expectation() {
        return seconds.size() < LEAST || at(MOST) < NOTABLE_SECONDS
                ? Optional.empty()
                : Optional.of("of " + seconds.size() + " earlier " + like + ", half began within " + words(HALF)
                        + " and nine of ten within " + words(MOST));
    }

    /**
     * How the wait of {@code run} was, against what was to be expected, a sentence; empty where its wait or too many of the others' are not
     * known, or all of this is below a minute.
     */
    public Optional<String> judgement(RunRecord run) {
        OptionalDouble own = run.number("times/queueSeconds");
        if (own.isEmpty() || seconds.size() < LEAST) {
            return Optional.empty();
        }
        double most = at(MOST);
        if (Math.max(most, own.getAsDouble()) < NOTABLE_SECONDS) {
            return Optional.empty();
        }
        String verdict = own.getAsDouble() <= at(HALF)
                ? "no longer than half of " + seconds.size() + " earlier " + like
                : own.getAsDouble() <= most
                        ? "as expected of " + like
                        : own.getAsDouble() - most < NOTABLE_SECONDS
                                ? "a little longer than nine of ten " + like
                                : "longer than nine of ten " + like + ", which began within " + words(MOST);
        return Optional.of("it waited " + words(own.getAsDouble()) + ": " + verdict);
    }

    private double at(int percent) {
        return Quantiles.of(seconds, percent).orElse(0);
    }

    private String words(int percent) {
        return words(at(percent));
    }

    private static String words(double time) {
        return Durations.words(Duration.ofSeconds((long) time));
    }
}
