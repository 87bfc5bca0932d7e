package io.jenkins.plugins.tao.backend.box.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Target;

/**
 * This machine.
 *
 * @param name what users call it
 * @param baseDirectory absolute; jobs, specs and results lie below it
 * @param settings what can be told of any box
 */
public record LocalTarget(String name, String baseDirectory, BoxSettings settings) implements Target {
    /** The generated hash takes a cold JVM 10 ms. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

    public LocalTarget {
        require(name.matches("[A-Za-z0-9._-]+"), "'%s' is not a target name: letters, digits, '.', '_' and '-'", name);
        BoxPlaces.requirePath("baseDirectory", baseDirectory);
    }
}
