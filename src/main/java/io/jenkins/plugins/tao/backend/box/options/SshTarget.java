package io.jenkins.plugins.tao.backend.box.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;

/**
 * A machine that answers SSH and nothing else.
 *
 * @param name what jobs call it
 * @param login how to log in: its address, or several addresses of the one machine, user, key and host keys
 * @param baseDirectory a directory of the user on the box's own disk; jobs, specs and, by default, results lie below it
 * @param settings what can be told of any box
 */
public record SshTarget(String name, SshLogin login, String baseDirectory, BoxSettings settings) implements Target {
    /** The generated hash takes a cold JVM 10 ms. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

    public SshTarget {
        require(name.matches("[A-Za-z0-9._-]+"), "'%s' is not a target name: letters, digits, '.', '_' and '-'", name);
        BoxPlaces.requirePath("baseDirectory", baseDirectory);
        require(baseDirectory.length() > 1, "baseDirectory must not be /");
    }
}
