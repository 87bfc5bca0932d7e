package io.jenkins.plugins.tao.cost;

import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What some runs used. A sum is that of the runs whose value is known; the others are counted beside it.
 *
 * @param ended how many runs have ended
 * @param going how many were submitted and have not ended as far as is known
 * @param gpuHours of those that ended; empty when none of them is known
 * @param gpuHoursUnknown how many ended runs lack their GPU-hours, or a part of them
 * @param gpuHoursPartly how many of these lack a part; what is known is in the sums
 * @param waits the queue waits that are known, in seconds
 * @param waitsUnknown how many ended runs lack their queue wait
 * @param money the cost by currency
 * @param withoutPrice how many runs with known GPU-hours have no price; 0 where nothing has a price
 */
public record Usage(
        int ended,
        int going,
        OptionalDouble gpuHours,
        int gpuHoursUnknown,
        int gpuHoursPartly,
        List<Double> waits,
        int waitsUnknown,
        Map<String, Double> money,
        int withoutPrice) {
    private static final int HALF = 50;
    private static final int MOST = 90;

    /** The word of a run that was submitted and of which no end is known. */
    public static final String GOING = "going";

    /** The word of a run that was never sent. */
    public static final String NOT_SENT = "not sent";

    public Usage {
        waits = List.copyOf(waits);
        money = Map.copyOf(money);
    }

    /** Adds up {@code runs}. */
    public static Usage of(List<RunRecord> runs, PriceTable prices) {
        List<RunRecord> ended = runs.stream().filter(Usage::hasEnded).toList();
        List<RunRecord> measured =
                ended.stream().filter(run -> run.knownGpuHours().isPresent()).toList();
        int partly =
                (int) measured.stream().filter(RunRecord::knowsGpuTimePartly).count();
        List<Double> waits = known(Measure.QUEUE_WAIT, ended);
        Map<String, Double> money = new TreeMap<>();
        int priced = 0;
        double hours = 0;
        for (RunRecord run : measured) {
            hours += run.knownGpuHours().orElse(0);
            Optional<PriceTable.Money> cost = prices.of(run, run.knownGpuHours().orElse(0));
            cost.ifPresent(sum -> money.merge(sum.currency(), sum.amount(), Double::sum));
            priced += cost.isPresent() ? 1 : 0;
        }
        boolean anyPrice = !prices.prices().isEmpty();
        return new Usage(
                ended.size(),
                (int) runs.stream().filter(run -> run.outcome().equals(GOING)).count(),
                measured.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(hours),
                ended.size() - measured.size() + partly,
                partly,
                waits,
                ended.size() - waits.size(),
                money,
                anyPrice ? measured.size() - priced : 0);
    }

    /** Whether {@code run} was sent and its end is known. */
    static boolean hasEnded(RunRecord run) {
        return !run.outcome().equals(GOING) && !run.outcome().equals(NOT_SENT);
    }

    /** Whether {@code run} is to be sent, was sent and has not ended, or was not sent after all. */
    public static boolean isOpen(RunRecord run) {
        return !hasEnded(run);
    }

    private static List<Double> known(Measure measure, List<RunRecord> runs) {
        List<Double> known = new ArrayList<>();
        runs.forEach(run -> measure.of(run).ifPresent(known::add));
        return known;
    }

    /** The median of the queue waits, in seconds. */
    public OptionalDouble waitHalf() {
        return Quantiles.of(waits, HALF);
    }

    /** The queue wait that nine of ten runs did not exceed, in seconds. */
    public OptionalDouble waitMost() {
        return Quantiles.of(waits, MOST);
    }
}
