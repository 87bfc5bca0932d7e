package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Login hosts whose shells, clocks, disks and Slurm commands are not as ours would like them. */
@NeedsRig(value = "slurm", shared = true)
final class SlurmLoginShellIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final String DIRECTORY = "shell-" + RUN;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    private static JobKey key(String name) {
        return new JobKey(name + "-" + RUN);
    }

    private static JobSpec job(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))))
                .build();
    }

    private static SlurmBackend backend(OwnSshd server) throws Exception {
        SlurmTarget target = server.target(DIRECTORY);
        return new SlurmBackend(target, new SshHost(target.login(), "rig"));
    }

    private static JobStatus untilEnded(SlurmBackend backend, JobHandle job) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () -> backend.poll(Set.of(job)).get(job),
                        status -> status != null && status.state() == JobState.ENDED);
    }

    private static String read(SlurmBackend backend, JobHandle job, Stream stream) throws BackendException {
        StreamRef ref = new StreamRef(job, stream);
        Tail tail =
                Objects.requireNonNull(backend.read(Map.of(ref, Position.START)).get(ref), "nothing was written");
        return new String(tail.bytes(), StandardCharsets.UTF_8);
    }

    /** Each command a login host forces upon its users, with ours in SSH_ORIGINAL_COMMAND. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "noisy | echo 'tao-submit id 1 1'; echo 'tao-end 0'; echo 'Last login: today' >&2; exec /bin/bash -c \"$SSH_ORIGINAL_COMMAND\"",
                "csh | exec /usr/bin/tcsh -c \"$SSH_ORIGINAL_COMMAND\"",
                "speaks-last | /bin/bash -c \"$SSH_ORIGINAL_COMMAND\"; rc=$?; echo 'session recorded'; echo 'bye' >&2; exit $rc",
                "busybox | exec busybox sh -c \"$SSH_ORIGINAL_COMMAND\""
            })
    void aWholeLifeUnderAShellThatIsNotOurs(String name, String forced) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/usr/bin/tcsh")), "no tcsh here");
        Path banner = Files.writeString(Files.createTempFile("banner", ""), "*** Authorised use only ***\n");
        try (OwnSshd server = OwnSshd.start("Banner " + banner, "ForceCommand " + forced);
                SlurmBackend backend = backend(server)) {
            JobSpec spec = job("echo \"it's $((6 * 7))!\"; printf weights > {results_dir}/m.pth");

            assertThat(backend.preflight(spec).failed()).isFalse();
            JobHandle job = backend.submit(spec, key(name));
            JobStatus status = untilEnded(backend, job);
            MapSink sink = new MapSink();
            backend.fetch(job, ArtifactPlan.of(List.of("*.pth")), sink);

            assertThat(status.ending()).contains(Ending.COMPLETED);
            assertThat(status.exitCode()).hasValue(0);
            assertThat(read(backend, job, Stream.OUT)).isEqualTo("it's 42!\n");
            assertThat(sink.texts()).containsEntry("results/m.pth", "weights");
            assertThat(backend.submit(spec, key(name))).isEqualTo(job);
            backend.cancel(job);
        }
        Files.delete(banner);
    }

    @Test
    void aBaseThatBelongsToAnotherIsDeniedWithWhatTheSystemSaid() throws Exception {
        String base = "/lustre/tao/others-" + RUN;
        String closed = "mkdir -p " + base + " && mount -t tmpfs -o size=64k,uid=0,mode=755 tmpfs " + base;
        try (OwnSshd server = OwnSshd.startAfter(closed);
                SlurmBackend backend =
                        new SlurmBackend(server.target("others-" + RUN), new SshHost(server.login(), "rig"))) {
            assertThatThrownBy(() -> backend.submit(job("true"), key("closed")))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining("Permission denied");
        }
    }

    @Test
    void aFullSharedFilesystemIsToldAsSuchAndNothingIsSent() throws Exception {
        String base = "/lustre/tao/full-" + RUN;
        String tiny = "mkdir -p " + base + " && mount -t tmpfs -o size=64k,uid=20001 tmpfs " + base;
        try (OwnSshd server = OwnSshd.startAfter(tiny);
                SlurmBackend backend =
                        new SlurmBackend(server.target("full-" + RUN), new SshHost(server.login(), "rig"))) {
            JobSpec large =
                    JobSpec.of("true").spec(Map.of("text", "x".repeat(100_000))).build();

            assertThatThrownBy(() -> backend.submit(large, key("full")))
                    .isInstanceOf(Rejected.class)
                    .hasMessageContaining("is full")
                    .hasMessageContaining("No space left on device");
        }
        try (Host host = new SshHost(SlurmRig.login(), "rig")) {
            assertThat(SlurmRig.shell(host, "squeue -h -t all -u tao --name=tao-job-" + key("full")))
                    .isEmpty();
        }
    }

    /** The commands of a login host with some of Slurm's replaced by scripts that lie. */
    private static OwnSshd lying(String... namesAndBodies) throws Exception {
        Path bin = Files.createDirectories(Path.of("/lustre/tao", "bin-" + RUN + "-" + System.nanoTime()));
        for (int i = 0; i < namesAndBodies.length; i += 2) {
            Path file = Files.writeString(bin.resolve(namesAndBodies[i]), "#!/bin/sh\n" + namesAndBodies[i + 1] + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return OwnSshd.start("SetEnv PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin");
    }

    @Test
    void aLoginHostWhoseClockIsAnHourAheadHidesNoStatusFile() throws Exception {
        try (OwnSshd server = lying("date", "exec /usr/bin/date -d '+1 hour' \"$@\"");
                SlurmBackend backend = backend(server)) {
            JobHandle job =
                    backend.submit(job("echo '{\"status\": \"FAILURE\"}' > {results_dir}/status.json"), key("ahead"));
            untilEnded(backend, job);

            assertThat(read(backend, job, Stream.STATUS)).contains("FAILURE");
            assertThat(job.submittedAt())
                    .isBetween(Instant.now().minusSeconds(120), Instant.now().plusSeconds(120));
        }
    }

    @Test
    void aStatusFileOfAnEarlierJobDoesNotCountThoughTheClockIsAnHourBehind() throws Exception {
        try (OwnSshd server = lying("date", "exec /usr/bin/date -d '-1 hour' \"$@\"");
                SlurmBackend backend = backend(server)) {
            Path results =
                    Path.of("/lustre/tao", DIRECTORY, "results", key("behind").value());
            SshHost host = new SshHost(server.login(), "rig");
            SlurmRig.shell(
                    host,
                    "mkdir -p " + results + "; echo '{\"status\": \"FAILURE\"}' > " + results
                            + "/status.json; touch -d '2 minutes ago' " + results + "/status.json");
            JobHandle job = backend.submit(job("true"), key("behind"));
            untilEnded(backend, job);

            assertThat(backend.read(Map.of(new StreamRef(job, Stream.STATUS), Position.START)))
                    .isEmpty();
            host.close();
        }
    }

    @Test
    void aJobThatSbatchStartedWithoutSayingSoIsFoundAndNotStartedAgain() throws Exception {
        try (OwnSshd server = lying(
                        "sbatch",
                        "/usr/bin/sbatch \"$@\" > /dev/null; echo 'sbatch: error: Batch job submission failed:"
                                + " Socket timed out on send/recv operation' >&2; exit 1");
                SlurmBackend backend = backend(server)) {
            assertThatThrownBy(() -> backend.submit(job("sleep 60"), key("silent")))
                    .isInstanceOf(Unreachable.class);

            JobHandle job = backend.submit(job("sleep 60"), key("silent"));

            try (Host host = new SshHost(SlurmRig.login(), "rig")) {
                assertThat(SlurmRig.shell(host, "squeue -h -t all -u tao -o %i --name=tao-job-" + key("silent")))
                        .isEqualTo(job.nativeId());
            }
            backend.cancel(job);
        }
    }

    @Test
    void anEndThatAccountingTellsLateAndInPartsIsWaitedFor() throws Exception {
        String stage = "/lustre/tao/stage-" + RUN;
        try (OwnSshd server = lying(
                        "squeue",
                        "[ -e " + stage + " ] || exec /usr/bin/squeue \"$@\"\n"
                                + "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1",
                        "scontrol",
                        "case \"$*\" in *'show job'*) [ -e " + stage + " ] && {\n"
                                + "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; } ;; esac\n"
                                + "exec /usr/bin/scontrol \"$@\"",
                        "sacct",
                        "case $(cat " + stage + ") in missing) ;; *) /usr/bin/sacct \"$@\" | sed \"$(cat " + stage
                                + ")\" ;; esac");
                SlurmBackend backend = backend(server)) {
            JobHandle job = backend.submit(job("exit 3"), key("late"));
            untilEnded(backend, job);
            Files.delete(Path.of("/lustre/tao", DIRECTORY, "exit", job.key() + "-" + job.nativeId()));

            Files.writeString(Path.of(stage), "missing");
            assertThat(backend.poll(Set.of(job))).isEmpty();
            Files.writeString(Path.of(stage), "s/tao-job-.*/allocation/");
            assertThat(backend.poll(Set.of(job))).isEmpty();
            Files.writeString(Path.of(stage), "s/FAILED/RUNNING/");
            assertThat(backend.poll(Set.of(job))).isEmpty();
            Files.writeString(Path.of(stage), "");

            JobStatus status = untilEnded(backend, job);
            assertThat(status.ending()).contains(Ending.FAILED);
            assertThat(status.exitCode()).isEmpty();
        }
        Files.delete(Path.of(stage));
    }
}
