package io.jenkins.plugins.tao.backend.kubernetes.view;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What Volcano says of a Job whose pods it starts together or not at all, by the PodGroup of the same name. Pure.
 *
 * @see <a href="https://github.com/volcano-sh/volcano/blob/0e30546/staging/src/volcano.sh/apis/pkg/apis/scheduling/v1beta1/types.go">PodGroup</a>
 */
public final class VolcanoReply {
    /** The name of its scheduler. */
    public static final String SCHEDULER = "volcano";

    /** Group and version of its PodGroups. */
    public static final String VERSION = "scheduling.volcano.sh/v1beta1";

    private VolcanoReply() {}

    /** Whether Volcano is to start the pods of {@code view}. */
    public static boolean schedules(JobView view) {
        return SCHEDULER.equals(view.job().getSpec().getTemplate().getSpec().getSchedulerName());
    }

    /**
     * The status of a Job that waits, with the reason of Volcano before that of its pods.
     *
     * @param groups the PodGroups of its namespace
     */
    public static JobStatus explained(JobStatus status, JobView view, Answer<GenericKubernetesResource> groups) {
        if (status.state() != JobState.PENDING || !schedules(view)) {
            return status;
        }
        if (groups instanceof Answer.Refused) {
            return status.withNotice(
                    "Why Volcano holds " + view.name() + " back is known from its pods alone: the account may not"
                            + " list podgroups of scheduling.volcano.sh.");
        }
        return groups.orNone().stream()
                .filter(group -> group.getMetadata().getName().equals(view.name()))
                .findFirst()
                .flatMap(VolcanoReply::why)
                .map(why -> status.withReason(
                        status.reason().map(pods -> why + "; " + pods).orElse(why)))
                .orElse(status);
    }

    /** Conditions stay when they are over: the last one counts. */
    private static Optional<String> why(GenericKubernetesResource group) {
        List<Map<String, Object>> conditions =
                Objects.requireNonNullElse(group.get("status", "conditions"), List.<Map<String, Object>>of());
        Optional<Map<String, Object>> last = conditions.stream()
                .filter(each -> "True".equals(each.get("status")))
                .max(Comparator.comparing(each -> PodView.time(String.valueOf(each.get("lastTransitionTime")))
                        .orElse(Instant.EPOCH)));
        String phase = Objects.requireNonNullElse(group.get("status", "phase"), "");
        if (phase.isEmpty()
                || last.filter(each -> "Scheduled".equals(each.get("type"))).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                "Volcano's queue '" + Objects.requireNonNullElse(group.get("spec", "queue"), "default") + "' "
                        + (phase.equals("Inqueue")
                                ? "admitted it, and its pods cannot start together"
                                : "does not admit it yet")
                        + last.map(each -> ": " + each.get("reason") + ": " + each.get("message"))
                                .orElse(""));
    }
}
