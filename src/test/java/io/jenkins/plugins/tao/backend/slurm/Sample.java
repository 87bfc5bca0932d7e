package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmScript;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Values that several tests start from. */
public final class Sample {
    public static final JobKey KEY = new JobKey("dino-train-0a1b2c");

    private Sample() {}

    public static Records.Draft<SlurmTarget> target() {
        return Records.draft(SlurmTarget.class)
                .with("name", "dgx")
                .with(
                        "login",
                        new SshLogin(
                                List.of(SshAddress.parse("login1")),
                                "ada",
                                SshKey.ofText(Secret.of("key"), Optional.empty()),
                                HostKeys.ofText("")))
                .with("baseDirectory", "/lustre/tao");
    }

    public static JobHandle handle(String key, String id) {
        return new JobHandle(
                "dgx", "slurm", new JobKey(key), 1, id, "/lustre/tao", "/lustre/tao/results/" + key, Instant.EPOCH);
    }

    public static Resources machines(int nodes, int gpus) {
        return new Resources(nodes, OptionalInt.of(gpus), OptionalInt.empty(), Optional.empty());
    }

    public static Resources time(Duration wallTime) {
        return new Resources(1, OptionalInt.empty(), OptionalInt.empty(), Optional.of(wallTime));
    }

    public static String script(JobSpec spec) throws Exception {
        return SlurmScript.render(SlurmPlan.of(target().build(), spec, KEY));
    }
}
