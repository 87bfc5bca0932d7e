package io.jenkins.plugins.tao.gate.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The rule for a metric without a given bound: a night is compared with the last 20 good nights, a suspect one
 * is confirmed by another run or by the next night, and small drops that last are summed up. Its rates are in
 * docs/benchmarks.md. It walks through all nights from the first: the same nights give the same calls.
 */
public final class UsualRule {
    private static final int WINDOW = 20;

    private final Direction direction;
    private final Level.Declared declared;
    private final List<double[]> good = new ArrayList<>();
    private final SlowDrop slow = new SlowDrop();
    private Optional<double[]> open = Optional.empty();

    public UsualRule(Direction direction, Level.Declared declared) {
        this.direction = direction;
        this.declared = declared;
    }

    /** The calls of all nights of one series, the oldest first. */
    public static List<Judged> walk(Direction direction, Level.Declared declared, List<Night> nights) {
        UsualRule rule = new UsualRule(direction, declared);
        return nights.stream().map(rule::next).toList();
    }

    /** Judges the next night. */
    public Judged next(Night night) {
        if (!night.valid()) {
            Call call = night.notANumber() ? Call.FAILED : Call.NO_VERDICT;
            return judged(night, call, OptionalDouble.empty(), Optional.empty(), 0);
        }
        double[] runs = night.finite();
        for (int i = 0; i < runs.length; i++) {
            runs[i] = direction.oriented(runs[i]);
        }
        double value = Numbers.mean(runs);
        Optional<Level> level = level(runs.length);
        Call call = level.map(known -> call(known, value, night)).orElse(Call.NO_VERDICT);
        double sum = slow.take(call == Call.NOT_CONFIRMED ? withConfirmation(value, night) : value);
        call = slow.alarms() && !call.bad() ? Call.SLOW_REGRESSION : call;
        Judged judged = judged(night, call, OptionalDouble.of(direction.oriented(value)), level, sum);
        settle(call, runs);
        return judged;
    }

    /** A night that its confirming run contradicts counts half: one outlier must not begin a slow drop. */
    private double withConfirmation(double value, Night night) {
        return night.confirm()
                .map(confirm -> (value + direction.oriented(confirm)) / 2)
                .orElse(value);
    }

    private Optional<Level> level(int runs) {
        List<double[]> window = good.subList(Math.max(0, good.size() - WINDOW), good.size());
        OptionalDouble noise = declared.noise().isPresent() ? declared.noise() : Level.noiseWithin(window);
        if (window.size() < Level.least(noise)) {
            return Optional.empty();
        }
        return Optional.of(Level.of(window, noise, declared.minDrop(), runs)).filter(level -> !level.flat());
    }

    private Call call(Level level, double value, Night night) {
        if (value >= level.limit()) {
            return value > level.upperLimit() ? Call.BETTER : Call.PASS;
        }
        Optional<Double> confirm = night.confirm();
        if (confirm.isPresent() && Double.isFinite(confirm.get())) {
            return direction.oriented(confirm.get()) < level.confirmLimit() ? Call.REGRESSION : Call.NOT_CONFIRMED;
        }
        return open.isPresent() ? Call.REGRESSION : Call.SUSPECT;
    }

    /** A suspect night waits for the next one: only a good one makes it one of the nights that others are compared with. */
    private void settle(Call call, double[] runs) {
        if (call.bad()) {
            slow.reset();
            return;
        }
        if (call == Call.SUSPECT) {
            open = Optional.of(runs);
            return;
        }
        open.ifPresent(good::add);
        open = Optional.empty();
        good.add(runs);
    }

    private Judged judged(Night night, Call call, OptionalDouble value, Optional<Level> level, double sum) {
        return new Judged(night, call, value, level, sum, Math.min(WINDOW, good.size()), Level.least(declared.noise()));
    }
}
