package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.Call;
import io.jenkins.plugins.tao.gate.statistics.ChangePoint;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.Judged;
import io.jenkins.plugins.tao.gate.statistics.Level;
import io.jenkins.plugins.tao.gate.statistics.Night;
import io.jenkins.plugins.tao.gate.statistics.Numbers;
import io.jenkins.plugins.tao.gate.statistics.SlowDrop;
import io.jenkins.plugins.tao.gate.statistics.UsualRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Asks the usual rule, and puts its answer into words. */
final class AgainstUsual {
    private static final int LOOKED_BACK = 40;

    private final Criterion criterion;
    private final Direction direction;
    private final Before before;

    AgainstUsual(Criterion criterion, Direction direction, Before before) {
        this.criterion = criterion;
        this.direction = direction;
        this.before = before;
    }

    Finding judge(Night tonight) {
        List<Night> all = new ArrayList<>(before.nights());
        all.add(tonight);
        List<Judged> walk = UsualRule.walk(direction, new Level.Declared(criterion.noise(), criterion.minDrop()), all);
        Judged now = walk.get(walk.size() - 1);
        Optional<String> since = now.call().bad() ? since(walk) : Optional.empty();
        return new Finding(
                criterion,
                now.call(),
                now.value(),
                now.level().isPresent()
                        ? OptionalDouble.of(direction.oriented(now.level().get().limit()))
                        : OptionalDouble.empty(),
                sentence(now, since) + before.note(),
                now.call() == Call.SUSPECT,
                since,
                walk.stream()
                        .filter(judged -> judged.value().isPresent())
                        .map(judged -> new Finding.Mark(
                                judged.night().label(), judged.value().getAsDouble(), judged.call()))
                        .toList());
    }

    /** Names the first bad night: sure ones plainly, others with "about". */
    private static Optional<String> since(List<Judged> walk) {
        List<Judged> valid =
                walk.stream().filter(judged -> judged.value().isPresent()).toList();
        List<Judged> last = valid.subList(Math.max(0, valid.size() - LOOKED_BACK), valid.size());
        double[] values = last.stream()
                .mapToDouble(judged -> judged.value().getAsDouble())
                .toArray();
        int bad = 0;
        while (bad < last.size() && isOff(last.get(last.size() - 1 - bad).call())) {
            bad++;
        }
        Optional<ChangePoint> change = ChangePoint.in(values);
        if (bad == 1 && (change.isEmpty() || !change.get().sure())) {
            return Optional.of("tonight, " + last.get(last.size() - 1).night().label());
        }
        return change.map(point -> (point.sure() ? "since " : "since about ")
                + last.get(point.index()).night().label() + " (last good "
                + last.get(point.index() - 1).night().label() + ")");
    }

    private static boolean isOff(Call call) {
        return call.bad() || call == Call.SUSPECT;
    }

    private String sentence(Judged now, Optional<String> since) {
        String value = criterion.reading().words() + criterion.metric() + " is "
                + Words.number(now.value().orElse(Double.NaN));
        if (now.level().isEmpty()) {
            return now.call() == Call.SLOW_REGRESSION ? slow(value, now, since) : unknown(value, now);
        }
        Level level = now.level().get();
        String usual = "usual is " + shown(level.mean()) + " ± " + Words.number(level.scale()) + " in "
                + Words.count(level.nights(), "night");
        String limit = shown(level.limit());
        String reach = " A drop below " + Words.number(level.reach()) + " would not be noticed in one night.";
        return switch (now.call()) {
            case PASS -> value + "; " + usual + ", the limit " + limit + " (" + direction.words() + ")." + reach;
            case BETTER ->
                value + ", better than usual; " + usual + ", and " + shown(level.upperLimit())
                        + " is the far limit. Look whether data or validation changed; bless it if this is the new level.";
            case SUSPECT ->
                value + ", " + direction.badSide() + " the limit " + limit + "; " + usual
                        + ". Suspect: another run with another seed on another node, or the next night, decides.";
            case NOT_CONFIRMED ->
                value + ", " + direction.badSide() + " the limit " + limit + ", yet the confirming run is not "
                        + direction.badSide() + " " + shown(level.confirmLimit()) + ": a pass.";
            case SLOW_REGRESSION -> slow(value, now, since) + " " + usual + ".";
            default ->
                "Regression" + since.map(when -> " " + when).orElse("") + ": " + value + ", " + direction.badSide()
                        + " the limit " + limit + distance(level, now) + "; " + usual + confirmed(now, level) + ".";
        };
    }

    private String distance(Level level, Judged now) {
        double distance = level.distance(direction.oriented(now.value().orElse(Double.NaN)));
        return Double.isFinite(distance) ? " and " + Words.number(Math.abs(distance)) + " deviations from usual" : "";
    }

    private String confirmed(Judged now, Level level) {
        return now.night()
                .confirm()
                .map(value -> "; the confirming run has " + Words.number(value) + ", also " + direction.badSide() + " "
                        + shown(level.confirmLimit()))
                .orElse("; it is the second such night in a row");
    }

    private String slow(String value, Judged now, Optional<String> since) {
        return "Slow regression" + since.map(when -> " " + when).orElse("") + ": " + value
                + "; small drops of the last nights add up to " + Words.number(now.slow()) + ", more than "
                + Words.number(SlowDrop.LIMIT) + ".";
    }

    private String unknown(String value, Judged now) {
        if (now.known() >= now.needed()) {
            return "No verdict: " + value + "; the last " + now.known()
                    + " nights are identical (fixed seed or coarse metric). Set minDrop.";
        }
        String mean = before.valid().isEmpty()
                ? ""
                : ", the mean so far "
                        + Words.number(Numbers.mean(before.valid().stream()
                                .mapToDouble(night -> Numbers.mean(night.finite()))
                                .toArray()));
        return "No verdict: " + now.known() + " of " + now.needed() + " comparable nights"
                + before.level()
                        .map(blessed -> " (since " + blessed.record().label() + ")")
                        .orElse("") + ". " + value + mean + reachable() + ".";
    }

    /** Even before the limit is known, the spread so far tells which drop would be seen with enough nights. */
    private String reachable() {
        double[] values = before.valid().stream()
                .mapToDouble(night -> Numbers.mean(night.finite()))
                .toArray();
        double deviation = values.length < 2 ? 0 : Numbers.deviation(values);
        return deviation == 0
                ? ""
                : "; with " + Level.LEAST + " nights like these a drop of about "
                        + Words.number((5.04 + 0.84) * deviation) + " could be seen";
    }

    private String shown(double oriented) {
        return Words.number(direction.oriented(oriented));
    }
}
