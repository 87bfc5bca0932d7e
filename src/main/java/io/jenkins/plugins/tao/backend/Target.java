package io.jenkins.plugins.tao.backend;

/**
 * A configured place that runs jobs, with everything needed to reach it, credentials included. Two equal targets share
 * one connection. Each backend has one record that implements this.
 */
public interface Target {
    /** The name that users give in jobs: letters, digits, {@code . _ -}. */
    String name();
}
