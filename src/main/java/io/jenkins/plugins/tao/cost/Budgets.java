package io.jenkins.plugins.tao.cost;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * All budgets of one place; pure. They count what ended runs of the month used, what runs ask for that have not ended, and what is asked
 * for now: GPUs times time limit. What is not known is said, counts as nothing, and refuses nothing by itself.
 *
 * @param budgets the budgets
 * @param prices what tells the money
 * @param place where a person changes a budget, such as {@code budgets: in tao-targets.yaml}
 */
public record Budgets(List<Budget> budgets, PriceTable prices, String place) {
    private static final double SECONDS_PER_HOUR = 3600;

    public Budgets {
        budgets = List.copyOf(budgets);
    }

    /** How a budget stands with one more run. */
    public enum Verdict {
        /** It has room. */
        PASSED,
        /** It is nearly used up, or not all is known. */
        WARNING,
        /** The run must not be sent. */
        REFUSED
    }

    /** What one budget says of a run. */
    public record Answer(Verdict verdict, String detail, String remedy) {}

    /**
     * Asks all budgets that hold for a run.
     *
     * @param asked what is to be sent
     * @param month the runs of the month; one with the same id is not counted twice
     */
    public List<Answer> judge(RunRecord asked, List<RunRecord> month) {
        return budgets.stream()
                .filter(budget -> budget.holdsFor(asked, asked))
                .map(budget -> judge(budget, asked, month))
                .toList();
    }

    private Answer judge(Budget budget, RunRecord asked, List<RunRecord> month) {
        String ofMonth = asked.text("times/submittedAt")
                .map(at -> Dimension.month(asked.submittedAt()))
                .orElse("this month");
        List<RunRecord> others = month.stream()
                .filter(run -> !run.id().equals(asked.id()) && budget.holdsFor(run, asked))
                .filter(run -> Dimension.MONTH.of(run).equals(Dimension.MONTH.of(asked)))
                .toList();
        Sum used = new Sum();
        Sum reserved = new Sum();
        others.stream().filter(Usage::hasEnded).forEach(run -> {
            used.add(used(budget, run));
            used.unknown += run.knowsGpuTimePartly() ? 1 : 0;
        });
        others.stream()
                .filter(run -> run.outcome().equals(Usage.GOING))
                .forEach(run -> reserved.add(asks(budget, run)));
        OptionalDouble asks = asks(budget, asked);
        double before = used.known + reserved.known;
        double after = before + asks.orElse(0);
        boolean nothing = asks.isPresent() && asks.getAsDouble() == 0;
        boolean exceeded = !nothing && (after > budget.limit() || (asks.isEmpty() && before >= budget.limit()));
        boolean near = after >= budget.limit() * budget.warnAt();
        boolean unknown = asks.isEmpty() || used.unknown + reserved.unknown > 0;
        String detail = detail(budget, asked, ofMonth, used, reserved, asks)
                + (exceeded && asks.isPresent() ? ": " + budget.amount(after - budget.limit()) + " above" : "");
        if (exceeded) {
            String remedy =
                    "Ask for less time or fewer GPUs, wait for the next month, or raise the budget: " + place + ".";
            return new Answer(
                    budget.above() == Budget.Above.REFUSE ? Verdict.REFUSED : Verdict.WARNING, detail, remedy);
        }
        return new Answer(
                near || unknown ? Verdict.WARNING : Verdict.PASSED,
                detail,
                asks.isEmpty()
                        ? "Give 'gpus' and 'time', and with a budget of money a price, to have it counted."
                        : "");
    }

    private static String detail(
            Budget budget, RunRecord asked, String month, Sum used, Sum reserved, OptionalDouble asks) {
        StringBuilder text = new StringBuilder("of " + budget.amount(budget.limit()) + " " + budget.unit() + " for "
                + budget.scope(asked) + " in " + month + ", " + budget.amount(used.known) + " are used");
        if (reserved.known > 0) {
            text.append(", ").append(budget.amount(reserved.known)).append(" are kept for jobs that have not ended");
        }
        int unknown = used.unknown + reserved.unknown;
        if (unknown > 0) {
            text.append(", what ")
                    .append(unknown)
                    .append(unknown == 1 ? " job uses" : " jobs use")
                    .append(" is not known");
        }
        text.append(
                asks.isPresent()
                        ? ", and this job asks for " + budget.amount(asks.getAsDouble()) + shape(asked)
                        : ", and what this job asks for is not known");
        return text.toString();
    }

    private static String shape(RunRecord asked) {
        long nodes = (long) asked.number("asked/nodeCount").orElse(1);
        long gpus = (long) asked.number("asked/gpus").orElse(0);
        Duration limit =
                Duration.ofSeconds((long) asked.number("asked/limitSeconds").orElse(0));
        return gpus == 0
                ? ""
                : " (" + (nodes > 1 ? nodes + " nodes x " : "") + gpus + (gpus == 1 ? " GPU x " : " GPUs x ")
                        + Durations.words(limit) + ")";
    }

    private OptionalDouble used(Budget budget, RunRecord run) {
        OptionalDouble hours = run.knownGpuHours();
        return hours.isEmpty() ? hours : inUnit(budget, run, hours.getAsDouble());
    }

    /** GPUs times time limit; empty where one of them is left to the target. */
    private OptionalDouble asks(Budget budget, RunRecord run) {
        OptionalDouble gpus = run.number("asked/gpus");
        OptionalDouble limit = run.number("asked/limitSeconds");
        if (gpus.isPresent() && gpus.getAsDouble() == 0) {
            return OptionalDouble.of(0);
        }
        if (gpus.isEmpty() || limit.isEmpty()) {
            return OptionalDouble.empty();
        }
        double hours =
                gpus.getAsDouble() * run.number("asked/nodeCount").orElse(1) * limit.getAsDouble() / SECONDS_PER_HOUR;
        return inUnit(budget, run, hours);
    }

    private OptionalDouble inUnit(Budget budget, RunRecord run, double hours) {
        if (budget.currency().isEmpty() || hours == 0) {
            return OptionalDouble.of(hours);
        }
        return prices.of(run, hours)
                .filter(money -> money.currency().equals(budget.currency().get()))
                .map(money -> OptionalDouble.of(money.amount()))
                .orElseGet(OptionalDouble::empty);
    }

    /** What is known, and how often nothing is. */
    private static final class Sum {
        private double known;
        private int unknown;

        void add(OptionalDouble value) {
            known += value.orElse(0);
            unknown += value.isPresent() ? 0 : 1;
        }
    }
}
