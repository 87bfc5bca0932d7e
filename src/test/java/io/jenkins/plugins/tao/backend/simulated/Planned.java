package io.jenkins.plugins.tao.backend.simulated;

import java.util.Optional;

/** Failures of played jobs, and the options of a job with one. */
public final class Planned {
    private Planned() {}

    /** This goes wrong in the middle. */
    public static PlannedFailure failure(PlannedFailure.Kind kind) {
        return PlannedFailure.none().withFailure(Optional.of(kind));
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
