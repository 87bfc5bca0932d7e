package io.jenkins.plugins.checks.api;

/** Signature alone. */
public abstract class ChecksPublisher {
    public abstract void publish(ChecksDetails details);
}
