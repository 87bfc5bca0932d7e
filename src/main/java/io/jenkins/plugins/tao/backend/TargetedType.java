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
    /** What is wrong with a target of another kind, as in {@code is no Kaggle account}. */
    private final String otherwise;

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
        require(targetType.isInstance(target), "target '%s' %s", target.name(), otherwise);
        return targetType.cast(target);
    }
}
