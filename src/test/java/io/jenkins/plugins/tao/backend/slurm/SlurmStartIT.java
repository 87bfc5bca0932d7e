package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Jobs that can never start, or not in time, on the real cluster of the rig. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmStartIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private final SlurmTarget target = SlurmRig.target("start-" + RUN).build();
    private final RigWatch watch = new RigWatch(target);
    private final Host host = new SshHost(target.login(), "rig");

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() throws Exception {
        watch.close();
        SlurmRig.cancelAll(host, RUN);
        host.close();
    }

    private static Resources time(Duration wallTime) {
        return new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(wallTime));
    }

    private Failed failed(JobHandle job) {
        return (Failed) watch.end(job).outcome();
    }

    @Test
    @Promise("TR-21")
    void whatCannotStartAndWhatDoesNotStartInTimeEndWithTheirReasons() throws Exception {
        String held =
                SlurmRig.shell(host, "sbatch --parsable --hold -J tao-job-held-" + RUN + " -o /dev/null --wrap true");
        JobHandle never = watch.start(
                "never-" + RUN,
                JobSpec.of("true").resources(time(Duration.ofDays(300))).build());
        JobHandle late = watch.start(
                "late-" + RUN,
                JobSpec.of("true")
                        .resources(time(Duration.ofMinutes(5)).withStartWithin(Optional.of(Duration.ofMinutes(1))))
                        .options(Records.of(SlurmOptions.class, "dependency", "afterany:" + held))
                        .build());

        assertThat(failed(never).cause()).isEqualTo(Cause.NOT_STARTED);
        assertThat(failed(never).detail()).startsWith("The job can never start: PartitionTimeLimit");
        assertThat(failed(late))
                .isEqualTo(new Failed(
                        Cause.NOT_STARTED,
                        "The job did not start within 1m (startWithin); it waited for: Dependency: waits for another"
                                + " job."));
        assertThat(SlurmRig.shell(host, "squeue -h -o %i -j " + never.nativeId() + "," + late.nativeId()))
                .isEmpty();
    }

    @Test
    @Promise("TR-22")
    void theWallTimeIsComparedWithTheDefaultPartition() throws Exception {
        try (SlurmBackend backend = new SlurmBackend(target, new SshHost(target.login(), "rig"))) {
            assertThat(backend.preflight(JobSpec.of("true")
                                    .resources(time(Duration.ofDays(300)))
                                    .build())
                            .checks())
                    .filteredOn(check -> check.verdict() == Verdict.FAILED)
                    .extracting(Check::detail)
                    .singleElement()
                    .asString()
                    .contains("is more than the default partition '");
        }
    }
}
