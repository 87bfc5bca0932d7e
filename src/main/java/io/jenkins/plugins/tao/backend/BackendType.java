package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;

/** One kind of backend, found by {@link java.util.ServiceLoader}; the door of its package. */
public interface BackendType {
    /** Lower-case letters, as job files, tokens and symbols name it: {@code slurm}. */
    String name();

    /** The record that says how to reach a place of this kind. */
    Class<? extends Target> targetType();

    /** The record of what only this kind understands of a job. */
    Class<? extends JobOptions> optionsType();

    /** Loads the classes that a first connection needs: a command line calls it beside the reading of the job. */
    default void preload() {}

    /** Opens a backend without connecting yet; {@code target} is a {@link #targetType}. */
    Backend open(Target target);

    /**
     * Shows what would be sent, without sending anything: pure, secrets by name.
     *
     * @throws BackendException.Rejected if the spec cannot be rendered for this target
     */
    Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException;
}
