package io.jenkins.plugins.tao.backend;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.JobOptions;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/** A kind of backend whose places are all described by one record. */
@RequiredArgsConstructor(access = AccessLevel.PROTECTED)
public abstract class TargetedType<T extends Target> implements BackendType {
    private final String name;
    private final Class<T> targetType;
    private final Class<? extends JobOptions> optionsType;

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Class<T> targetType() {
        return targetType;
    }

    @Override
    public final Class<? extends JobOptions> optionsType() {
        return optionsType;
    }

    /** The same target, known to be of this kind. */
    protected final T checked(Target target) {
        require(targetType.isInstance(target), "target '%s' is not of the backend '%s'", target.name(), name);
        return targetType.cast(target);
    }
}
