package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.TargetedType;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.ssh.SshHost;

/** The type {@code ssh}: detached processes and containers on a machine that answers SSH and nothing else. */
public final class SshType extends TargetedType<SshTarget> {
    static final String NAME = "ssh";

    /** For {@link java.util.ServiceLoader}. */
    public SshType() {
        super(NAME, SshTarget.class, BoxOptions.class);
    }

    @Override
    public void preload() {
        SshHost.preload();
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
}
