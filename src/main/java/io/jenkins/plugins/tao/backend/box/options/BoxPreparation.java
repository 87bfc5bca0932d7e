package io.jenkins.plugins.tao.backend.box.options;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is done on the box before a GPU is taken.
 *
 * @param smoke a cheap command that must end well first, without GPUs
 * @param downloads files that the box fetches itself: a path, relative to the data directory, and its address
 *     ({@code https://}, {@code s3://}, {@code hf://org/model})
 * @param packages Python packages with their exact versions, as in {@code torch==2.5.1}; an environment is made of them
 *     once, and only when any are named
 * @param code the name of a tree pushed by {@code tao box push}; the command starts in the version that is newest now
 * @param checkpointCost how long a checkpoint takes; together with the target's {@code meanUptime} it gives the job
 *     {@code TAO_CHECKPOINT_SECONDS}
 * @param cleanScratch whether the job's scratch directory is removed after a success
 */
public record BoxPreparation(
        Optional<String> smoke,
        Map<String, String> downloads,
        List<String> packages,
        Optional<String> code,
        Optional<Duration> checkpointCost,
        boolean cleanScratch) {
    /** Nothing. */
    public static final BoxPreparation NONE =
            new BoxPreparation(Optional.empty(), Map.of(), List.of(), Optional.empty(), Optional.empty(), false);

    public BoxPreparation {
        downloads = Collections.unmodifiableMap(new LinkedHashMap<>(downloads));
        downloads.forEach((path, address) -> {
            require(
                    path.matches("[A-Za-z0-9._@+=,/-]+") && !("/" + path + "/").contains("/../"),
                    "downloads: '%s' must be a plain path",
                    path);
            require(
                    address.matches("(https?|s3|hf)://[^\\s'\"]+"),
                    "downloads: '%s' is no address; use https://, s3:// or hf://",
                    address);
        });
        packages = List.copyOf(packages);
        packages.forEach(line -> require(
                line.matches("[A-Za-z0-9._-]+(\\[[A-Za-z0-9,._-]+\\])?==[A-Za-z0-9.+!_-]+"),
                "packages: '%s' is not pinned; write name==version",
                line));
        code.ifPresent(name ->
                require(name.matches("[A-Za-z0-9][A-Za-z0-9._-]*"), "code must be a plain name, was '%s'", name));
        checkpointCost.ifPresent(
                cost -> require(cost.toSeconds() >= 1, "checkpointCost must be at least one second, was %s", cost));
    }

    /** Nothing, for groups of keys of which none is given. */
    public static BoxPreparation defaults() {
        return NONE;
    }
}
