package io.jenkins.plugins.tao.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that stands still until a test moves it; calls that fall due are made in order on the test's own thread. */
public final class ManualTicker implements Ticker {
    private final PriorityQueue<Call> due =
            new PriorityQueue<>(Comparator.comparing(Call::at).thenComparing(Call::number));
    private Instant now;
    private long calls;

    public ManualTicker(Instant start) {
        now = start;
    }

    private record Call(Instant at, long number, Runnable task) {}

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public Alarm after(Duration delay, Runnable task) {
        Call call = new Call(now.plus(delay), calls++, task);
        due.add(call);
        return () -> due.remove(call);
    }

    /** Lets {@code length} go by. */
    public void advance(Duration length) {
        Instant end = now.plus(length);
        while (!due.isEmpty() && !due.peek().at().isAfter(end)) {
            Call call = due.remove();
            now = call.at();
            call.task().run();
        }
        now = end;
    }

    /** Calls that wait. */
    public int waiting() {
        return due.size();
    }

    @Override
    public void close() {
        due.clear();
    }
}
