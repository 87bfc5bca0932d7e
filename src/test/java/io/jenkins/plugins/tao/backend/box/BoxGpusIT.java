package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** GPUs of a box: who has them, who waits for them. */
@NeedsRig("box")
final class BoxGpusIT {
    private static final String APPS = "/box/.machine/apps";
    private static final String WORK =
            "echo \"on $CUDA_VISIBLE_DEVICES\"; while [ ! -e {results_dir}/go ]; do sleep 0.1; done";

    private BoxStage box;

    @BeforeEach
    void open() {
        BoxRig.assumeUp();
        box = new BoxStage(1);
    }

    @AfterEach
    void close() throws Exception {
        if (box != null) {
            box.shell(": >" + APPS);
            box.close();
        }
    }

    private void go(JobHandle job) throws Exception {
        box.shell("touch " + job.resultsDirectory() + "/go");
    }

    @Test
    @Promise("GB-26")
    void twoBuildsTakeDifferentGpusAndAThirdWaitsForItsTurn() throws Exception {
        ExecutorService builds = Executors.newFixedThreadPool(2);
        Future<JobHandle> one = builds.submit(() -> box.submit("one", BoxStage.job(WORK, 1)));
        Future<JobHandle> two = builds.submit(() -> box.submit("two", BoxStage.job(WORK, 1)));
        JobHandle first = one.get();
        JobHandle second = two.get();
        builds.shutdown();
        Set<String> taken = Set.of(
                box.until(first, "RUNNING").reason().orElse(""),
                box.until(second, "RUNNING").reason().orElse(""));

        JobHandle third = box.submit("three", BoxStage.job(WORK, 1));
        JobStatus waiting = box.until(third, "QUEUED");
        JobHandle fourth = box.submit("four", BoxStage.job(WORK, 1));
        box.until(fourth, "QUEUED");
        box.backend.close(); // the controller is gone and comes back
        Optional<String> freed = box.look(second).reason();
        go(second);
        box.end(second);
        JobStatus turn = box.until(third, "RUNNING");

        assertThat(taken).containsExactlyInAnyOrder("GPU 0", "GPU 1");
        assertThat(waiting.state()).isEqualTo(JobState.PENDING);
        assertThat(waiting.reason().orElse("")).contains("for 1 free GPU; GPU 0: job ", "GPU 1: job ");
        assertThat(turn.reason()).isPresent().isEqualTo(freed);
        assertThat(box.look(fourth).nativeState()).isEqualTo("QUEUED");
        for (JobHandle job : Set.of(first, third, fourth)) {
            go(job);
        }
        for (JobHandle job : Set.of(first, third, fourth)) {
            assertThat(box.end(job).exitCode()).hasValue(0);
        }
        assertThat(box.shell("ls " + box.target.baseDirectory() + "/gpus/held")).isEmpty();
    }

    @Test
    @Promise({"GB-34", "GB-40"})
    void aGpuThatAStrangerHoldsIsSeenAndLeftAlone() throws Exception {
        box.shell("echo 'GPU-box1-0, 4242, 40000, python train.py' >" + APPS);

        Report report = box.backend.preflight(BoxStage.job("true", 2).build());
        JobHandle job = box.submit("beside", BoxStage.job(WORK, 1));
        JobStatus status = box.until(job, "RUNNING");
        JobHandle both = box.submit("both", BoxStage.job(WORK, 2));
        JobStatus waits = box.until(both, "QUEUED");

        assertThat(report.checks())
                .anySatisfy(check -> assertThat(check.detail())
                        .contains(
                                "The job asks for 2 GPUs, of which 1 can be had now",
                                "0 pid 4242 (python train.py, 40000 MiB)"));
        assertThat(status.reason()).hasValue("GPU 1");
        assertThat(waits.reason().orElse("")).contains("GPU 0: pid 4242 (python train.py, 40000 MiB)");
        go(job);
        box.end(job);
        box.shell(": >" + APPS);
        box.until(both, "RUNNING");
        go(both);
        assertThat(box.end(both).exitCode()).hasValue(0);
    }

    /** The first device of this box is its second GPU. */
    @Test
    @Promise("GB-40")
    void aHolderThatNvidiaSmiDoesNotListIsSeenByItsOpenDevice() throws Exception {
        box.shell(
                "setsid sh -c 'exec 7</dev/nvidia0; echo $$ >/box/.machine/holder; exec sleep 300' >/dev/null 2>&1 &");
        box.waitForFile("/box/.machine/holder");
        String pid = box.shell("cat /box/.machine/holder").strip();

        JobHandle job = box.submit("hidden", BoxStage.job(WORK, 1));
        JobStatus status = box.until(job, "RUNNING");

        assertThat(status.reason()).hasValue("GPU 0");
        assertThat(box.backend.look()).anySatisfy(line -> assertThat(line).contains("1 pid " + pid, "has it open"));
        box.shell("kill " + pid + "; rm -f /box/.machine/holder");
        go(job);
        box.end(job);
    }

    @Test
    void theGpuOfAJobWhoseWrapperWasKilledStaysTakenAsLongAsItsCommandRuns() throws Exception {
        JobHandle job = box.submit("orphan", BoxStage.job("touch {results_dir}/up; exec sleep 600", 1));
        box.waitForFile(job.resultsDirectory() + "/up");
        String before = box.until(job, "RUNNING").reason().orElse("");
        box.shell("kill -KILL " + box.wrapper(job));
        JobStatus orphaned = box.until(job, "ORPHANED");

        JobHandle next = box.submit("next", BoxStage.job(WORK, 1));
        String after = box.until(next, "RUNNING").reason().orElse("");
        box.backend.cancel(job);
        JobStatus end = box.end(job);

        assertThat(orphaned.state()).isEqualTo(JobState.RUNNING);
        assertThat(after).isNotEqualTo(before);
        assertThat(end.ending()).hasValue(Ending.CANCELLED);
        assertThat(box.shell("pgrep -f '[s]leep 600' || :")).isEmpty();
        go(next);
        box.end(next);
    }

    @Test
    @Promise("GB-11")
    void aGpuThatTheFrameworkCannotUseStopsTheJobBeforeItsCommand() throws Exception {
        box.shell(
                "mkdir -p /box/fake; printf '#!/bin/sh\\necho False\\n' >/box/fake/python3; chmod +x /box/fake/python3");

        JobHandle job = box.submit(
                "torch",
                BoxStage.job("touch {results_dir}/ran", 1)
                        .env(java.util.Map.of("PATH", "/box/fake:/usr/local/bin:/usr/bin:/bin")));
        JobStatus end = box.end(job);

        assertThat(end.exitCode()).hasValue(71);
        assertThat(box.text(job, Stream.ERR)).contains("torch.cuda.is_available() is False");
        assertThat(box.shell("ls " + job.resultsDirectory())).isEmpty();
    }

    @Test
    @Promise("GB-11")
    void aFrameworkThatSeesFewerGpusThanTheJobAskedForStopsItToo() throws Exception {
        box.shell(
                "mkdir -p /box/fake; printf '#!/bin/sh\\necho True 1\\n' >/box/fake/python3; chmod +x /box/fake/python3");
        java.util.Map<String, String> path = java.util.Map.of("PATH", "/box/fake:/usr/local/bin:/usr/bin:/bin");

        JobHandle two =
                box.submit("two", BoxStage.job("touch {results_dir}/ran", 2).env(path));
        JobHandle one =
                box.submit("one", BoxStage.job("touch {results_dir}/ran", 1).env(path));

        assertThat(box.end(two).exitCode()).hasValue(71);
        assertThat(box.text(two, Stream.ERR)).contains("2 GPUs are asked for, torch sees 1");
        assertThat(box.shell("ls " + two.resultsDirectory())).isEmpty();
        assertThat(box.end(one).exitCode()).hasValue(0);
    }
}
