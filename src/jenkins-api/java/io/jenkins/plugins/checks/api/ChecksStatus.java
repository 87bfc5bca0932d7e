package io.jenkins.plugins.checks.api;

/** Signature alone, as in checks-api 402.vca_263b_f200e3. */
public enum ChecksStatus {
    NONE,
    QUEUED,
    IN_PROGRESS,
    COMPLETED
}
