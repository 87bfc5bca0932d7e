package io.jenkins.plugins.tao.backend.simulated;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Failures of played jobs, and the options of a job with one. */
public final class Planned {
    private Planned() {}

    /** This goes wrong in the middle. */
    public static PlannedFailure failure(PlannedFailure.Kind kind) {
        return PlannedFailure.none().withFailure(Optional.of(kind));
    }

    /** A place with every default. */
    public static SimulatedTarget target(String name, String directory) {
        return new SimulatedTarget(
                name, directory, OptionalDouble.empty(), OptionalInt.empty(), OptionalLong.empty(), Optional.empty());
    }

    static SimulatedOptions options(PlannedFailure failure) {
        SimulatedOptions usual = SimulatedOptions.defaults();
        return new SimulatedOptions(
                usual.seed(),
                usual.queue(),
                usual.epochs(),
                usual.epochTime(),
                usual.kpis(),
                usual.noise(),
                usual.throughput(),
                usual.log(),
                failure);
    }
}
