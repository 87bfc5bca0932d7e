package io.jenkins.plugins.tao.monitor;

import java.time.Duration;
import java.time.Instant;

/**
 * The real time, whose calls come early: a pause takes a hundredth of its length. It is for tests in which a real program or
 * real threads take part, so that {@link ManualTicker} cannot be moved at the right moment.
 */
public final class HastyTicker implements Ticker {
    private static final int TIMES = 100;

    private final Ticker real = Ticker.system();

    @Override
    public Instant now() {
        return real.now();
    }

    @Override
    public Alarm after(Duration delay, Runnable task) {
        return real.after(delay.dividedBy(TIMES), task);
    }

    @Override
    public void close() {
        real.close();
    }
}
