package io.jenkins.plugins.tao.dispatch;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.monitor.HastyTicker;

/** A dispatcher with real threads whose pauses are short. */
public final class HastyDispatcher {
    private HastyDispatcher() {}

    /** Starts one over {@code types}. */
    public static Dispatcher start(BackendTypes types) {
        return new Dispatcher(types, new HastyTicker(), Workers.start());
    }
}
