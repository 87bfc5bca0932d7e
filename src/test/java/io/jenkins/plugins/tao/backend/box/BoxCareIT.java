package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.MemoryFile;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.box.options.BoxRules;
import io.jenkins.plugins.tao.backend.box.options.BoxSettings;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done around jobs on a box: its places, its bill, what comes and goes. */
@NeedsRig("box")
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
        BoxRules none = BoxUsual.RULES;
        return new BoxSettings(
                BoxUsual.PLACES,
                BoxUsual.NETWORK,
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
        BoxRules none = BoxUsual.RULES;
        return new BoxSettings(
                BoxUsual.PLACES,
                BoxUsual.NETWORK,
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

    @Test
    @Promise({"GB-02", "GB-03", "GB-09", "GB-12", "GB-34"})
    void theStartTellsWhatTheBoxCostsAndWhatItHas() throws Exception {
        Report report = box.backend.preflight(BoxStage.job("true", 1).build());

        assertThat(report.failed()).isFalse();
        assertThat(report.checks().toString())
                .contains("costs money until you release it by hand")
                .contains("ssh -N -L 6006:localhost:6006 -p 2233 tao@127.0.0.1")
                .contains("NVIDIA A100-SXM4-80GB, 580.65.06")
                .contains("2 free of 2")
                .containsPattern("name=python, verdict=PASSED, detail=\\S+")
                .containsPattern("\\d+ GiB and \\d+ inodes are free for " + box.target.baseDirectory());
    }

    @Test
    @Promise("GB-09")
    void aJobUsesThePythonThatTheCheckFound() throws Exception {
        Report report = box.backend.preflight(JobSpec.of("true").build());
        JobHandle job = box.submit("python", JobSpec.of("command -v python3"));
        box.end(job);

        assertThat(report.checks().toString())
                .contains("name=python, verdict=PASSED, detail="
                        + box.text(job, Stream.OUT).strip() + ",");
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
                JobSpec.of(
                        "mkdir -p {results_dir}/checkpoints; head -c 3000000 /dev/zero >{results_dir}/checkpoints/a; touch {results_dir}/up;"
                                + " until [ -e {results_dir}/go ]; do sleep 0.1; done; echo 'OSError: No space left on device' >&2; exit 1"));
        box.waitForFile(job.resultsDirectory() + "/up");

        JobStatus low = box.until(job, "DISK_LOW");
        box.shell("touch " + job.resultsDirectory() + "/go");
        box.end(job);

        assertThat(low.reason().orElse("")).contains("GiB and ", "tao box largest box3 shows what fills it");
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
                .hasMessageContaining("train/best.pth has not been fetched")
                .hasMessageContaining("notes has not been fetched");

        box.backend.fetch(job, ArtifactPlan.of(List.of("train/*")), new NullSink());
        assertThatThrownBy(() -> box.backend.release(false)).hasMessageContaining("notes has not been fetched");
        box.backend.fetch(job, ArtifactPlan.of(List.of("**/*")), new NullSink());
        box.shell("echo changed >>" + job.resultsDirectory() + "/train/best.pth");
        assertThatThrownBy(() -> box.backend.release(false))
                .hasMessageContaining("train/best.pth has not been fetched");
        JobHandle running = box.submit("running", JobSpec.of("sleep 600"));
        box.until(running, "RUNNING");
        assertThatThrownBy(() -> box.backend.release(true)).hasMessageContaining("job " + running.key() + " runs");
        box.backend.cancel(running);
        assertThat(box.end(running).ending()).hasValue(Ending.CANCELLED);
        assertThat(box.shell("ls /box | grep -c released || :")).isEqualTo("0\n");

        box.backend.fetch(job, ArtifactPlan.of(List.of("**/*")), new NullSink());
        List<String> done = box.backend.release(false);

        assertThat(done.get(0)).isEqualTo("All results of this box have been fetched, and their checksums match.");
        assertThat(box.shell("ls /box | grep -c released; rm -f /box/released")).isEqualTo("1\n");
    }

    @Test
    @Promise({"GB-07", "GB-30"})
    void everyStepOfATransferIsBoundedInTime() throws Exception {
        Files.writeString(directory.resolve("a"), "a");
        JobHandle job = box.submit("small", JobSpec.of("echo 1 >{results_dir}/a"));
        box.end(job);
        CountedHost counted = new CountedHost(box.host);
        BoxBackend backend = new BoxBackend(BoxPlace.of(box.target), counted);

        backend.push(directory, "bounded");
        backend.fetch(job, ArtifactPlan.of(List.of("a")), new NullSink());

        assertThat(counted.limits()).hasSizeGreaterThan(3).allMatch(limit -> limit.toMinutes() <= 5);
    }

    @Test
    @Promise("GB-28")
    void theReminderNamesHostAndAgeAndStopsNothing() throws Exception {
        use(stoppedBy("touch /box/never"));
        box.end(box.submit("done", JobSpec.of("true")));

        List<String> reminder = box.backend.reminder();

        assertThat(reminder.get(0))
                .startsWith("REMINDER: the box box3 (box3, ssh -p 2233 tao@127.0.0.1) costs money until you")
                .containsPattern("up for \\d+\\w+.*, first job \\w+( \\w+)? ago, 0 running, 0 queued, 1 ended");
        assertThat(reminder).anySatisfy(line -> assertThat(line).contains("have not been fetched"));
        assertThat(reminder).anySatisfy(line -> assertThat(line).contains("It is idle. Nothing is stopped for you"));
        assertThat(box.shell("ls /box/never 2>/dev/null || :")).isEmpty();
    }

    @Test
    @Promise("GB-26")
    void withOneJobAtOnceTheOthersRunOneAfterTheOtherWhateverBecomesOfTheController() throws Exception {
        use(ruled(OptionalInt.of(1), OptionalInt.empty(), OptionalInt.empty()));
        String work = "echo begin $TAO_JOB_ID >>/box/order; until [ -e /box/order-go ]; do sleep 0.1; done;"
                + " echo end $TAO_JOB_ID >>/box/order";
        box.shell("rm -f /box/order /box/order-go");
        JobHandle one = box.submit("1", JobSpec.of(work));
        box.until(one, "RUNNING");
        JobHandle two = box.submit("2", JobSpec.of(work));
        box.until(two, "QUEUED");
        JobHandle three = box.submit("3", JobSpec.of(work));
        box.backend.close();
        box.shell("touch /box/order-go");

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
        public ArtifactFile open(String path) {
            return new MemoryFile(kept -> {});
        }

        @Override
        public void skipped(String path, String reason) {
            throw new AssertionError(path + ": " + reason);
        }
    }
}
