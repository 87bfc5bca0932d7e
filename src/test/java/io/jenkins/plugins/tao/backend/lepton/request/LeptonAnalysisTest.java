package io.jenkins.plugins.tao.backend.lepton.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.lepton.LeptonSimulator;
import io.jenkins.plugins.tao.backend.lepton.LeptonWorkspace;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures of a simulated workspace, as they are told. */
class LeptonAnalysisTest extends LeptonWorkspace {
    private JobStatus look(JobHandle job) throws Exception {
        return Objects.requireNonNull(backend.poll(Set.of(job)).get(job));
    }

    private JobHandle failed(String command) throws Exception {
        JobHandle job = backend.submit(job(command).build(), key("fails"));
        await().until(() -> simulator.at(job).workers.stream().noneMatch(Process::isAlive));
        simulator.at(job).forced = "Failed";
        return job;
    }

    private void event(JobHandle job, String reason, String message) {
        ObjectNode event = simulator.at(job).events.addObject();
        event.put("type", "Warning")
                .put("reason", reason)
                .put("message", message)
                .put("count", 2);
        event.putObject("regarding").put("name", "node-a");
    }

    private void issue(JobHandle job, String reason, String message) {
        simulator.at(job).issues.put(0, Json.object().put("reason", reason).put("message", message));
    }

    @Test
    @Promise("LE-47")
    void aFailureIsClassedWithAProposalEventsAndLogStreams() throws Exception {
        JobHandle job = failed("echo fine; echo before; echo 'RuntimeError: shapes differ' >&2; echo after; exit 1");
        event(job, "BackOff", "restarting failed container");

        Diagnosis diagnosis = backend.diagnose(job);

        assertThat(diagnosis.summary()).contains("RuntimeError: shapes differ");
        assertThat(diagnosis.facts())
                .contains(
                        "err_class: ERR_PROGRAM",
                        "suggestion: Fix what the log below shows; a retry fails in the same way.",
                        "job_failure_by_node_event: BackOff: restarting failed container (node-a) ×2",
                        "log_streams: [worker 0] before",
                        "log_streams: [worker 0] RuntimeError: shapes differ",
                        "log_streams: [worker 0] after");
    }

    @Test
    void aFaultOfTheMachineInTheLogIsOneOfTheInfrastructure() throws Exception {
        JobHandle job = failed("echo 'NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus'; exit 1");

        assertThat(backend.diagnose(job).facts()).contains("err_class: ERR_INFRA");
    }

    @Test
    void aJobThatReachedItsTimeLimitIsToldSo() throws Exception {
        JobHandle job = failed("echo 'tao: the time limit of 60 minutes has passed' >&2; exit 143");

        Diagnosis diagnosis = backend.diagnose(job);

        assertThat(diagnosis.summary()).isEqualTo("The job reached its time limit.");
        assertThat(diagnosis.remedy()).isEqualTo("Give it more time, or let it resume from a checkpoint.");
    }

    @Test
    @Promise("LE-49")
    void tooLittleMemoryIsExplainedWithWaysOut() throws Exception {
        JobHandle job = failed("exit 137");
        event(job, "OOM", "OOM encountered, victim process: python, pid: 17");

        Diagnosis diagnosis = backend.diagnose(job);

        assertThat(look(job).ending()).contains(Ending.OUT_OF_MEMORY);
        assertThat(diagnosis.remedy()).contains("evaluation.batch_size", "max_length", "tensor parallelism");
        assertThat(diagnosis.facts()).contains("err_class: ERR_PROGRAM");
    }

    @Test
    @Promise("LE-49")
    void tooLittleMemoryOfAGpuIsExplainedToo() throws Exception {
        JobHandle job = failed("echo 'torch.OutOfMemoryError: CUDA out of memory.'; exit 1");

        assertThat(backend.diagnose(job).remedy()).contains("batch size", "max_length", "tensor parallelism");
    }

    @ParameterizedTest
    @CsvSource({"Failed, ImagePullBackOff", "ConfigError, Failed to pull image: not found"})
    @Promise("LE-50")
    void aFailedImagePullPointsToTheKey(String reason, String message) throws Exception {
        JobHandle job = failed("exit 1");
        issue(job, reason, message);

        assertThat(look(job).ending()).contains(Ending.LAUNCH_FAILURE);
        assertThat(look(job).reason().orElse("")).contains(IMAGE, "could not be pulled", "the NGC key");
        assertThat(backend.diagnose(job).facts()).contains("err_class: ERR_INFRA");
    }

    @Test
    @Promise("LE-50")
    void anImagePullThatNeverEndsPointsToTheKeyToo() throws Exception {
        JobHandle job = backend.submit(job("sleep 30").build(), key("pull"));
        simulator.only().forced = "Starting";
        issue(job, "InProgress", "Pulling image");

        assertThat(look(job).state()).isEqualTo(JobState.PENDING);
        assertThat(look(job).reason().orElse("")).contains("check the NGC key");
    }

    @Test
    @Promise("LE-53")
    void aSickNodeIsLeftAndAGroupThatStaysSickIsNamed() throws Exception {
        JobHandle one = failed("exit 1");
        issue(one, "ConfigError", "Mount point not found");

        JobStatus first = look(one);
        JobHandle two = backend.resubmit(one, Map.of(), Set.copyOf(first.nodes()));
        await().until(() -> simulator.at(two).workers.stream().noneMatch(Process::isAlive));
        simulator.at(two).forced = "Failed";
        issue(two, "ConfigError", "Mount point not found");

        assertThat(first.ending()).contains(Ending.NODE_FAILURE);
        assertThat(first.reason().orElse("")).contains("node-a is at fault", "another node");
        assertThat(simulator
                        .at(two)
                        .body
                        .at("/spec/affinity/allowed_nodes_in_node_group")
                        .toString())
                .isEqualTo("[\"node-b\"]");
        assertThat(backend.diagnose(two).remedy())
                .contains("attempt 2", "leave node group my-h100-pool-abcd", "another node group or shape");
    }

    @Test
    @Promise("LE-54")
    void anEvictionIsRecognisedAndWhatHelpsIsSaid() throws Exception {
        try (Backend shared = open(simulator
                .target()
                .with("resourceShape", "s")
                .with("mounts", List.of("v=" + simulator.mount()))
                .build())) {
            JobHandle job = shared.submit(job("exit 143").build(), key("evicted"));
            await().until(() -> simulator.only().workers.stream().noneMatch(Process::isAlive));
            simulator.only().forced = "Failed";
            event(job, "Preempted", "preempted by another workload");

            JobStatus status = Objects.requireNonNull(shared.poll(Set.of(job)).get(job));

            assertThat(status.ending()).contains(Ending.PREEMPTED);
            assertThat(status.reason().orElse(""))
                    .contains("evicted from the shared machines", "a dedicated node group");
        }
    }

    @Test
    void theServicesOwnAnalysisIsShownBesideWhenATargetNamesIt() throws Exception {
        backend.close();
        backend = open(simulator
                .target()
                .with("nodeGroup", "my-h100-pool")
                .with("failureAnalysis", "jobs/{job}/failure-analysis")
                .build());
        JobHandle job = failed("exit 1");
        simulator.fault = call -> call.endsWith("/failure-analysis")
                ? Optional.of(LeptonSimulator.json(
                        200,
                        "{\"err_class\":\"ERR_INFRA\",\"suggestion\":\"replace it\",\"job_failure_by_node_event\":"
                                + "[{\"node_event_name\":\"OOM\",\"message\":\"victim\"}]}"))
                : Optional.empty();

        assertThat(backend.diagnose(job).facts())
                .contains("Lepton's own analysis: ERR_INFRA replace it", "job_failure_by_node_event: OOM: victim");
    }
}
