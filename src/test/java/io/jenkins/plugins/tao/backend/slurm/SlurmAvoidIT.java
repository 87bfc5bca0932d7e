package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** First attempts that avoid nodes, on a real Slurm whose partition {@code polar} has gpu01 and gpu02. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmAvoidIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private final SlurmTarget target = SlurmRig.target("avoid-" + RUN).build();
    private final Host host = new SshHost(target.login(), "rig");

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() throws Exception {
        SlurmRig.cancelAll(host, RUN);
        host.close();
    }

    /** What Slurm excludes. */
    private String excluded(String name, Records.Draft<SlurmOptions> options, String... avoided) throws Exception {
        JobSpec spec = JobSpec.of("true")
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))))
                .options(options.with("partition", "polar").build())
                .build();
        SlurmBackend backend = new SlurmBackend(target, host);
        JobHandle job = backend.submit(spec, new JobKey(name + "-" + RUN), new LinkedHashSet<>(List.of(avoided)));
        String shown = host.run("scontrol show job " + job.nativeId(), Duration.ofMinutes(1))
                .text();
        backend.cancel(job);
        return shown.replaceAll("(?s).*ExcNodeList=(\\S+).*", "$1");
    }

    @Test
    @Promise("NV-30")
    void slurmExcludesWhatFailedBesidesWhatTheUserExcludesAndNothingItDoesNotKnow() throws Exception {
        Records.Draft<SlurmOptions> options = Records.draft(SlurmOptions.class).with("exclude", "gpu03");

        assertThat(excluded("both", options, "gpu01", "gone77")).isEqualTo("gpu[01,03]");
    }

    @Test
    @Promise("NV-30")
    void aNodeThatTheJobAsksForByNameIsUsed() throws Exception {
        Records.Draft<SlurmOptions> options = Records.draft(SlurmOptions.class).with("nodelist", "gpu01");

        assertThat(excluded("named", options, "gpu01")).isEqualTo("(null)");
    }

    @Test
    @Promise("NV-30")
    void whereNoNodeWouldBeLeftTheLastThatFailedAloneIsAvoided() throws Exception {
        assertThat(excluded("all", Records.draft(SlurmOptions.class), "gpu02", "gpu01"))
                .isEqualTo("gpu02");
    }
}
