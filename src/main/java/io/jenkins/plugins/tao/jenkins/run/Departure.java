package io.jenkins.plugins.tao.jenkins.run;

import java.util.concurrent.atomic.AtomicReference;

/** Whether a submission leaves or is given up before it does: whoever decides first decides for good. */
final class Departure {
    private final AtomicReference<State> state;

    /** Undecided, or {@code left} already by an earlier process. */
    Departure(boolean left) {
        state = new AtomicReference<>(left ? State.LEFT : State.OPEN);
    }

    /** Lets it leave, for the first time or again; false when it was given up. */
    boolean leave() {
        return decided(State.LEFT);
    }

    /** Gives it up; false when it has left. */
    boolean giveUp() {
        return decided(State.GIVEN_UP);
    }

    /** Whether it may have left. */
    boolean left() {
        return state.get() == State.LEFT;
    }

    private boolean decided(State wanted) {
        return state.updateAndGet(now -> now == State.OPEN ? wanted : now) == wanted;
    }

    private enum State {
        OPEN,
        LEFT,
        GIVEN_UP
    }
}
