package io.jenkins.plugins.tao.backend.notebook;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Target;

/**
 * Google Colab, which runs no jobs: see {@link ColabType}.
 *
 * @param name what jobs call it
 */
public record ColabTarget(String name) implements Target {
    public ColabTarget {
        require(name.matches("[A-Za-z0-9._-]+"), "target name '%s' must be letters, digits and . _ -", name);
    }
}
