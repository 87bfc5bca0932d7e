package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.BoxOptionsOf;
import io.jenkins.plugins.tao.backend.box.options.BoxPreparation;
import io.jenkins.plugins.tao.backend.box.options.BoxRules;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lives and deaths of jobs on a box. */
@NeedsRig("box")
final class BoxLivesIT {
    /** A child in a session of its own, and one with an empty environment besides; neither hears SIGTERM. */
    private static final String STRAYS =
            "setsid sh -c 'trap \"\" TERM; touch deaf; exec sleep 600' & env -i PATH=$PATH setsid sh -c"
                    + " 'trap \"\" TERM; touch emptied; exec sleep 600' & ";

    private static final String CALLS = "/box/.machine/docker/calls";

    private BoxStage box;

    @BeforeEach
    void open() {
        BoxRig.assumeUp();
        box = new BoxStage(3);
    }

    @AfterEach
    void close() throws Exception {
        if (box != null) {
            box.shell(": >/box/.machine/dmesg; printf 'oom 0\\noom_kill 0\\n' >/box/.machine/cgroup/memory.events");
            box.close();
        }
    }

    private JobHandle running(String name) throws Exception {
        JobHandle job = box.submit(name, BoxStage.job("touch {results_dir}/up; exec sleep 600", 0));
        box.waitForFile(job.resultsDirectory() + "/up");
        return job;
    }

    @Test
    @Promise("GB-37")
    void aCommandWhoseWrapperIsKilledIsCalledAnOrphanUntilItEnds() throws Exception {
        JobHandle job = running("orphan");

        box.shell("kill -KILL " + box.wrapper(job));
        JobStatus orphan = box.until(job, "ORPHANED");
        box.shell("pkill -KILL -f '[s]leep 600'");
        JobStatus gone = box.end(job);

        assertThat(orphan.state()).isEqualTo(JobState.RUNNING);
        assertThat(orphan.reason().orElse("")).contains("its wrapper is gone, its command still runs");
        assertThat(gone.ending()).hasValue(Ending.UNKNOWN);
        assertThat(gone.reason().orElse("")).startsWith("killed from outside");
    }

    @Test
    void anOrphanThatDeafensItselfIsReachedByCancelToo() throws Exception {
        JobHandle job = box.submit(
                "deaf",
                BoxStage.job("trap '' TERM; touch {results_dir}/up; while :; do sleep 0.3; done", 0)
                        .options(BoxOptionsOf.grace(java.time.Duration.ofSeconds(1))));
        box.waitForFile(job.resultsDirectory() + "/up");
        box.shell("kill -KILL " + box.wrapper(job));

        box.backend.cancel(job);

        assertThat(box.end(job).ending()).hasValue(Ending.CANCELLED);
        assertThat(box.shell("grep -lsF " + job.jobDirectory() + " /proc/[0-9]*/environ || :"))
                .isEmpty();
    }

    @Test
    @Promise("TR-14")
    void aCancelEndsWhatHasLeftItsSessionAndDeafenedItself() throws Exception {
        JobHandle job =
                box.submit("left", BoxStage.job(STRAYS + "wait", 1).options(BoxOptionsOf.grace(Duration.ofSeconds(2))));
        box.waitForFile(job.resultsDirectory() + "/emptied");
        box.waitForFile(job.resultsDirectory() + "/deaf");

        box.backend.cancel(job);
        JobStatus end = box.end(job);

        assertThat(end.ending()).hasValue(Ending.CANCELLED);
        assertThat(box.shell(strays(job))).isEmpty();
        assertThat(box.shell("ls " + box.target.baseDirectory() + "/gpus/held")).isEmpty();
    }

    @Test
    @Promise("TR-14")
    void aTimeLimitEndsWhatHasLeftItsSessionToo() throws Exception {
        JobHandle job = box.submit(
                "limit",
                JobSpec.of(STRAYS + "wait")
                        .resources(new Resources(
                                1, OptionalInt.empty(), OptionalInt.empty(), Optional.of(Duration.ofSeconds(60))))
                        .options(BoxOptionsOf.grace(Duration.ofSeconds(1))));
        box.waitForFile(job.resultsDirectory() + "/emptied");
        box.waitForFile(job.resultsDirectory() + "/deaf");

        box.shell("pkill -f '^sleep 60$'");
        JobStatus end = box.end(job);

        assertThat(end.ending()).hasValue(Ending.TIME_LIMIT);
        assertThat(box.shell(strays(job))).isEmpty();
    }

    @Test
    @Promise("TR-14")
    void whatSurvivesANormalEndIsReportedAndACancelEndsIt() throws Exception {
        JobHandle job = box.submit(
                "survivor",
                BoxStage.job(STRAYS + "until [ -e emptied ] && [ -e deaf ]; do sleep 0.1; done; exit 3", 0)
                        .options(BoxOptionsOf.grace(Duration.ofSeconds(1))));
        JobStatus end = box.end(job);
        String alive = box.shell(strays(job));

        box.backend.cancel(job);

        assertThat(end.exitCode()).hasValue(3);
        assertThat(alive.lines()).hasSize(2);
        assertThat(end.notices()).singleElement().asString().contains("of its processes still ran on 'box3'", "kill ");
        assertThat(alive.lines())
                .allSatisfy(pid -> assertThat(end.notices().get(0)).contains(pid));
        org.awaitility.Awaitility.await()
                .untilAsserted(() -> assertThat(box.shell(strays(job))).isEmpty());
        assertThat(box.look(job).ending()).hasValue(Ending.FAILED);
    }

    /** The deaf processes of a job, those whose environment is empty among them: by their working directory. */
    private static String strays(JobHandle job) {
        return "for p in /proc/[0-9]*; do [ \"$(readlink $p/cwd 2>/dev/null)\" = " + job.resultsDirectory()
                + " ] && echo ${p#/proc/}; done; :";
    }

    @Test
    @Promise("GB-38")
    void anOutOfMemoryKillIsToldByTheCounterOfItsCgroup() throws Exception {
        JobHandle job = running("oom");

        box.shell("printf 'oom 1\\noom_kill 1\\n' >/box/.machine/cgroup/memory.events; pkill -KILL -f '[s]leep 600'");
        JobStatus end = box.end(job);
        Diagnosis diagnosis = box.backend.diagnose(job);

        assertThat(end.ending()).hasValue(Ending.OUT_OF_MEMORY);
        assertThat(end.exitCode()).hasValue(137);
        assertThat(end.reason().orElse("")).contains("oom_kill of its cgroup rose from 0 to 1");
        assertThat(diagnosis.summary()).startsWith("Out of memory (RAM)");
    }

    @Test
    @Promise("GB-39")
    void aFatalFaultOfAGpuIsToldAndTheBoxIsNotUsedAgain() throws Exception {
        JobHandle job = running("xid");

        box.shell("echo 'NOW NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.' >/box/.machine/dmesg;"
                + " pkill -KILL -f '[s]leep 600'");
        JobStatus end = box.end(job);
        Diagnosis diagnosis = box.backend.diagnose(job);

        assertThat(end.ending()).hasValue(Ending.NODE_FAILURE);
        assertThat(diagnosis.summary()).startsWith("Dead GPU: the kernel reports Xid 79 of PCI:0000:3b:00");
        assertThat(diagnosis.remedy()).startsWith("Change the machine");
        assertThatThrownBy(() -> box.backend.resubmit(job, Map.of(), java.util.Set.of()))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("a GPU of this box is dead");
    }

    @Test
    @Promise("GB-38")
    void aHangUpAndAKillFromOutsideAreToldApart() throws Exception {
        JobHandle hungUp = running("hup");
        box.shell("kill -s HUP -- -" + box.wrapper(hungUp));
        JobStatus first = box.end(hungUp);
        JobHandle killed = running("kill");
        box.shell("kill -s KILL -- -" + box.wrapper(killed));
        JobStatus second = box.end(killed);

        assertThat(first.reason().orElse("")).startsWith("hang-up (SIGHUP)");
        assertThat(first.ending()).hasValue(Ending.NODE_FAILURE);
        assertThat(second.reason().orElse("")).startsWith("killed from outside: no signal was noted");
        assertThat(second.ending()).hasValue(Ending.UNKNOWN);
    }

    @Test
    @Promise("GB-23")
    void tmuxShowsAJobToAPersonAndTheJobOutlivesIt() throws Exception {
        BoxOptions all = BoxOptions.defaults();
        JobHandle job = box.submit(
                "tmux",
                BoxStage.job(
                                "echo hello; touch {results_dir}/up; while [ ! -e {results_dir}/go ]; do sleep 0.1; done",
                                0)
                        .options(new BoxOptions(
                                all.grace(),
                                all.onReboot(),
                                all.whenBusy(),
                                true,
                                Optional.of(BoxRules.Detach.TMUX),
                                Optional.empty(),
                                List.of(),
                                BoxPreparation.NONE)));
        box.waitForFile(job.resultsDirectory() + "/up");
        String session = "tao-" + job.key();

        assertThat(box.shell("tmux ls")).contains(session);
        org.awaitility.Awaitility.await()
                .until(() -> box.shell("tmux capture-pane -p -t " + session), pane -> pane.contains("hello"));
        box.shell("tmux kill-server; touch " + job.resultsDirectory() + "/go");
        assertThat(box.end(job).exitCode()).hasValue(0);
    }

    @Test
    void aContainerGetsItsGpusByIdNoSecretOnItsCommandLineAndStaysAfterItsEnd() throws Exception {
        box.shell(": >" + CALLS);
        JobHandle job = box.submit(
                "container",
                BoxStage.job("echo \"$TOKEN in $NVIDIA_VISIBLE_DEVICES\"; exit 5", 1)
                        .image("nvcr.io/nvidia/tao:6")
                        .secrets(Map.of("TOKEN", Secret.of("s3cret"))));
        JobStatus end = box.end(job);
        String calls = box.shell("cat " + CALLS);

        assertThat(end.exitCode()).hasValue(5);
        assertThat(box.text(job, Stream.OUT)).matches("s3cret in [01]\n");
        assertThat(calls)
                .contains("docker run -d --name " + job.key() + " --cidfile ", " --label tao-job=" + job.key())
                .containsPattern("--gpus \"device=[01]\" --ipc=host --ulimit memlock=-1 --ulimit stack=67108864")
                .doesNotContain("s3cret", "TOKEN", "--rm");
        assertThat(box.shell("docker inspect -f '{{.State.Status}}' " + job.key()))
                .isEqualTo("exited\n");
    }

    @Test
    @Promise("GE-27")
    void aContainerGetsSeveralGpusOfOneMachineAndNoOtherMachine() throws Exception {
        JobHandle job = box.submit(
                "two", BoxStage.job("echo $NVIDIA_VISIBLE_DEVICES", 2).image("i:1"));
        box.end(job);
        Report twoMachines = box.backend.preflight(JobSpec.of("true")
                .image("i:1")
                .resources(new Resources(2, OptionalInt.of(1), OptionalInt.empty(), Optional.empty()))
                .build());

        assertThat(box.text(job, Stream.OUT)).isEqualTo("0,1\n");
        assertThat(twoMachines.failed()).isTrue();
        assertThat(twoMachines.checks().toString()).contains("The job wants 2 nodes, and this target is one machine.");
    }

    @Test
    void aContainerIsStoppedByCancelAndOutlivesItsWrapper() throws Exception {
        JobHandle one = box.submit(
                "stopped", BoxStage.job("touch {results_dir}/up; sleep 600", 0).image("i:1"));
        box.waitForFile(one.resultsDirectory() + "/up");
        box.backend.cancel(one);
        JobStatus cancelled = box.end(one);
        JobHandle two = box.submit(
                "kept",
                BoxStage.job("touch {results_dir}/up; while [ ! -e {results_dir}/go ]; do sleep 0.1; done; exit 4", 0)
                        .image("i:1"));
        box.waitForFile(two.resultsDirectory() + "/up");
        box.waitForFile(BoxLayout.attempt(two) + "/container");
        box.shell("kill -s KILL -- -" + box.wrapper(two));
        JobStatus orphan = box.until(two, "ORPHANED");
        box.shell("touch " + two.resultsDirectory() + "/go");
        JobStatus end = box.end(two);

        assertThat(cancelled.ending()).hasValue(Ending.CANCELLED);
        assertThat(box.shell("docker inspect -f '{{.State.Status}}' " + one.key()))
                .isEqualTo("exited\n");
        assertThat(orphan.state()).isEqualTo(JobState.RUNNING);
        assertThat(end.exitCode()).hasValue(4);
    }

    @Test
    @Promise("GB-32")
    void aFailingSmokeCommandStartsNothingAndTakesNoGpu() throws Exception {
        JobHandle job = box.submit(
                "smoke",
                BoxStage.job("touch {results_dir}/ran", 1)
                        .options(BoxOptionsOf.preparation(new BoxPreparation(
                                Optional.of("echo \"smoke on '$CUDA_VISIBLE_DEVICES'\"; exit 1"),
                                Map.of(),
                                List.of(),
                                Optional.empty(),
                                Optional.empty(),
                                false))));
        JobStatus end = box.end(job);

        assertThat(end.exitCode()).hasValue(72);
        assertThat(box.text(job, Stream.OUT)).isEqualTo("smoke on ''\n");
        assertThat(box.text(job, Stream.ERR))
                .contains("the smoke command failed with exit code 1; nothing was started");
        assertThat(box.shell("ls " + job.resultsDirectory() + "; ls " + box.target.baseDirectory()))
                .doesNotContain("ran", "gpus");
    }

    @Test
    @Promise("GB-31")
    void lineEndsOfWindowsAreTakenOutOfACommand() throws Exception {
        JobSpec.Builder spec = JobSpec.of("if true; then\r\n  echo fine\r\nfi\r\n");

        JobHandle job = box.submit("crlf", spec);

        assertThat(box.end(job).exitCode()).hasValue(0);
        assertThat(box.text(job, Stream.OUT)).isEqualTo("fine\n");
        assertThat(box.text(job, Stream.ERR)).contains("took the line ends of Windows");
    }

    @Test
    @Promise("GB-36")
    void everyLookIsOneBoundedScriptOfItsOwn() throws Exception {
        CountedHost counted = new CountedHost(box.host);
        BoxBackend backend = new BoxBackend(BoxPlace.of(box.target), counted);
        JobHandle one = box.submit("a", JobSpec.of("true"));
        JobHandle two = box.submit("b", JobSpec.of("true"));

        backend.poll(java.util.Set.of(one, two));
        backend.diagnose(one);
        backend.look();

        assertThat(counted.limits()).hasSize(3).allMatch(limit -> limit.toMinutes() <= 1);
    }

    @Test
    @Promise("GB-32")
    void whatIsWrongAtHomeAlreadyAsksNothingOfTheBox() throws Exception {
        CountedHost counted = new CountedHost(box.host);
        BoxBackend backend = new BoxBackend(BoxPlace.of(box.target), counted);

        Report report = backend.preflight(JobSpec.of("true")
                .resources(new Resources(2, OptionalInt.empty(), OptionalInt.empty(), Optional.empty()))
                .build());

        assertThat(report.failed()).isTrue();
        assertThat(counted.limits()).isEmpty();
    }
}
