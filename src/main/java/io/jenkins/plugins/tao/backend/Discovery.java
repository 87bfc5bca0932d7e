package io.jenkins.plugins.tao.backend;

import java.util.List;
import java.util.Map;

/** What a {@link BackendType} may offer besides: telling what a place has, so that people need not know it by heart. */
public interface Discovery {
    /**
     * Lists what jobs for {@code target} can name, in the order a person would read it.
     *
     * @throws BackendException as every call of a backend
     */
    List<Found> discover(Target target) throws BackendException;

    /**
     * Lists only what {@code field} takes, by as few questions as that needs, and in seconds or not at all: a form waits.
     *
     * @param field a key of the target or the options
     * @throws BackendException as every call of a backend
     */
    List<Found> discover(Target target, String field) throws BackendException;

    /**
     * One thing that was found.
     *
     * @param kind what it is, in a word or two: {@code resource shape}
     * @param field the key of the target or the options that takes {@link #value}; empty if none does
     * @param value what to write there
     * @param facts what a person wants to know of it, in order
     */
    record Found(String kind, String field, String value, Map<String, String> facts) {}
}
