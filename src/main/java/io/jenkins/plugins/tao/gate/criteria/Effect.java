package io.jenkins.plugins.tao.gate.criteria;

/** What a bad finding does to the build. */
public enum Effect {
    /** Reported alone. */
    NOTE,
    UNSTABLE,
    FAILURE
}
