package io.jenkins.plugins.checks.api;

/** Signature alone. */
public enum ChecksConclusion {
    NONE,
    ACTION_REQUIRED,
    SKIPPED,
    CANCELED,
    TIME_OUT,
    FAILURE,
    NEUTRAL,
    SUCCESS
}
