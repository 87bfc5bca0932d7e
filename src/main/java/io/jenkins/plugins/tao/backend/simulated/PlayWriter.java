package io.jenkins.plugins.tao.backend.simulated;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.Outlook;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Writes one attempt in advance: when it starts, what each epoch tells and how long it takes, and how it ends. Pure. */
final class PlayWriter {
    private static final double SPREAD_OF_QUEUE = 0.2;
    private static final double SPREAD_OF_RUN = 0.01;
    private static final double SPREAD_OF_EPOCH = 0.01;
    private static final int KILLED = 137;

    private final PlayRequest request;
    private final PlayAttempt attempt;
    private final int firstEpoch;
    private final Chance chance;
    private final PlayedStatus words;
    private final Optional<PlannedFailure.Kind> failure;
    private final List<String> nodes;
    private final List<Play.Moment> moments = new ArrayList<>();
    private final List<Instant> epochsAt = new ArrayList<>();
    private Instant time;

    PlayWriter(PlayRequest request, PlayAttempt attempt, int firstEpoch) {
        this.request = request;
        this.attempt = attempt;
        this.firstEpoch = firstEpoch;
        chance = new Chance(request.seed());
        failure = request.planned().in(attempt.number());
        words = new PlayedStatus(request, chance);
        nodes = nodes();
        time = attempt.submittedAt();
    }

    Play write() {
        boolean tooMany = nodes.size() < request.nodes();
        if (tooMany || failure.equals(Optional.of(PlannedFailure.Kind.NEVER_STARTS))) {
            return tooMany
                    ? waiting(
                            "ReqNodeNotAvail: " + request.nodes() + " nodes of " + request.machines()
                                    + " are asked for and not avoided",
                            request.nodes() > request.machines() ? Outlook.NEVER : Outlook.NONE)
                    : waiting("Resources: every node is taken", Outlook.NONE);
        }
        Instant expected = time.plusMillis(request.queueMillis());
        pass(request.queueMillis() * chance.factor(SPREAD_OF_QUEUE, "queue", attempt.number()));
        Instant start = time;
        begin();
        Optional<Play.End> end = request.action().equals("train") ? train() : evaluate();
        return limited(play(
                "a simulated wait in the queue (option queue)", Outlook.startAt(expected), Optional.of(start), end));
    }

    private Play waiting(String reason, Outlook outlook) {
        return play(reason, outlook, Optional.empty(), Optional.empty());
    }

    private Play play(String reason, Outlook outlook, Optional<Instant> start, Optional<Play.End> end) {
        return new Play(attempt, reason, outlook, nodes, start, end, moments, epochsAt, firstEpoch);
    }

    private List<String> nodes() {
        List<String> free = new ArrayList<>();
        for (int i = 1; i <= request.machines(); i++) {
            String name = String.format(Locale.ROOT, "sim-%02d", i);
            if (!attempt.avoid().contains(name)) {
                free.add(name);
            }
        }
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < request.nodes() && !free.isEmpty(); i++) {
            taken.add(free.remove(chance.below(free.size(), "node " + i, attempt.number())));
        }
        return taken;
    }

    private void begin() {
        out("simulated: " + request.network() + " " + request.action() + " on " + String.join(",", nodes) + ", attempt "
                + attempt.number() + ", seed " + request.seedText());
        request.log().forEach(this::out);
        status(words.starting(time));
    }

    private Optional<Play.End> train() {
        if (firstEpoch > 0) {
            status(words.resuming(time, firstEpoch - 1));
        }
        status(words.loop(time));
        int fatal = failure.filter(PlannedFailure.Kind::endsEarly).isPresent()
                ? Math.max(request.failAt(), firstEpoch)
                : Integer.MAX_VALUE;
        for (int epoch = firstEpoch; epoch < request.epochs(); epoch++) {
            double millis = epochMillis(epoch);
            if (epoch == fatal) {
                pass(millis / 2);
                return fail();
            }
            pass(millis);
            epoch(epoch, millis);
        }
        words.finished(time).forEach(this::status);
        return Optional.of(succeed());
    }

    private double epochMillis(int epoch) {
        return request.epochMillis()
                * slowness(epoch)
                * chance.factor(SPREAD_OF_RUN, "run", 0)
                * chance.factor(SPREAD_OF_EPOCH, "epoch", epoch);
    }

    private double slowness(int epoch) {
        return is(PlannedFailure.Kind.SLOW_DOWN) && epoch >= request.failAt() ? request.slowDown() : 1;
    }

    private void epoch(int epoch, double millis) {
        boolean spoiled = is(PlannedFailure.Kind.NAN) && epoch >= request.failAt();
        double usual = request.epochMillis() > 0 ? request.epochMillis() : 1;
        double speed = millis > 0 ? request.throughput() * usual / millis : request.throughput();
        Map<String, Double> kpis = words.kpis(epoch, spoiled);
        double loss = words.loss(epoch, spoiled);
        words.epoch(time, epoch, millis, kpis, loss, speed).forEach(this::status);
        out(String.format(Locale.ROOT, "Epoch %d/%d: train_loss %.4f", epoch + 1, request.epochs(), loss)
                + (speed > 0 ? String.format(Locale.ROOT, ", throughput %.1f", speed) : ""));
        epochsAt.add(time);
    }

    /** Everything but a training: one stretch of work, at whose end the metrics stand. */
    private Optional<Play.End> evaluate() {
        boolean fails = failure.filter(PlannedFailure.Kind::endsEarly).isPresent();
        pass(epochMillis(0) / (fails ? 2 : 1));
        if (fails) {
            return fail();
        }
        words.evaluated(time, is(PlannedFailure.Kind.NAN)).forEach(this::status);
        return Optional.of(succeed());
    }

    private Play.End succeed() {
        out("Execution status: PASS");
        return new Play.End(time, Ending.COMPLETED, "COMPLETED", OptionalInt.of(0), "");
    }

    private Optional<Play.End> fail() {
        return switch (failure.orElse(PlannedFailure.Kind.EXIT)) {
            case GPU_MEMORY -> {
                out("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total"
                        + " capacity of 79.10 GiB of which 1.21 GiB is free.");
                yield program(1);
            }
            case OUT_OF_MEMORY -> ended(Ending.OUT_OF_MEMORY, "OUT_OF_MEMORY", OptionalInt.of(KILLED), "");
            case NODE_LOST ->
                ended(
                        Ending.NODE_FAILURE,
                        "NODE_FAIL",
                        OptionalInt.empty(),
                        "node " + nodes.get(0) + " does not respond");
            case PREEMPTED ->
                ended(Ending.PREEMPTED, "PREEMPTED", OptionalInt.empty(), "a job of higher priority took the nodes");
            case TIME_LIMIT -> ended(Ending.TIME_LIMIT, "TIMEOUT", OptionalInt.empty(), "");
            case STALL -> Optional.empty();
            default -> program(request.exitCode());
        };
    }

    private Optional<Play.End> program(int exitCode) {
        out("Execution status: FAIL");
        return ended(Ending.FAILED, "FAILED", OptionalInt.of(exitCode), "");
    }

    private Optional<Play.End> ended(Ending ending, String word, OptionalInt exitCode, String reason) {
        return Optional.of(new Play.End(time, ending, word, exitCode, reason));
    }

    /** Ends it at its time limit, if it has one that comes first. */
    private Play limited(Play whole) {
        Instant limit = whole.startsAt().orElse(time).plusMillis(request.limitMillis());
        boolean inTime = whole.end().map(end -> end.at().isBefore(limit)).orElse(false);
        if (request.limitMillis() == 0 || inTime) {
            return whole;
        }
        moments.removeIf(moment -> moment.at().isAfter(limit));
        epochsAt.removeIf(at -> at.isAfter(limit));
        return play(
                whole.waitsFor(),
                whole.outlook(),
                whole.startsAt(),
                Optional.of(new Play.End(limit, Ending.TIME_LIMIT, "TIMEOUT", OptionalInt.empty(), "")));
    }

    private boolean is(PlannedFailure.Kind kind) {
        return failure.equals(Optional.of(kind));
    }

    private void pass(double millis) {
        time = time.plusMillis(Math.round(millis));
    }

    private void out(String line) {
        moments.add(new Play.Moment(time, Stream.OUT, line));
    }

    private void status(String line) {
        moments.add(new Play.Moment(time, Stream.STATUS, line));
    }
}
