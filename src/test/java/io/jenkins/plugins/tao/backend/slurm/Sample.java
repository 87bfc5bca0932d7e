package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.HostKeys;
import io.jenkins.plugins.tao.remote.SshAddress;
import io.jenkins.plugins.tao.remote.SshKey;
import io.jenkins.plugins.tao.remote.SshLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Values that several tests start from. */
final class Sample {
    static final JobKey KEY = new JobKey("dino-train-0a1b2c");

    private Sample() {}

    static Records.Draft<SlurmTarget> target() {
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

    static JobHandle handle(String key, String id) {
        return new JobHandle(
                "dgx", "slurm", new JobKey(key), 1, id, "/lustre/tao", "/lustre/tao/results/" + key, Instant.EPOCH);
    }

    static Resources machines(int nodes, int gpus) {
        return new Resources(nodes, OptionalInt.of(gpus), OptionalInt.empty(), Optional.empty());
    }

    static Resources time(Duration wallTime) {
        return new Resources(1, OptionalInt.empty(), OptionalInt.empty(), Optional.of(wallTime));
    }

    static String script(JobSpec spec) throws Exception {
        return SlurmScript.render(SlurmPlan.of(target().build(), spec, KEY));
    }
}
