package io.jenkins.plugins.tao.backend;

/**
 * A backend that keeps what it was told of its place, so that many jobs in a row do not ask the same. It has no clock: who
 * opened it says when that is too old.
 */
public interface Remembering {
    /** Asks anew from now on. */
    void forget();
}
