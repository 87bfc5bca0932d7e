package io.jenkins.plugins.tao.backend.lepton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of jobs when the workspace answers some questions and refuses others. */
class LeptonFaultsTest extends LeptonWorkspace {
    private JobHandle ended(String name, String command) throws Exception {
        JobHandle job = backend.submit(job(command).build(), key(name));
        await().atMost(java.time.Duration.ofMinutes(2))
                .until(() -> !simulator.at(job).state().equals("Running"));
        return job;
    }

    private JobStatus look(JobHandle job) throws Exception {
        return Objects.requireNonNull(backend.poll(Set.of(job)).get(job));
    }

    /** Refuses calls whose method and path contain {@code part}. */
    private void refuse(String part, int status) {
        simulator.fault = call -> call.contains(part)
                ? Optional.of(
                        LeptonSimulator.json(status, "{\"code\":\"InternalFailure\",\"message\":\"cannot list\"}"))
                : Optional.empty();
    }

    @Test
    @Promise("TR-08")
    void aCompletedJobEndsThoughItsReplicasCannotBeListed() throws Exception {
        JobHandle job = ended("replicas", "true");
        refuse("/replicas", 500);

        JobStatus first = look(job);

        assertThat(first.ending()).contains(Ending.COMPLETED);
        assertThat(first.exitCode()).hasValue(0);
    }

    @Test
    @Promise("TR-08")
    void aJobEndsThoughNoLogOfItCanBeRead() throws Exception {
        JobHandle job = ended("no-log", "true");
        refuse("log", 400);

        look(job);
        JobStatus second = look(job);

        assertThat(second.ending()).contains(Ending.COMPLETED);
        assertThat(second.exitCode()).isEmpty();
        assertThat(second.notices())
                .singleElement()
                .asString()
                .startsWith("Its log cannot be read: ")
                .contains("cannot list");
        assertThat(backend.read(Map.of(new StreamRef(job, Stream.OUT), Position.START))
                        .values())
                .singleElement()
                .matches(tail -> tail.gap().isPresent());
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 500})
    @Promise("TR-08")
    void theExitCodeComesFromTheWorkersWhenTheStoreRefuses(int status) throws Exception {
        JobHandle job = ended("code-" + status, "exit 3");
        refuse("GET /logs", status);

        JobStatus last = look(job);
        for (int looks = 0; looks < 4 && last.exitCode().isEmpty(); looks++) {
            last = look(job);
        }

        assertThat(last.exitCode()).hasValue(3);
    }

    @Test
    @Promise("TR-08")
    void aJobThatCannotBeAskedAfterHidesNoOther() throws Exception {
        JobHandle bad = backend.submit(job("sleep 600").build(), key("bad"));
        JobHandle good = backend.submit(job("sleep 600").build(), key("good"));
        simulator.at(bad).forced = "Archived";
        refuse("/jobs/" + bad.nativeId(), 500);

        Map<JobHandle, JobStatus> seen = backend.poll(Set.of(bad, good));

        assertThat(seen.get(good)).extracting(JobStatus::state).isEqualTo(JobState.RUNNING);
        assertThat(seen.get(bad)).extracting(JobStatus::state).isEqualTo(JobState.UNCLEAR);
    }

    @Test
    @Promise("TR-08")
    void replicasThatCannotBeListedHideNoState() throws Exception {
        JobHandle job = backend.submit(job("sleep 600").build(), key("live"));
        look(job);
        refuse("/replicas", 500);

        look(job);
        JobStatus status = look(job);

        assertThat(status.state()).isEqualTo(JobState.RUNNING);
        assertThat(status.nodes()).containsExactly("node-a");
        assertThat(status.notices()).singleElement().asString().startsWith("The list of its replicas cannot be read");
    }

    @Test
    @Promise("TR-08")
    void aFailureWaitsForItsCauseAndIsReportedWithoutItInTheEnd() throws Exception {
        JobHandle job = ended("cause", "exit 143");
        simulator.at(job).events.addObject().put("type", "Warning").put("reason", "Evicted");
        refuse("/events", 500);
        assertThat(look(job).state()).isEqualTo(JobState.RUNNING);

        simulator.fault = call -> Optional.empty();
        assertThat(look(job).ending()).contains(Ending.PREEMPTED);

        JobHandle other = ended("no-cause", "exit 143");
        refuse("/events", 500);
        look(other);
        look(other);
        assertThat(look(other).ending()).contains(Ending.FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "\"ok\""})
    @Promise("TR-08")
    void anAnswerWithoutAListIsNoEmptyList(String body) throws Exception {
        simulator.fault =
                call -> call.equals("GET /jobs") ? Optional.of(LeptonSimulator.json(200, body)) : Optional.empty();

        assertThatThrownBy(() -> backend.submit(job("true").build(), key("twice")))
                .isInstanceOf(Unreadable.class);
        assertThat(simulator.jobs).isEmpty();
    }

    @Test
    void aWorkspaceThatCannotListItsJobsIsAnOutage() throws Exception {
        JobHandle job = backend.submit(job("sleep 600").build(), key("outage"));
        refuse("GET /jobs", 500);

        assertThatThrownBy(() -> look(job)).isInstanceOf(Unreachable.class);
    }

    @Test
    @Promise("TR-54")
    void jobsWhoseListIsTooLongForOneAnswerAreListedInSmallerPages() throws Exception {
        JobHandle job = backend.submit(job("sleep 600").build(), key("many"));
        simulator.fault = call -> Optional.empty();
        simulator.pages = size -> size > 100
                ? Optional.of(LeptonSimulator.json(200, "{\"jobs\":[" + " ".repeat(33 << 20)))
                : Optional.empty();

        assertThat(look(job).state()).isEqualTo(JobState.RUNNING);
        simulator.calls.clear();
        look(job);
        assertThat(simulator.calls.get(0)).endsWith("page_size=100");
    }

    @Test
    @Promise("TR-08")
    void aDiagnosisSaysWhichPartOfItIsNotKnown() throws Exception {
        JobHandle job = ended("diagnosis", "echo 'CUDA out of memory'; exit 1");
        refuse("/replicas", 500);

        assertThat(backend.diagnose(job).summary()).contains("memory of a GPU");
        assertThat(backend.diagnose(job).facts()).anyMatch(fact -> fact.startsWith("not known: "));
    }
}
