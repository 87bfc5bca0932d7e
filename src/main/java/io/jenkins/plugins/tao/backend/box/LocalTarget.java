package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Target;

/**
 * This machine.
 *
 * @param name what users call it
 * @param directory absolute; jobs, specs and results lie below it
 */
public record LocalTarget(String name, String directory) implements Target {
    public LocalTarget {
        require(name.matches("[A-Za-z0-9._-]+"), "'%s' is not a target name: letters, digits, '.', '_' and '-'", name);
        require(
                directory.startsWith("/") && directory.indexOf('\n') < 0,
                "directory of target '%s' must be an absolute path, was '%s'",
                name,
                directory);
    }
}
