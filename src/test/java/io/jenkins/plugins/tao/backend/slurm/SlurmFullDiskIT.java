package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Outcome.Succeeded;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A shared filesystem of two mebibytes, seen by a login host and by one node, that a running job fills to the last byte. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmFullDiskIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final String DIRECTORY = "full-" + RUN;
    private static final String BASE = "/lustre/tao/" + DIRECTORY;
    private static final String NODE = "gpu03";

    /** To the last byte, and then once more to find that there is none. */
    private static final String FILL =
            "echo begun; cat /dev/zero > {results_dir}/checkpoint; cat /dev/zero > {results_dir}/more; ";

    private Optional<OwnSshd> server = Optional.empty();
    private Optional<RigWatch> watch = Optional.empty();

    @BeforeAll
    void mountASmallOne() throws Exception {
        SlurmRig.assumeUp();
        OwnSshd started =
                OwnSshd.startBeside(NODE, "mkdir -p " + BASE + " && mount -t tmpfs -o size=2m,uid=20001 tmpfs " + BASE);
        server = Optional.of(started);
        watch = Optional.of(new RigWatch(started.target(DIRECTORY)));
    }

    @AfterAll
    void unmountIt() throws Exception {
        watch.ifPresent(RigWatch::close);
        if (server.isPresent()) {
            server.get().close();
            OwnSshd.startBeside(NODE, "umount -l " + BASE).close();
        }
    }

    private static JobSpec job(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))))
                .secrets(Map.of("TOKEN", Secret.of("never-told-" + RUN)))
                .options(Records.of(SlurmOptions.class, "partition", "polar3", "nodelist", NODE))
                .build();
    }

    /** Runs a job to its end with room for it, which is gone when it ends. */
    private JobResult filledBy(SlurmBackend backend, Host host, String name, String end) throws Exception {
        SlurmRig.shell(host, "rm -rf " + BASE + "/results/*");
        RigWatch watching = watch.orElseThrow();
        JobHandle job = watching.start(name + "-" + RUN, job(FILL + end));

        JobResult result = watching.end(job);

        assertThat(backend.poll(Set.of(job)).get(job))
                .satisfies(status -> assertThat(status.exitCode()).isPresent());
        assertThat(SlurmRig.shell(host, "ls -A " + BASE + "/secrets")).isEmpty();
        return result;
    }

    @Test
    void aJobThatFillsTheSharedFilesystemEndsAsItEndedAndTheReasonIsTold() throws Exception {
        SlurmTarget target = server.orElseThrow().target(DIRECTORY);
        try (SshHost host = new SshHost(target.login(), "rig");
                SlurmBackend backend = new SlurmBackend(target, host)) {
            JobResult well = filledBy(backend, host, "well", "exit 0");
            JobResult failed = filledBy(backend, host, "failed", "exit 3");

            assertThat(well.outcome()).isEqualTo(new Succeeded());
            assertThat(failed.outcome()).isInstanceOf(Failed.class);
            assertThat(((Failed) failed.outcome()).cause()).isEqualTo(Cause.PROGRAM);
            assertThat(failed.exitCode()).hasValue(3);
            assertThat(backend.diagnose(failed.handle()).summary()).contains("no room left on the shared filesystem");
            assertThatThrownBy(() -> backend.submit(job("true"), new JobKey("next-" + RUN)))
                    .isInstanceOf(Rejected.class)
                    .hasMessageContaining("is full");
        }
    }
}
