package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.ssh.SshHost;

/** The type {@code ssh}: detached processes and containers on a machine that answers SSH and nothing else. */
public final class SshType implements BackendType {
    static final String NAME = "ssh";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<? extends Target> targetType() {
        return SshTarget.class;
    }

    @Override
    public Class<? extends JobOptions> optionsType() {
        return BoxOptions.class;
    }

    @Override
    public Backend open(Target target) {
        SshTarget box = checked(target);
        return new BoxBackend(BoxPlace.of(box), new SshHost(box.login(), box.name()));
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        return BoxPreview.of(BoxPlace.of(checked(target)), spec, key);
    }

    private static SshTarget checked(Target target) {
        require(target instanceof SshTarget, "target '%s' is no machine reached by SSH", target.name());
        return (SshTarget) target;
    }
}
