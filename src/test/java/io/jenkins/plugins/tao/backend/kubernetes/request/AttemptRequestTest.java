package io.jenkins.plugins.tao.backend.kubernetes.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.kubernetes.Sample;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a further attempt takes over from the Job before it, and what not. */
class AttemptRequestTest {
    private static final KubernetesTarget TARGET =
            Records.of(KubernetesTarget.class, "name", "k8s", "namespace", "tao-jobs");

    private static Job first(Records.Draft<KubernetesOptions> options) throws Rejected {
        JobSpec spec = Sample.job("dino train")
                .options(options.build())
                .resources(new Resources(1, OptionalInt.of(1), OptionalInt.empty(), Optional.of(Duration.ofHours(1))))
                .build();
        return JobRequest.render(KubernetesPlan.of(TARGET, spec, new JobKey("dino"), Optional.empty()));
    }

    private static Job next(Job previous) {
        return AttemptRequest.render(previous, 2, "tao-dino-r2", Set.of());
    }

    /** As {@code KubernetesSubmission} ends it. */
    private static Job ended(Job job, String note) {
        return new JobBuilder(job)
                .editMetadata()
                .addToAnnotations(note, "why")
                .endMetadata()
                .editSpec()
                .withActiveDeadlineSeconds(1L)
                .endSpec()
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {KubernetesNames.ENDED, KubernetesNames.FINISHED})
    void anAttemptAfterAJobThatWeEndedHasItsWholeTime(String note) throws Rejected {
        Job next = next(ended(first(Records.draft(KubernetesOptions.class)), note));

        assertThat(next.getSpec().getActiveDeadlineSeconds()).isNull();
        assertThat(next.getMetadata().getAnnotations())
                .containsEntry(KubernetesNames.LIMIT, "3600")
                .doesNotContainKey(note);
    }

    @Test
    void anAttemptAfterAJobOfAnOlderVersionKeepsTheLimitThatItHad() throws Rejected {
        Job older = first(Records.draft(KubernetesOptions.class));
        older.getMetadata().getAnnotations().remove(KubernetesNames.LIMIT);
        older.getSpec().setActiveDeadlineSeconds(3600L);

        assertThat(next(older).getSpec().getActiveDeadlineSeconds()).isEqualTo(3600);
        assertThat(next(ended(older, KubernetesNames.ENDED)).getSpec().getActiveDeadlineSeconds())
                .isNull();
    }

    /** As Kueue 0.14 writes into a Job that it admits. */
    private static Job admitted(Job job) {
        return new JobBuilder(job)
                .editSpec()
                .withSuspend(false)
                .editTemplate()
                .editMetadata()
                .addToLabels("kueue.x-k8s.io/podset", "main")
                .addToAnnotations("kueue.x-k8s.io/workload", "job-tao-dino-4f1c2")
                .addToAnnotations("kueue.x-k8s.io/podset-required-topology", "rack")
                .endMetadata()
                .editSpec()
                .addToNodeSelector("cloud.example/pool", "spot")
                .addToTolerations(new Toleration("NoSchedule", "spot", "Exists", null, null))
                .addToSchedulingGates(new PodSchedulingGate("kueue.x-k8s.io/topology"))
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    @Test
    void anAttemptIsMadeWithoutWhatAQueueOfKueueWroteIntoTheOneBefore() throws Rejected {
        Job first = first(Records.draft(KubernetesOptions.class)
                .with("queue", "gpus")
                .with("nodeSelector", Map.of("gpu", "h100")));
        Job next = next(admitted(first));
        var pod = next.getSpec().getTemplate();

        assertThat(pod.getMetadata().getLabels()).doesNotContainKey("kueue.x-k8s.io/podset");
        assertThat(pod.getMetadata().getAnnotations())
                .doesNotContainKey("kueue.x-k8s.io/workload")
                .containsEntry("kueue.x-k8s.io/podset-required-topology", "rack");
        assertThat(pod.getSpec().getNodeSelector()).containsExactly(Map.entry("gpu", "h100"));
        assertThat(pod.getSpec().getTolerations())
                .isEqualTo(first.getSpec().getTemplate().getSpec().getTolerations());
        assertThat(pod.getSpec().getSchedulingGates()).isEmpty();
        assertThat(next.getMetadata().getLabels()).containsEntry(KubernetesNames.QUEUE, "gpus");
        assertThat(next.getSpec().getSuspend()).isTrue();
        assertThat(next(admitted(next)).getSpec().getTemplate().getSpec().getNodeSelector())
                .containsExactly(Map.entry("gpu", "h100"));
    }

    @Test
    void whatTheUserAsksOfNodesStaysWhereThereIsNoQueue() throws Rejected {
        Job next = next(first(Records.draft(KubernetesOptions.class).with("nodeSelector", Map.of("gpu", "h100"))));

        assertThat(next.getMetadata().getAnnotations()).doesNotContainKey(KubernetesNames.NODES_ASKED);
        assertThat(next.getSpec().getTemplate().getSpec().getNodeSelector()).containsExactly(Map.entry("gpu", "h100"));
    }

    @Test
    void theNextAttemptIsHeldWhileTheOneBeforeHasNotEnded() throws Rejected {
        Job first = first(Records.draft(KubernetesOptions.class));
        Job over = new JobBuilder(first)
                .withNewStatus()
                .addNewCondition()
                .withType("Failed")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();

        assertThat(List.of(next(first), next(over)))
                .extracting(job -> job.getSpec().getSuspend())
                .containsExactly(true, null);
    }
}
