package io.jenkins.plugins.tao.backend.kubernetes.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** PodGroups as Volcano's own pages show them. */
class VolcanoReplyTest {
    private static final JobStatus PENDING =
            JobStatus.live(JobState.PENDING, "Unschedulable").withReason("no node has the GPUs free");

    private static final Map<String, Object> HELD = Map.of(
            "type", "Unschedulable",
            "status", "True",
            "lastTransitionTime", "2024-05-28T09:19:01Z",
            "reason", "NotEnoughResources",
            "message", "4/4 tasks in gang unschedulable: pod group is not ready, 4 Pending, 4 minAvailable");

    private static Map<String, Object> scheduled(String at) {
        return Map.of(
                "type", "Scheduled",
                "status", "True",
                "lastTransitionTime", at,
                "reason", "tasks in gang are ready to be scheduled");
    }

    private static JobView view(String scheduler) {
        JobView view = Captured.view("too-many-gpus-1.36");
        view.job().getSpec().getTemplate().getSpec().setSchedulerName(scheduler);
        return view;
    }

    private static GenericKubernetesResource group(String name, Map<String, Object> status) {
        GenericKubernetesResource group = new GenericKubernetesResource();
        group.setMetadata(new ObjectMetaBuilder().withName(name).build());
        group.setAdditionalProperties(
                new HashMap<>(Map.of("spec", Map.of("minMember", 4, "queue", "research"), "status", status)));
        return group;
    }

    private static String reason(Map<String, Object> status) {
        JobView view = view("volcano");
        List<GenericKubernetesResource> groups = List.of(group("other", Map.of()), group(view.name(), status));
        return VolcanoReply.explained(PENDING, view, Answer.of(groups)).reason().orElseThrow();
    }

    @Test
    void whatVolcanoLacksComesBeforeWhatThePodsSay() {
        assertThat(reason(Map.of("phase", "Pending", "conditions", List.of(HELD))))
                .isEqualTo(
                        "Volcano's queue 'research' does not admit it yet: NotEnoughResources: 4/4 tasks in gang"
                                + " unschedulable: pod group is not ready, 4 Pending, 4 minAvailable; no node has the GPUs free");
        assertThat(reason(Map.of("phase", "Inqueue", "conditions", List.of(HELD))))
                .startsWith("Volcano's queue 'research' admitted it, and its pods cannot start together: NotEnough");
        assertThat(reason(Map.of("phase", "Pending")))
                .isEqualTo("Volcano's queue 'research' does not admit it yet; no node has the GPUs free");
    }

    /** A condition stays when it is over: Volcano adds the other one. */
    @Test
    void theLaterConditionCounts() {
        assertThat(reason(Map.of("phase", "Inqueue", "conditions", List.of(HELD, scheduled("2024-05-28T09:19:02Z")))))
                .isEqualTo("no node has the GPUs free");
        assertThat(reason(Map.of("phase", "Pending", "conditions", List.of(HELD, scheduled("2024-05-28T09:18:53Z")))))
                .contains("NotEnoughResources");
        assertThat(reason(Map.of())).isEqualTo("no node has the GPUs free");
    }

    @Test
    void onlyAJobOfVolcanoThatWaitsHasItsReason() {
        JobView other = view("default-scheduler");
        Answer<GenericKubernetesResource> groups =
                Answer.of(List.of(group(other.name(), Map.of("conditions", List.of(HELD)))));
        JobStatus running = JobStatus.live(JobState.RUNNING, "Running");

        assertThat(VolcanoReply.explained(PENDING, other, groups)).isSameAs(PENDING);
        assertThat(VolcanoReply.explained(running, view("volcano"), groups)).isSameAs(running);
        assertThat(VolcanoReply.explained(PENDING, view("volcano"), Answer.of(List.of())))
                .isSameAs(PENDING);
    }

    @Test
    void whatMayNotBeListedIsSaidAndTheReasonOfThePodsStays() {
        JobStatus status = VolcanoReply.explained(
                PENDING, view("volcano"), new Answer.Refused<>(new BackendException.Denied("no", "give it")));

        assertThat(status.reason()).isEqualTo(PENDING.reason());
        assertThat(status.notices()).singleElement().asString().contains("may not list podgroups");
    }
}
