package io.jenkins.plugins.tao.backend.simulated;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is played, with every default filled in and all times as they are played. This is what is kept of a job; nothing in it
 * is secret. Its JSON names stay.
 *
 * @param seed decides every chance
 * @param seedText the seed that it was made from, for users; empty in what an earlier version kept
 * @param network the first word of a TAO command, such as {@code dino}; {@code simulated} for any other command
 * @param action the second word, such as {@code train}
 * @param queueMillis how long it waits
 * @param epochs how many
 * @param epochMillis how long one takes
 * @param kpis what each metric comes to
 * @param noise the part by which they differ between runs
 * @param throughput the metric of that name; 0 for none
 * @param log lines to print
 * @param failure what goes wrong, a {@link PlannedFailure.Kind}; empty for nothing
 * @param failAt in which epoch
 * @param failAttempts of how many attempts
 * @param exitCode of {@code EXIT}
 * @param slowDown of {@code SLOW_DOWN}
 * @param nodes how many machines it asks for
 * @param machines how many there are
 * @param limitMillis its time limit; 0 for none
 * @param work stands for the command, the spec and the image; empty in what an earlier version kept
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record PlayRequest(
        long seed,
        String seedText,
        String network,
        String action,
        long queueMillis,
        int epochs,
        long epochMillis,
        Map<String, Double> kpis,
        double noise,
        double throughput,
        List<String> log,
        String failure,
        int failAt,
        int failAttempts,
        int exitCode,
        double slowDown,
        int nodes,
        int machines,
        long limitMillis,
        String work) {
    private static final Pattern TAO_COMMAND = Pattern.compile(
            "(?m)^\\s*([a-z][a-z0-9_-]*) (train|evaluate|inference|export|quantize|prune|distill)(?=\\s|$)");
    private static final Pattern ORIGIN = Pattern.compile("-[0-9a-f]{12}$");
    private static final Duration QUEUE = Duration.ofSeconds(2);
    private static final Duration EPOCH = Duration.ofSeconds(1);
    private static final int EPOCHS = 5;
    private static final int MOST_EPOCHS = 10_000;
    private static final double NOISE = 0.005;
    private static final double SLOW_DOWN = 2;
    private static final int SEED_DIGITS = 15;
    private static final int HEXADECIMAL = 16;
    private static final Map<String, Double> KPIS = Map.of("val_mAP", 0.6, "val_loss", 0.4);

    PlayRequest {
        work = Objects.requireNonNullElse(work, "");
        seedText = Objects.requireNonNullElse(seedText, "");
    }

    static PlayRequest of(SimulatedTarget target, JobSpec spec, JobKey key) {
        SimulatedOptions options = spec.options()
                .filter(SimulatedOptions.class::isInstance)
                .map(SimulatedOptions.class::cast)
                .orElseGet(SimulatedOptions::defaults);
        Matcher command = TAO_COMMAND.matcher(spec.command());
        boolean tao = command.find();
        int epochs = options.epochs().orElse(epochs(spec));
        PlannedFailure failure = options.failure();
        return new PlayRequest(
                seed(target, options, key),
                options.seed().isPresent()
                        ? options.seed().getAsLong() + ""
                        : target.seed().orElse(1) + " of the target, with the job's id",
                tao ? command.group(1) : "simulated",
                tao ? command.group(2) : "train",
                millis(options.queue().orElse(QUEUE), target),
                epochs,
                millis(options.epochTime().orElse(EPOCH), target),
                options.kpis().isEmpty() ? new TreeMap<>(KPIS) : options.kpis(),
                options.noise().orElse(NOISE),
                options.throughput().orElse(0),
                options.log(),
                failure.failure().map(PlannedFailure.Kind::name).orElse(""),
                Math.min(failure.failAt().orElse(epochs / 2), epochs - 1),
                failure.failAttempts().orElse(0),
                failure.exitCode().orElse(1),
                failure.slowDown().orElse(SLOW_DOWN),
                spec.resources().nodes(),
                target.machines(),
                spec.resources().wallTime().map(Duration::toMillis).orElse(0L),
                work(spec));
    }

    private static String work(JobSpec spec) {
        return Fingerprint.of(spec.command() + "\0" + spec.image().orElse("") + "\0" + spec.spec(), SEED_DIGITS);
    }

    /** Whether {@code other} asks for the same command, as far as that is known. */
    boolean isSameWork(PlayRequest other) {
        return work.isEmpty() || work.equals(other.work);
    }

    PlannedFailure planned() {
        if (failure.isEmpty()) {
            return PlannedFailure.none();
        }
        return new PlannedFailure(
                Optional.of(PlannedFailure.Kind.valueOf(failure)),
                OptionalInt.of(failAt),
                failAttempts == 0 ? OptionalInt.empty() : OptionalInt.of(failAttempts),
                OptionalInt.of(exitCode),
                OptionalDouble.of(slowDown));
    }

    /** A job's own seed and its name, so that the jobs of a night differ and the same night comes again. */
    private static long seed(SimulatedTarget target, SimulatedOptions options, JobKey key) {
        String origin = options.seed().isPresent()
                ? options.seed().getAsLong() + "\n"
                        + ORIGIN.matcher(key.value()).replaceFirst("")
                : target.seed().orElse(1) + "\n" + key.value();
        return Long.parseLong(Fingerprint.of(origin, SEED_DIGITS), HEXADECIMAL);
    }

    private static int epochs(JobSpec spec) {
        return spec.spec().get("train") instanceof Map<?, ?> train
                        && train.get("num_epochs") instanceof Number count
                        && count.intValue() >= 1
                ? Math.min(count.intValue(), MOST_EPOCHS)
                : EPOCHS;
    }

    private static long millis(Duration time, SimulatedTarget target) {
        return Math.round(time.toMillis() / target.playedSpeed());
    }

    /** {@code DINO} of {@code dino}, as TAO writes it in its messages. */
    String networkName() {
        return network.toUpperCase(Locale.ROOT);
    }
}
