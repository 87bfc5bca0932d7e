package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.CuttingProxy;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done around jobs on a box: its places, its bill, what comes and goes. */
final class BoxCareIT {
    @TempDir
    Path directory;

    private BoxStage box;

    @BeforeEach
    void open() {
        BoxRig.assumeUp();
        box = new BoxStage(3);
    }

    @AfterEach
    void close() {
        if (box != null) {
            box.close();
        }
    }

    private void use(BoxSettings settings) {
        box.close();
        box = new BoxStage(3, settings);
    }

    private static BoxSettings stoppedBy(String command) {
        BoxRules none = BoxRules.NONE;
        return new BoxSettings(
                BoxPlaces.NONE,
                BoxNetwork.NONE,
                new BoxRules(
                        none.lease(),
                        none.runtime(),
                        none.detach(),
                        none.maxJobs(),
                        none.leastDiskGib(),
                        none.leastInodes(),
                        none.meanUptime(),
                        none.containerMounts(),
                        Optional.of(command)));
    }

    private static BoxSettings ruled(OptionalInt jobs, OptionalInt gib, OptionalInt inodes) {
        BoxRules none = BoxRules.NONE;
        return new BoxSettings(
                BoxPlaces.NONE,
                BoxNetwork.NONE,
                new BoxRules(
                        none.lease(),
                        none.runtime(),
                        none.detach(),
                        jobs,
                        gib,
                        inodes,
                        none.meanUptime(),
                        none.containerMounts(),
                        none.stopCommand()));
    }

    private static BoxOptions with(Map<String, String> downloads, List<String> packages, boolean clean) {
        return BoxOptions.of(
                new BoxPreparation(Optional.empty(), downloads, packages, Optional.empty(), Optional.empty(), clean));
    }

    @Test
    @Promise({"GB-08", "GB-42"})
    void theBoxFetchesDataItselfAndResumesWhatStandsStill() throws Exception {
        use(new BoxSettings(
                BoxPlaces.NONE,
                new BoxNetwork(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(Duration.ofSeconds(2))),
                BoxRules.NONE));
        byte[] model = new byte[4_000_000];
        new Random(2).nextBytes(model);
        try (StallingServer server = new StallingServer(model);
                CuttingProxy line = new CuttingProxy(BoxRig.port(3))) {
            SshTarget target = new SshTarget(
                    "box3", BoxRig.through(line.port(), 3), box.target.baseDirectory(), box.target.settings());
            BoxBackend backend = (BoxBackend) new SshType().open(target);
            JobHandle job = backend.submit(
                    JobSpec.of("sha256sum <\"$DATA_DIR/models/m.bin\"")
                            .options(with(Map.of("models/m.bin", server.address()), List.of(), false))
                            .build(),
                    box.key("download"));
            JobStatus end = box.end(job);
            backend.close();

            assertThat(end.exitCode()).hasValue(0);
            assertThat(server.starts()).hasSize(2);
            assertThat(server.starts().get(0)).isZero();
            assertThat(server.starts().get(1)).isBetween(1_500_000L, 2_000_000L);
            assertThat(box.text(job, Stream.ERR)).contains("stood still or broke off at ", "going on from there");
            assertThat(box.text(job, Stream.OUT))
                    .startsWith(java.util.HexFormat.of()
                            .formatHex(java.security.MessageDigest.getInstance("SHA-256")
                                    .digest(model)));
            assertThat(line.down() + line.up()).isLessThan(300_000);
        }
    }

    @Test
    @Promise("GB-10")
    void anEnvironmentOfPinnedPackagesIsMadeOnceAndOnlyWhenAskedFor() throws Exception {
        box.shell("mkdir -p /box/py; cat >/box/py/python3 <<'X'\n#!/bin/sh\necho \"$@\" >>/box/py/calls\n"
                + "if [ \"$2\" = venv ]; then mkdir -p \"$4/bin\"; cp /box/py/python3 \"$4/bin/python\"; fi\nX\n"
                + "chmod +x /box/py/python3; : >/box/py/calls");
        Map<String, String> path = Map.of("PATH", "/box/py:/usr/bin:/bin");
        BoxOptions pinned = with(Map.of(), List.of("torch==2.5.1", "nvidia-tao==6.0.0"), false);

        JobHandle one =
                box.submit("env1", JobSpec.of("command -v python").env(path).options(pinned));
        box.end(one);
        JobHandle two =
                box.submit("env2", JobSpec.of("command -v python").env(path).options(pinned));
        box.end(two);
        JobHandle none =
                box.submit("env3", JobSpec.of("command -v python || echo none").env(Map.of("PATH", "/bin")));
        box.end(none);

        assertThat(box.shell("grep -c 'm venv' /box/py/calls")).isEqualTo("1\n");
        assertThat(box.shell("grep 'pip install' /box/py/calls")).contains("-r " + one.jobDirectory() + "/packages");
        assertThat(box.text(two, Stream.OUT)).startsWith(box.target.baseDirectory() + "/envs/");
        assertThatThrownBy(() -> with(Map.of(), List.of("torch>=2"), false)).hasMessageContaining("is not pinned");
    }

    @Test
    @Promise({"GB-16", "GB-43"})
    void placesAndHooksAreNamedBySettingsAndSeenByTheJob() throws Exception {
        use(new BoxSettings(
                new BoxPlaces(
                        Optional.of("/box/data"),
                        Optional.of("/box/durable"),
                        Optional.of("/box/scratch"),
                        Optional.of("/box/data/hf"),
                        Optional.of("/box/credentials")),
                new BoxNetwork(
                        Optional.of("https://hf-mirror.com"),
                        Optional.of(true),
                        Optional.of("export https_proxy=http://proxy:3128"),
                        Optional.empty()),
                BoxRules.NONE));
        box.shell("umask 077; echo WANDB_API_KEY=w4ndb >/box/credentials");
        JobSpec.Builder spec = JobSpec.of("env; ls -d \"$SCRATCH\"").options(with(Map.of(), List.of(), true));

        JobHandle job = box.submit("places", spec);
        box.end(job);

        assertThat(box.text(job, Stream.OUT).lines())
                .contains(
                        "DATA_DIR=/box/data",
                        "DURABLE_DIR=/box/durable",
                        "SCRATCH=/box/scratch/" + job.key(),
                        "HF_HOME=/box/data/hf",
                        "HF_ENDPOINT=https://hf-mirror.com",
                        "HF_HUB_ENABLE_HF_TRANSFER=1",
                        "https_proxy=http://proxy:3128",
                        "WANDB_API_KEY=w4ndb",
                        "TAO_RESULTS_DIR=/box/durable/results/" + job.key());
    }

    @Test
    @Promise("GB-45")
    void scratchIsCleanedAfterSuccessAloneAndOnlyWhenAskedFor() throws Exception {
        use(new BoxSettings(
                new BoxPlaces(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("/box/scratch"),
                        Optional.empty(),
                        Optional.empty()),
                BoxNetwork.NONE,
                BoxRules.NONE));

        for (String[] each : new String[][] {{"good", "true"}, {"bad", "false"}, {"kept", "true"}}) {
            boolean clean = !each[0].equals("kept");
            box.end(box.submit(
                    each[0],
                    JobSpec.of("touch \"$SCRATCH/x\"; echo best >{results_dir}/best; " + each[1])
                            .options(with(Map.of(), List.of(), clean))));
        }

        assertThat(box.shell("ls /box/scratch").lines())
                .contains(
                        "bad-" + box.key("x").value().substring(2),
                        "kept-" + box.key("x").value().substring(2))
                .doesNotContain("good-" + box.key("x").value().substring(2));
        assertThat(box.shell("cat " + box.target.baseDirectory() + "/results/" + box.key("good") + "/best"))
                .isEqualTo("best\n");
    }

    @Test
    @Promise("GB-44")
    void credentialsTravelByStandardInputAndLieOnLocalDisksAlone() throws Exception {
        use(new BoxSettings(
                new BoxPlaces(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("/box/credentials")),
                BoxNetwork.NONE,
                BoxRules.NONE));
        JobHandle job = box.submit(
                "secret",
                JobSpec.of("touch {results_dir}/up; while [ ! -e {results_dir}/go ]; do sleep 0.1; done")
                        .secrets(Map.of("TOKEN", Secret.of("t0psecret"))));
        box.waitForFile(job.resultsDirectory() + "/up");
        String inArguments = box.shell("cat /proc/[0-9]*/cmdline | tr '\\000' ' ' | grep -c t0p'secret' || :");
        String inFiles = box.shell("grep -rl t0p'secret' " + box.target.baseDirectory() + " || :");
        box.shell("touch " + job.resultsDirectory()
                + "/go; umask 022; rm -f /box/credentials; echo A=1 >/box/credentials");
        Report open = box.backend.preflight(JobSpec.of("true").build());
        box.shell("chmod 600 /box/credentials");
        Report closed = box.backend.preflight(JobSpec.of("true").build());

        assertThat(inArguments).isEqualTo("0\n");
        assertThat(inFiles).isEmpty();
        assertThat(open.failed()).isTrue();
        assertThat(open.checks())
                .anySatisfy(check -> assertThat(check.detail()).contains("has the mode 644, others may read it"));
        assertThat(closed.failed()).isFalse();
    }

    @Test
    @Promise({"GB-02", "GB-03", "GB-09", "GB-12", "GB-34"})
    void theStartTellsWhatTheBoxCostsAndWhatItHas() throws Exception {
        Report report = box.backend.preflight(BoxStage.job("true", 1).build());

        assertThat(report.failed()).isFalse();
        assertThat(report.checks().toString())
                .contains("costs money day and night until you release it by hand")
                .contains("ssh -N -L 6006:localhost:6006 -p 2233 tao@127.0.0.1")
                .contains("NVIDIA A100-SXM4-80GB, 580.65.06")
                .contains("2 free of 2")
                .containsPattern("name=python, verdict=PASSED, detail=\\S+")
                .containsPattern("\\d+ GiB and \\d+ inodes are free for " + box.target.baseDirectory());
    }

    @Test
    @Promise("GB-12")
    void tooLittleRoomStopsAJobBeforeItStarts() throws Exception {
        use(ruled(OptionalInt.empty(), OptionalInt.of(1_000_000), OptionalInt.empty()));
        Report disk = box.backend.preflight(JobSpec.of("true").build());
        use(ruled(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(2_000_000_000)));
        Report inodes = box.backend.preflight(JobSpec.of("true").build());

        assertThat(disk.failed()).isTrue();
        assertThat(inodes.failed()).isTrue();
        assertThat(inodes.checks().toString()).contains("2000000000 inodes are asked for");
    }

    @Test
    @Promise("GB-41")
    void aDiskThatRunsFullUnderAJobIsToldWithWhatFillsIt() throws Exception {
        use(ruled(OptionalInt.empty(), OptionalInt.of(1_000_000), OptionalInt.empty()));
        JobHandle job = box.submit(
                "full",
                JobSpec.of("mkdir -p {results_dir}/checkpoints; head -c 3000000 /dev/zero >{results_dir}/checkpoints/a;"
                        + " touch {results_dir}/up; sleep 3; echo 'OSError: No space left on device' >&2; exit 1"));
        box.waitForFile(job.resultsDirectory() + "/up");

        JobStatus low = box.until(job, "DISK_LOW");
        box.end(job);

        assertThat(low.reason().orElse("")).contains("GiB and ", "tao box largest box3 tells what fills it");
        assertThat(box.backend.diagnose(job).summary()).startsWith("The disk is full");
        assertThat(box.backend.largest())
                .anySatisfy(line -> assertThat(line).contains("2 MiB", box.target.baseDirectory() + "/results"));
    }

    @Test
    @Promise("GB-15")
    void theLargestDirectoriesAreListedBehindSymbolicLinksTooAndNothingIsDeleted() throws Exception {
        String base = box.target.baseDirectory();
        box.shell("mkdir -p " + base + " /box/elsewhere/hub; head -c 9000000 /dev/zero >/box/elsewhere/hub/model;"
                + " rm -rf ~/.cache; mkdir -p ~/.cache; ln -sfn /box/elsewhere ~/.cache/huggingface");

        List<String> lines = box.backend.largest();

        assertThat(lines.toString()).contains("8 MiB  /box/elsewhere/hub");
        assertThat(box.shell("ls -L ~/.cache/huggingface/hub; rm -rf ~/.cache /box/elsewhere"))
                .isEqualTo("model\n");
    }

    @Test
    @Promise({"GB-14", "GB-22"})
    void aBoxIsReleasedOnlyWhenNothingRunsAndAllResultsAreHome() throws Exception {
        use(stoppedBy("touch /box/released"));
        box.shell("rm -f /box/released");
        JobHandle job = box.submit(
                "results",
                JobSpec.of("mkdir {results_dir}/train; echo w >{results_dir}/train/best.pth;"
                        + " echo 2 >{results_dir}/notes"));
        box.end(job);
        assertThatThrownBy(() -> box.backend.release(false))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("train/best.pth is not at home")
                .hasMessageContaining("notes is not at home");

        box.backend.fetch(job, ArtifactPlan.of(List.of("train/*")), new NullSink());
        assertThatThrownBy(() -> box.backend.release(false)).hasMessageContaining("notes is not at home");
        box.backend.fetch(job, ArtifactPlan.of(List.of("**/*")), new NullSink());
        box.shell("echo changed >>" + job.resultsDirectory() + "/train/best.pth");
        assertThatThrownBy(() -> box.backend.release(false)).hasMessageContaining("train/best.pth is not at home");
        JobHandle running = box.submit("running", JobSpec.of("sleep 600"));
        box.until(running, "RUNNING");
        assertThatThrownBy(() -> box.backend.release(true)).hasMessageContaining("job " + running.key() + " runs");
        box.backend.cancel(running);
        assertThat(box.end(running).ending()).hasValue(Ending.CANCELLED);
        assertThat(box.shell("ls /box | grep -c released || :")).isEqualTo("0\n");

        box.backend.fetch(job, ArtifactPlan.of(List.of("**/*")), new NullSink());
        List<String> done = box.backend.release(false);

        assertThat(done.get(0)).isEqualTo("All results of this box are at home, with the right checksums.");
        assertThat(box.shell("ls /box | grep -c released; rm -f /box/released")).isEqualTo("1\n");
    }

    @Test
    @Promise("GB-28")
    void theReminderNamesHostAndAgeAndStopsNothing() throws Exception {
        use(stoppedBy("touch /box/never"));
        box.end(box.submit("done", JobSpec.of("true")));

        List<String> reminder = box.backend.reminder();

        assertThat(reminder.get(0))
                .startsWith("REMINDER: the box box3 (box3, ssh -p 2233 tao@127.0.0.1) goes on costing money until you")
                .containsPattern("up for \\d+\\w+.*, first job \\d+s ago, 0 running, 0 queued, 1 ended");
        assertThat(reminder).anySatisfy(line -> assertThat(line).contains("have not been brought home"));
        assertThat(reminder).anySatisfy(line -> assertThat(line).contains("It is idle. Nothing is stopped for you"));
        assertThat(box.shell("ls /box/never 2>/dev/null || :")).isEmpty();
    }

    @Test
    @Promise("GB-26")
    void withOneJobAtOnceTheOthersRunOneAfterTheOtherWhateverBecomesOfTheController() throws Exception {
        use(ruled(OptionalInt.of(1), OptionalInt.empty(), OptionalInt.empty()));
        String work = "echo begin $TAO_JOB_ID >>/box/order; sleep 1; echo end $TAO_JOB_ID >>/box/order";
        box.shell("rm -f /box/order");
        JobHandle one = box.submit("1", JobSpec.of(work));
        box.until(one, "RUNNING");
        JobHandle two = box.submit("2", JobSpec.of(work));
        box.until(two, "QUEUED");
        JobHandle three = box.submit("3", JobSpec.of(work));
        box.backend.close();

        box.end(three);

        assertThat(box.shell("cat /box/order"))
                .isEqualTo(String.format(
                        "begin %s%nend %s%nbegin %s%nend %s%nbegin %s%nend %s%n",
                        one.key(), one.key(), two.key(), two.key(), three.key(), three.key()));
    }

    @Test
    @Promise("GB-31")
    void aPushedScriptWithLineEndsOfWindowsIsRepairedAndTold() throws Exception {
        Files.writeString(directory.resolve("run.sh"), "#!/bin/sh\r\necho ran\r\n");
        Files.writeString(directory.resolve("data.bin"), "a\r\nb");

        List<String> lines = box.backend.push(directory, "scripts");
        String code = box.target.baseDirectory() + "/code/scripts/current";

        assertThat(lines.toString()).contains("took the line ends of Windows (CR) out of run.sh", ".gitattributes");
        assertThat(box.shell("sh " + code + "/run.sh")).isEqualTo("ran\n");
        assertThat(box.shell("cat " + code + "/data.bin")).isEqualTo("a\r\nb");
    }

    /** Takes everything and keeps nothing. */
    private static final class NullSink implements ArtifactSink {
        @Override
        public OutputStream open(String path) {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void skipped(String path, String reason) {
            throw new AssertionError(path + ": " + reason);
        }
    }
}
