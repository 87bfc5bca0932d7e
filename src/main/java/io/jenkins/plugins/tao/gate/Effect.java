package io.jenkins.plugins.tao.gate;

/** What a bad finding does to the build. */
public enum Effect {
    /** Reported alone. */
    NOTE,
    UNSTABLE,
    FAILURE
}
