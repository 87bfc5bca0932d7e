package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.notebook.KaggleOptions.OnCancel;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of jobs when Kaggle, or the way to it, misbehaves. */
class KaggleFaultsTest {
    private static final String SLUG = "tao-" + KaggleRig.KEY;
    private static final JobSpec TRUE = JobSpec.of("true").build();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private KaggleRig rig;

    @BeforeEach
    void open() throws Exception {
        rig = new KaggleRig(temporary);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static KaggleSimulator.Fault answers(MockResponse reply) {
        return real -> reply;
    }

    @Test
    void aPushWhoseAnswerIsLostIsFoundAndNotRepeated() throws Exception {
        rig.kaggle.fault("SaveKernel", KaggleSimulator.lostAnswer());

        assertThatThrownBy(() -> rig.submit(TRUE)).isInstanceOf(Unreachable.class);
        JobHandle job = rig.submit(TRUE);

        assertThat(rig.kaggle.pushes).hasSize(1);
        assertThat(rig.kaggle.kernel(SLUG).version).isEqualTo(1);
        assertThat(rig.end(job).exitCode()).hasValue(0);
    }

    @Test
    void afterARestartTheSameJobIsFoundUnderTheSameHandle() throws Exception {
        JobHandle first = rig.submit(TRUE);

        try (KaggleBackend other = KaggleRig.backend(rig.kaggle.target())) {
            assertThat(other.submit(TRUE, KaggleRig.KEY)).isEqualTo(first);
        }
        assertThat(JobHandle.parse(first.token())).isEqualTo(first);
    }

    @Test
    void aNextSessionWhoseAnswerIsLostIsFoundToo() throws Exception {
        JobHandle first = rig.submit(TRUE);
        rig.end(first);
        rig.kaggle.fault("SaveKernel", KaggleSimulator.lostAnswer());

        assertThatThrownBy(() -> rig.backend.resubmit(first, Map.of(), Set.of()))
                .isInstanceOf(Unreachable.class);
        JobHandle second = rig.backend.resubmit(first, Map.of(), Set.of());

        assertThat(second.nativeId()).isEqualTo(SLUG + "-2");
        assertThat(rig.kaggle.pushes).hasSize(2);
    }

    @Test
    void aNotebookOfSomebodyElseIsNeverTakenForTheJob() {
        rig.kaggle.kernels.put(SLUG, new KaggleSimulator.Kernel(push("{\"cells\":[]}"), 1, Optional.empty()));

        assertThatThrownBy(() -> rig.submit(TRUE))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("There is a notebook dev/" + SLUG + " already");
        assertThat(rig.kaggle.pushes).isEmpty();
    }

    private static com.fasterxml.jackson.databind.JsonNode push(String source) {
        return io.jenkins.plugins.tao.http.Json.object().put("text", source);
    }

    @Test
    void whenAllSessionsAreTakenItWaitsAndLeavesNothingBehind() throws Exception {
        rig.kaggle.gpuSessions = 1;
        JobHandle busy = rig.backend.submit(
                JobSpec.of("sleep 600")
                        .options(Records.of(KaggleOptions.class, "onCancel", OnCancel.DELETE))
                        .build(),
                new JobKey("busy"));

        assertThatThrownBy(() -> rig.submit(TRUE)).isInstanceOfSatisfying(Unreachable.class, wait -> {
            assertThat(wait).hasMessageContaining("Maximum batch GPU session count of 1 reached");
            assertThat(wait.remedy()).contains("until one ends");
            assertThat(wait.retryAfter()).hasValue(Duration.ofMinutes(1));
        });
        assertThat(rig.kaggle.kernels).containsOnlyKeys("tao-busy");
        rig.backend.cancel(busy);

        assertThat(rig.run(TRUE).exitCode()).hasValue(0);
    }

    @Test
    void refusalsInAnAnswerOfSuccessAreExplained() {
        refusal("You have used your weekly GPU quota.", Rejected.class, "The week's GPU time");
        refusal("Phone verification is required to use internet.", Denied.class, "Verify the account by phone");
        refusal("Something new.", Rejected.class, "Change what the message names");
        assertThat(rig.kaggle.kernels).isEmpty();
    }

    private void refusal(String words, Class<? extends BackendException> kind, String remedy) {
        rig.kaggle.fault("SaveKernel", answers(Answers.json(200, "{\"error\":\"" + words + "\"}")));
        assertThatThrownBy(() -> rig.submit(TRUE))
                .isInstanceOf(kind)
                .hasMessageContaining(words)
                .extracting(e -> ((BackendException) e).remedy())
                .asString()
                .contains(remedy);
    }

    @Test
    void aNotebookThatWouldRunWithoutItsDataIsTakenBack() {
        JobSpec spec = JobSpec.of("true")
                .options(Records.of(KaggleOptions.class, "datasets", List.of("dev/cocco")))
                .build();

        assertThatThrownBy(() -> rig.submit(spec))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("cannot mount dev/cocco");
        assertThat(rig.kaggle.kernels).isEmpty();
    }

    @Test
    void aNotebookThatLandsElsewhereIsTold() {
        rig.kaggle.fault("SaveKernel", answers(Answers.json(200, "{\"ref\":\"/code/dev/tao-other\"}")));

        assertThatThrownBy(() -> rig.submit(TRUE))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("/code/dev/tao-other instead of " + SLUG);
    }

    @Test
    void brokenAnswersNeverEndAJob() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("sleep 600").build());
        String status = "GetKernelSessionStatus";
        MockResponse slow = new MockResponse.Builder()
                .code(429)
                .setHeader("Retry-After", "7")
                .body("{\"code\":429,\"message\":\"Too many requests\"}")
                .build();

        failsOnce(status, slow, job, Unreachable.class, "Too many requests");
        failsOnce(status, Answers.error(503, "backend error"), job, Unreachable.class, "backend error");
        failsOnce(status, Answers.json(200, "{\"status\":\"RUNN"), job, Unreadable.class, "not whole JSON");
        failsOnce(status, Answers.json(200, "quota"), job, Unreadable.class, "not whole JSON");
        failsOnce(status, Answers.html(), job, Unreadable.class, "web page");
        failsOnce(
                status,
                Answers.json(200, "{\"code\":503,\"message\":\"try later\"}"),
                job,
                Unreachable.class,
                "try later");
        failsOnce(status, Answers.error(401, "expired"), job, Denied.class, "expired");
        MockResponse redirect = new MockResponse.Builder()
                .code(302)
                .setHeader("Location", "https://login.example/")
                .build();
        failsOnce(status, redirect, job, Unreadable.class, "login.example");

        assertThat(rig.look(job).state()).isEqualTo(JobState.RUNNING);
    }

    private void failsOnce(
            String call, MockResponse reply, JobHandle job, Class<? extends BackendException> kind, String words) {
        rig.kaggle.fault(call, answers(reply));
        assertThatThrownBy(() -> rig.backend.poll(Set.of(job)))
                .isInstanceOf(kind)
                .hasMessageContaining(words);
    }

    @Test
    void theWaitThatKaggleAsksForIsPassedOn() throws Exception {
        JobHandle job = rig.submit(TRUE);
        rig.kaggle.fault(
                "GetKernelSessionStatus",
                answers(new MockResponse.Builder()
                        .code(429)
                        .setHeader("Retry-After", "7")
                        .build()));

        assertThatThrownBy(() -> rig.backend.poll(Set.of(job)))
                .isInstanceOfSatisfying(
                        Unreachable.class, e -> assertThat(e.retryAfter()).hasValue(Duration.ofSeconds(7)));
    }

    @Test
    void everySpellingOfAStateIsUnderstoodAndAnUnknownOneKeepsTheJobWatched() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("sleep 600").build());

        assertThat(seen(job, "{}").state()).isEqualTo(JobState.PENDING);
        assertThat(seen(job, "{\"status\":\"queued\"}").state()).isEqualTo(JobState.PENDING);
        assertThat(seen(job, "{\"status\":\"NEW_SCRIPT\"}").state()).isEqualTo(JobState.PENDING);
        assertThat(seen(job, "{\"status\":\"running\"}").state()).isEqualTo(JobState.RUNNING);
        assertThat(seen(job, "{\"status\":\"cancelRequested\"}").state()).isEqualTo(JobState.RUNNING);
        assertThat(seen(job, "{\"status\":\"KERNEL_WORKER_STATUS_RUNNING\"}").state())
                .isEqualTo(JobState.RUNNING);
        assertThat(seen(job, "{\"status\":\"HIBERNATED\"}")).isEqualTo(JobStatus.live(JobState.UNCLEAR, "HIBERNATED"));
        assertThat(seen(job, "{\"status\":\"cancelAcknowledged\"}").ending()).hasValue(Ending.CANCELLED);
    }

    private JobStatus seen(JobHandle job, String reply) throws Exception {
        rig.kaggle.fault("GetKernelSessionStatus", answers(Answers.json(200, reply)));
        return rig.look(job);
    }

    @Test
    void aMissingNotebookIsAbsentAndABadCredentialIsNot() throws Exception {
        JobHandle job = rig.submit(TRUE);
        rig.kaggle.kernels.clear();

        assertThat(rig.backend.poll(Set.of(job))).isEmpty();

        rig.kaggle.fault("GetAcceleratorQuotaStatistics", answers(Answers.error(403, "Forbidden")));
        assertThatThrownBy(() -> rig.backend.poll(Set.of(job)))
                .isInstanceOf(Denied.class)
                .extracting(e -> ((Denied) e).explain())
                .asString()
                .contains("target 'kaggle'", "Make a new API token")
                .doesNotContain(KaggleSimulator.KEY);
    }

    @Test
    void aTokenWorksAndOneOfAnotherAccountIsTold() throws Exception {
        try (KaggleBackend own = KaggleRig.backend(token("dev"));
                KaggleBackend other = KaggleRig.backend(token("somebody"))) {
            assertThat(own.preflight(TRUE).failed()).isFalse();
            assertThat(other.preflight(TRUE).checks())
                    .anySatisfy(
                            check -> assertThat(check.detail()).contains("belongs to dev, the target says somebody"));
            JobHandle job =
                    new JobHandle("kaggle", "kaggle", KaggleRig.KEY, 1, SLUG, "/x", "/x", java.time.Instant.EPOCH);
            assertThatThrownBy(() -> other.poll(Set.of(job))).isInstanceOf(Denied.class);
        }
    }

    private KaggleTarget token(String user) {
        return new KaggleTarget(
                "kaggle",
                user,
                Optional.empty(),
                Optional.of(Secret.of(KaggleSimulator.TOKEN)),
                Optional.of(rig.kaggle.url()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void anErrorOfKaggleIsDiagnosedWithItsOwnWords() throws Exception {
        JobHandle job = rig.submit(TRUE);
        rig.end(job);
        rig.kaggle.fault(
                "GetKernelSessionStatus",
                answers(Answers.json(
                        200, "{\"status\":\"ERROR\",\"failureMessage\":\"No kernel name found in notebook\"}")));
        rig.kaggle.fault("stream", answers(Answers.json(200, "[]")));

        assertThat(rig.backend.diagnose(job).facts())
                .contains("notebook: https://www.kaggle.com/code/dev/" + SLUG, "state: ERROR")
                .contains("failure: No kernel name found in notebook");
        assertThat(rig.backend.diagnose(job).summary()).isEqualTo("The command ended with exit code 0.");
    }

    @Test
    @Promise("TR-08")
    void aJobThatCannotBeAskedAfterHidesNoOther() throws Exception {
        JobHandle bad = rig.submit(JobSpec.of("sleep 600").build());
        JobHandle good = rig.backend.submit(JobSpec.of("sleep 600").build(), new JobKey("good"));
        rig.kaggle.fault("GetKernelSessionStatus", answers(Answers.error(500, "oops")));

        Map<JobHandle, JobStatus> seen = rig.backend.poll(new java.util.LinkedHashSet<>(java.util.List.of(bad, good)));

        assertThat(seen.values()).extracting(JobStatus::state).contains(JobState.UNCLEAR, JobState.RUNNING);
    }

    @Test
    @Promise("TR-08")
    void aRunEndsThoughItsLogCannotBeRead() throws Exception {
        JobHandle job = rig.submit(TRUE);
        rig.end(job);
        try (KaggleBackend fresh = KaggleRig.backend(rig.kaggle.target())) {
            JobStatus last = JobStatus.live(JobState.PENDING, "");
            for (int look = 0; look < 45 && last.ending().isEmpty(); look++) {
                rig.kaggle.fault("stream", answers(Answers.error(500, "oops")));
                rig.kaggle.fault("ListKernelSessionOutput", answers(Answers.error(500, "oops")));
                last = java.util.Objects.requireNonNull(fresh.poll(Set.of(job)).get(job));
            }
            assertThat(last.ending()).contains(Ending.COMPLETED);
        }
    }

    @Test
    @Promise("TR-55")
    void sessionsThatAreAllTakenAreWaitedForInAnyFormOfAnswer() {
        for (int status : new int[] {400, 403, 409, 429}) {
            rig.kaggle.fault(
                    "SaveKernel", answers(Answers.error(status, "Maximum batch GPU session count of 2 reached.")));

            assertThatThrownBy(() -> rig.submit(TRUE))
                    .isInstanceOfSatisfying(
                            Unreachable.class, e -> assertThat(e.retryAfter()).hasValue(Duration.ofMinutes(1)));
        }
        assertThat(rig.kaggle.kernels).isEmpty();
    }

    @Test
    @Promise("TR-55")
    void aMissingNotebookIsNotCalledGoneWhenTheCredentialCannotBeProved() throws Exception {
        JobHandle job = rig.submit(TRUE);
        rig.kaggle.kernels.clear();
        rig.kaggle.fault("GetAcceleratorQuotaStatistics", answers(Answers.error(404, "Not Found")));

        assertThatThrownBy(() -> rig.backend.poll(Set.of(job)))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("does not say whether the notebook is gone");
    }

    @Test
    @Promise("TR-55")
    void aSessionWhoseNumberIsToldIsEndedByKagglesOwnCall() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("sleep 600").build());
        rig.kaggle.fault(
                "GetKernelSessionStatus",
                answers(Answers.json(200, "{\"status\":\"RUNNING\",\"kernelSessionId\":4711}")));
        rig.kaggle.fault("CancelKernelSession", answers(Answers.json(200, "{}")));

        rig.backend.cancel(job);

        assertThat(rig.kaggle.calls).contains("CancelKernelSession");
        assertThat(rig.kaggle.kernels).containsKey(SLUG);
    }
}
