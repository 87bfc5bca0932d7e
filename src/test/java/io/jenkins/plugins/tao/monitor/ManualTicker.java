package io.jenkins.plugins.tao.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
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
    public synchronized Instant now() {
        return now;
    }

    @Override
    public synchronized Alarm after(Duration delay, Runnable task) {
        Call call = new Call(now.plus(delay), calls++, task);
        due.add(call);
        return () -> forget(call);
    }

    private synchronized void forget(Call call) {
        due.remove(call);
    }

    /** Lets {@code length} go by. */
    public void advance(Duration length) {
        Instant end = now().plus(length);
        for (Optional<Call> call = next(end); call.isPresent(); call = next(end)) {
            call.get().task().run();
        }
        moveTo(end);
    }

    private synchronized Optional<Call> next(Instant end) {
        if (due.isEmpty() || due.peek().at().isAfter(end)) {
            return Optional.empty();
        }
        Call call = due.remove();
        now = call.at();
        return Optional.of(call);
    }

    private synchronized void moveTo(Instant time) {
        now = time;
    }

    /** Calls that wait. */
    public synchronized int waiting() {
        return due.size();
    }

    @Override
    public synchronized void close() {
        due.clear();
    }
}
