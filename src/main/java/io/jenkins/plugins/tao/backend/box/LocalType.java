package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.host.LocalHost;

/** The type {@code local}: the same as {@code ssh} on this machine. */
public final class LocalType implements BackendType {
    static final String NAME = "local";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<? extends Target> targetType() {
        return LocalTarget.class;
    }

    @Override
    public Class<? extends JobOptions> optionsType() {
        return BoxOptions.class;
    }

    @Override
    public Backend open(Target target) {
        return new BoxBackend(BoxPlace.of(checked(target)), new LocalHost());
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        return BoxPreview.of(BoxPlace.of(checked(target)), spec, key);
    }

    private static LocalTarget checked(Target target) {
        require(target instanceof LocalTarget, "target '%s' is not this machine", target.name());
        return (LocalTarget) target;
    }
}
