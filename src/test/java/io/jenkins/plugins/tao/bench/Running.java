package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.awaitility.Awaitility;

/** A small job that runs. */
final class Running {
    private Running() {}

    static JobSpec spec(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(30))))
                .build();
    }

    static JobHandle start(Rig rig, String name, String command) throws Exception {
        try (Backend backend = rig.slurm.open(rig.target())) {
            JobHandle job = backend.submit(spec(command), new JobKey(rig.run + "-" + name));
            rig.take(List.of(job.nativeId()));
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        var status = backend.poll(Set.of(job)).get(job);
                        return status != null && status.state() == JobState.RUNNING;
                    });
            return job;
        }
    }
}
