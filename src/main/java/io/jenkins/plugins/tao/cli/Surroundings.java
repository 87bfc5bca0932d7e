package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.BackendTypes;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * What lies around the program: where it stands and where it speaks.
 *
 * @param env the environment variables
 * @param directory where relative paths begin
 * @param home the user's home, for {@code ~}
 * @param terminal whether {@code out} is a terminal that a line can be redrawn on
 * @param out results
 * @param err messages
 */
record Surroundings(
        Map<String, String> env,
        Path directory,
        Path home,
        boolean terminal,
        PrintStream out,
        PrintStream err,
        Clock clock,
        BackendTypes types) {

    /** The path that {@code text} means here: {@code ~} is the home, relative ones begin at {@link #directory}. */
    Path path(String text) {
        if (text.equals("~") || text.startsWith("~/")) {
            return home.resolve(text.substring(Math.min(2, text.length()))).normalize();
        }
        return directory.resolve(text).normalize();
    }

    /** Where the local records of jobs lie. */
    Path stateDirectory() {
        String state = env.getOrDefault("XDG_STATE_HOME", "");
        return (state.isBlank() ? home.resolve(".local/state") : path(state)).resolve("tao-run");
    }

    /** Whether to use colours: never when NO_COLOR is set. */
    boolean colours() {
        return terminal && env.getOrDefault("NO_COLOR", "").isEmpty();
    }
}
