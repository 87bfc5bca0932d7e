package io.jenkins.plugins.tao.backend.simulated;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A target that simulates jobs.
 *
 * @param name what users call it
 * @param baseDirectory absolute; what was asked for is kept below it, some hundred bytes a job
 * @param speed how many simulated seconds pass in one second
 * @param nodes how many machines it has
 * @param seed the seed of the random numbers, used with the job's id, for jobs that set no seed
 * @param avoidFailedNodesFor how long later jobs avoid a node that failed under one, as in {@code 12h}
 */
public record SimulatedTarget(
        String name,
        String baseDirectory,
        @Option(defaultsTo = "1") OptionalDouble speed,
        @Option(defaultsTo = "" + NODES) OptionalInt nodes,
        @Option(defaultsTo = "1") OptionalLong seed,
        @Option(defaultsTo = "not at all") Optional<Duration> avoidFailedNodesFor)
        implements Avoiding.Place {
    private static final double FASTEST = 100_000;
    private static final int MOST_NODES = 1000;
    private static final int NODES = 4;

    public SimulatedTarget {
        require(name.matches("[A-Za-z0-9._-]+"), "'%s' is not a target name: letters, digits, '.', '_' and '-'", name);
        require(
                baseDirectory.startsWith("/") && baseDirectory.indexOf('\n') < 0,
                "baseDirectory must be an absolute path, was '%s'",
                baseDirectory);
        speed.ifPresent(value ->
                require(value > 0 && value <= FASTEST, "speed must be above 0 and at most 100000, was %s", value));
        avoidFailedNodesFor.ifPresent(
                avoided -> require(!avoided.isNegative(), "avoidFailedNodesFor must not be negative, was %s", avoided));
        nodes.ifPresent(
                value -> require(value >= 1 && value <= MOST_NODES, "nodes must be from 1 to 1000, was %d", value));
    }

    double playedSpeed() {
        return speed.orElse(1);
    }

    int machines() {
        return nodes.orElse(NODES);
    }
}
