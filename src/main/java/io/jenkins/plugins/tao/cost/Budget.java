package io.jenkins.plugins.tao.cost;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What may be used in a month.
 *
 * @param target of jobs on this target; empty for all
 * @param folder of jobs in this Jenkins folder and below it; empty for all
 * @param user of jobs that this user starts; {@link #EACH} gives every user a budget of this size; empty for all together
 * @param gpuHours the GPU-hours of a month; exactly one of {@code gpuHours} and {@code money} is given
 * @param money the money of a month, in {@code currency}
 * @param currency as the prices have it
 * @param warnAt the share from which on submissions are warned, between 0 and 1
 * @param above what happens to a submission that would exceed it
 */
public record Budget(
        Optional<String> target,
        Optional<String> folder,
        Optional<String> user,
        OptionalDouble gpuHours,
        OptionalDouble money,
        Optional<String> currency,
        double warnAt,
        Above above) {
    /** Every user on their own. */
    public static final String EACH = "each";

    /** From this share on a submission is warned where nothing else is said. */
    public static final double WARN_AT = 0.8;

    /** What happens to a submission that would exceed a budget. */
    public enum Above {
        /** It is not sent. */
        REFUSE,
        /** It is sent with a warning. */
        WARN
    }

    public Budget {
        target = filled(target);
        folder = filled(folder);
        user = filled(user);
        currency = filled(currency);
        require(
                gpuHours.isPresent() != money.isPresent(),
                "a budget needs either gpuHours or money, the most that a month may use");
        require(limit(gpuHours, money) >= 0, "a budget must not be negative, was %s", limit(gpuHours, money));
        require(
                money.isPresent() == currency.isPresent(),
                "a budget of money needs its currency as the prices have it, and one of GPU-hours has none");
        require(warnAt >= 0 && warnAt <= 1, "warnAt must be a share between 0 and 1, was %s", warnAt);
    }

    /** What holds for keys that are not given; the sizes are no defaults. */
    public static Budget defaults() {
        Optional<String> all = Optional.empty();
        return new Budget(all, all, all, OptionalDouble.of(0), OptionalDouble.empty(), all, WARN_AT, Above.REFUSE);
    }

    private static Optional<String> filled(Optional<String> text) {
        return text.map(String::strip).filter(word -> !word.isEmpty());
    }

    private static double limit(OptionalDouble gpuHours, OptionalDouble money) {
        double limit = gpuHours.orElseGet(() -> money.orElse(0));
        return Double.isFinite(limit) ? limit : -1;
    }

    /** The most that a month may use, in {@link #unit}. */
    double limit() {
        return limit(gpuHours, money);
    }

    String unit() {
        return currency.orElse("GPU-hours");
    }

    /** Whether {@code run} counts for it; of a budget for each user, whether it counts for that of {@code asker}. */
    boolean holdsFor(RunRecord run, RunRecord asker) {
        Optional<String> who = user.filter(name -> !name.equals(EACH));
        boolean ofUser = user.isEmpty()
                || (who.isPresent() ? user(run).equals(who) : user(run).equals(user(asker)));
        return ofUser
                && (target.isEmpty() || run.text("target").equals(target))
                && (folder.isEmpty()
                        || run.origin()
                                .fact(RunOrigin.JOB)
                                .filter(job -> job.startsWith(folder.get() + "/"))
                                .isPresent());
    }

    private static Optional<String> user(RunRecord run) {
        return run.origin().fact(RunOrigin.USER);
    }

    /** What it is the budget of, for a person: {@code target 'dgx' and user 'ana'}. */
    String scope(RunRecord asker) {
        List<String> parts = new ArrayList<>();
        target.ifPresent(name -> parts.add("target '" + name + "'"));
        folder.ifPresent(name -> parts.add("folder '" + name + "'"));
        user.ifPresent(
                name -> parts.add("user '" + (name.equals(EACH) ? user(asker).orElse("unknown") : name) + "'"));
        return parts.isEmpty() ? "all jobs" : String.join(" and ", parts);
    }

    /** A number of its unit. */
    String amount(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
