package io.jenkins.plugins.tao.backend.box.options;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Map;

/** What a user adds to {@code docker run} or {@code podman run}: anything but what starts, watches and ends the container. */
public final class ContainerWords {
    /** Each with why, or what to use instead. */
    private static final Map<String, String> OURS = Map.ofEntries(
            Map.entry("--rm", "the exit code is read from the container after its end"),
            Map.entry("--name", "the container is found again by its name"),
            Map.entry("--cidfile", "the container is found again by it"),
            Map.entry("--detach", "the engine must not wait for the container"),
            Map.entry("-d", "the engine must not wait for the container"),
            Map.entry("--restart", "new attempts are this program's, by retries"),
            Map.entry("--replace", "another job's container could be removed"),
            Map.entry("--interactive", "the command has no input"),
            Map.entry("-i", "the command has no input"),
            Map.entry("--tty", "the command has no terminal"),
            Map.entry("-t", "the command has no terminal"),
            Map.entry("-it", "the command has no terminal"),
            Map.entry("--workdir", "the command's directory is set by the job"),
            Map.entry("-w", "the command's directory is set by the job"),
            Map.entry("--stop-signal", "a cancel sends TERM"),
            Map.entry("--stop-timeout", "use the option grace"),
            Map.entry("--shm-size", "use the option shmSize"),
            Map.entry("--gpus", "use gpus of the job"),
            Map.entry("-e", "it belongs into env or secrets of the job"),
            Map.entry("--env", "it belongs into env or secrets of the job"),
            Map.entry("--env-file", "it belongs into env or secrets of the job"));

    private ContainerWords() {}

    /**
     * Checks one word.
     *
     * @throws IllegalArgumentException if it would break the watch, with what to use instead
     */
    public static void check(String word) {
        require(word.indexOf('\n') < 0, "containerArgs: write each word on its own line");
        String name = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
        String why = OURS.getOrDefault(name, "");
        require(why.isEmpty(), "containerArgs: '%s' is not for a user: %s", word, why);
    }
}
