package io.jenkins.plugins.tao.backend.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pod that somebody deletes while its command runs says nothing against the program. */
class DeletedPodTest {
    private static JobStatus status(JobView view) {
        return KubernetesReply.status(view, Optional.empty(), Optional.empty());
    }

    /** With the end of its grace as the server has it. */
    private static void delete(PodView pod, Instant asked) {
        pod.pod().getMetadata().setDeletionGracePeriodSeconds(30L);
        pod.pod().getMetadata().setDeletionTimestamp(asked.plusSeconds(30).toString());
    }

    private static JobView failed() {
        return Captured.view("program-error");
    }

    @Test
    void whereNoPodIsLeftSomebodyDeletedIt() {
        JobView view = failed();

        JobStatus status = status(new JobView(view.job(), List.of(), view.events(), view.now()));

        assertThat(status.ending()).hasValue(Ending.NODE_FAILURE);
        assertThat(status.nativeState()).isEqualTo("PodGone");
        assertThat(status.reason().orElseThrow()).contains("deleted before its command had ended");
    }

    @Test
    void aJobThatStartsItsContainerAgainDeletesItsPodItself() {
        JobView view = failed();
        view.job().getSpec().getTemplate().getSpec().setRestartPolicy("OnFailure");

        assertThat(status(new JobView(view.job(), List.of(), view.events(), view.now()))
                        .ending())
                .hasValue(Ending.FAILED);
    }

    @Test
    void theCommandThatEndsBecauseItsPodIsDeletedIsNotToBlame() {
        JobView view = failed();
        PodView pod = view.pods().get(0);
        delete(pod, pod.finishedAt().orElseThrow().minusSeconds(2));

        assertThat(status(view).ending()).hasValue(Ending.NODE_FAILURE);
    }

    @Test
    void aPodThatIsCleanedUpAfterItsEndHasFailedByItself() {
        JobView view = failed();
        PodView pod = view.pods().get(0);
        delete(pod, pod.finishedAt().orElseThrow().plusSeconds(1));

        assertThat(status(view).ending()).hasValue(Ending.FAILED);
        assertThat(status(view).exitCode()).hasValue(1);
    }

    @Test
    void theRankThatFailsForTheLossOfADeletedOneIsNotToBlame() {
        JobView view = Captured.view("gang-failed");
        PodView guilty = FailureTable.guilty(view).orElseThrow();
        PodView other = view.pods().stream()
                .filter(pod -> pod.rank() != guilty.rank())
                .findFirst()
                .orElseThrow();
        other.pod().getStatus().setContainerStatuses(List.of());
        delete(other, guilty.finishedAt().orElseThrow().plusSeconds(1));
        assertThat(status(view).ending()).hasValue(Ending.FAILED); // ended because of the first

        delete(other, guilty.finishedAt().orElseThrow().minusSeconds(20));

        assertThat(status(view).ending()).hasValue(Ending.NODE_FAILURE);
        assertThat(status(view).firstFailure()).isEmpty();
    }
}
