package io.jenkins.plugins.tao.backend.simulated;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.TargetedType;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.time.Clock;
import java.time.InstantSource;

/** The type {@code simulated}: a place that plays jobs. Its clock is the place's own, as a cluster has one. */
public final class SimulatedType extends TargetedType<SimulatedTarget> {
    static final String NAME = "simulated";

    private final InstantSource clock;

    /** For {@link java.util.ServiceLoader}. */
    public SimulatedType() {
        this(Clock.systemUTC());
    }

    /** With a clock that a test moves. */
    public SimulatedType(InstantSource clock) {
        super(NAME, SimulatedTarget.class, SimulatedOptions.class);
        this.clock = clock;
    }

    @Override
    public Backend open(Target target) {
        return new SimulatedBackend(checked(target), clock);
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        return PlayPreview.of(PlayRequest.of(checked(target), spec, key), key);
    }
}
