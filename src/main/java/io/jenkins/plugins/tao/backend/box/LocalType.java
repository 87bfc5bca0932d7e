package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.TargetedType;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.host.LocalHost;

/** The type {@code local}: the same as {@code ssh} on this machine. */
public final class LocalType extends TargetedType<LocalTarget> {
    static final String NAME = "local";

    /** For {@link java.util.ServiceLoader}. */
    public LocalType() {
        super(NAME, LocalTarget.class, BoxOptions.class);
    }

    @Override
    public Backend open(Target target) {
        return new BoxBackend(BoxPlace.of(checked(target)), new LocalHost());
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        return BoxPreview.of(BoxPlace.of(checked(target)), spec, key);
    }
}
