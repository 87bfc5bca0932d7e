package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.notebook.KaggleOptions.OnCancel;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.nio.file.Path;
import java.util.Set;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Ends that are asked for, on a played Kaggle. */
class KaggleCancelTest {
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
    void cancellingLeavesTheNotebookAndSaysSoUnlessDeletionWasAllowed() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("sleep 600").build());

        rig.backend.cancel(job);
        JobStatus status = rig.look(job);

        assertThat(status.ending()).hasValue(Ending.CANCELLED);
        assertThat(status.nativeState()).isEqualTo("LEFT");
        assertThat(status.reason().orElseThrow())
                .contains("still runs", "stop it at https://www.kaggle.com/code/dev/" + SLUG, "onCancel");
        assertThat(rig.kaggle.kernels).containsKey(SLUG);
    }

    @Test
    void aCancelledJobStaysCancelledAfterARestartWhenTheRequestIsRepeated() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("sleep 600")
                .options(Records.of(KaggleOptions.class, "onCancel", OnCancel.DELETE))
                .build());
        rig.backend.cancel(job);

        try (KaggleBackend restarted = KaggleRig.backend(rig.kaggle.target())) {
            restarted.cancel(job);
            assertThat(restarted.poll(Set.of(job)).get(job))
                    .satisfies(status -> assertThat(status.ending()).hasValue(Ending.CANCELLED));
        }
    }

    @Test
    void aDeletionThatKaggleRefusesIsNotCalledOne() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("sleep 600")
                .options(Records.of(KaggleOptions.class, "onCancel", OnCancel.DELETE))
                .build());
        rig.kaggle.fault("DeleteKernel", answers(Answers.error(403, "not allowed")));

        rig.backend.cancel(job);

        assertThat(rig.look(job).nativeState()).isEqualTo("LEFT");
    }

    @Test
    void aCancelWithACredentialThatIsNotTakenIsNoCancel() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("sleep 600").build());
        rig.kaggle.fault("GetKernelSessionStatus", answers(Answers.error(403, "Forbidden")));
        rig.kaggle.fault("GetAcceleratorQuotaStatistics", answers(Answers.error(401, "expired")));

        assertThatThrownBy(() -> rig.backend.cancel(job)).isInstanceOf(Denied.class);
        assertThat(rig.look(job).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aRefusedPushThatCannotBeTakenBackIsNeverTakenForTheJob() {
        rig.kaggle.fault(
                "SaveKernel", answers(Answers.json(200, "{\"error\":\"Maximum batch GPU session count of 2\"}")));
        rig.kaggle.fault("DeleteKernel", answers(Answers.error(503, "away")));

        assertThatThrownBy(() -> rig.submit(TRUE))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("session count")
                .extracting(e -> ((Rejected) e).remedy())
                .asString()
                .contains("Delete the notebook " + SLUG);
    }

    @Test
    void anEndedNotebookIsNotDeletedByACancelThatComesLate() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("true")
                .options(Records.of(KaggleOptions.class, "onCancel", OnCancel.DELETE))
                .build());
        rig.end(job);

        rig.backend.cancel(job);

        assertThat(rig.kaggle.kernels).containsKey(SLUG);
        assertThat(rig.look(job).ending()).hasValue(Ending.COMPLETED);
    }
}
