package io.jenkins.plugins.tao.backend.slurm;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Carrying;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Slurm clusters over SSH. */
public final class SlurmType implements BackendType, Carrying {
    static final String NAME = "slurm";

    /** For {@link java.util.ServiceLoader}. */
    public SlurmType() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<? extends Target> targetType() {
        return SlurmTarget.class;
    }

    @Override
    public Class<? extends JobOptions> optionsType() {
        return SlurmOptions.class;
    }

    @Override
    public String indexVariable() {
        return "SLURM_ARRAY_TASK_ID";
    }

    @Override
    public Map<String, String> members(int count, int most) {
        return Map.of("array", "0-" + (count - 1) + "%" + most);
    }

    @Override
    public void preload() {
        SshHost.preload();
    }

    @Override
    public Backend open(Target target) {
        SlurmTarget slurm = checked(target);
        return new SlurmBackend(slurm, new SshHost(slurm.login(), slurm.name()));
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        SlurmTarget slurm = checked(target);
        SlurmPlan plan = SlurmPlan.of(slurm, spec, key);
        int prefix = slurm.baseDirectory().length() + 1;
        List<Preview.Part> parts = new ArrayList<>();
        plan.files().forEach((path, text) -> parts.add(new Preview.Part(path.substring(prefix), text)));
        return new Preview(parts);
    }

    private static SlurmTarget checked(Target target) {
        require(target instanceof SlurmTarget, "target '%s' is no Slurm cluster", target.name());
        return (SlurmTarget) target;
    }
}
