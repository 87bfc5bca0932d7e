package io.jenkins.plugins.tao.backend.box.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.WordRow;
import java.util.Map;
import java.util.stream.Collectors;

/** What a user adds to {@code docker run} or {@code podman run}: anything but what starts, watches and ends the container. */
public final class ContainerWords {
    /** Each with why, or what to use instead. */
    private static final Map<String, String> OURS = WordRow.read(ContainerWords.class, "container-words.txt").stream()
            .collect(Collectors.toMap(row -> row.sign().pattern(), WordRow::words));

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
