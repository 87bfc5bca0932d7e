package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One Job with what is known around it.
 *
 * @param job as the API server has it
 * @param pods its pods, by rank
 * @param events what was said about it and its pods, oldest first
 * @param now the API server's own clock; empty before its first answer
 */
record JobView(Job job, List<PodView> pods, List<Event> events, Optional<Instant> now) {
    JobView {
        pods = pods.stream().sorted(PodView.BY_RANK).toList();
        events = events.stream().sorted(Comparator.comparing(JobView::at)).toList();
    }

    /** When it was said; servers differ in which of the times they fill. */
    static Instant at(Event event) {
        return PodView.time(event.getLastTimestamp())
                .or(() -> Optional.ofNullable(event.getEventTime()).flatMap(time -> PodView.time(time.getTime())))
                .or(() -> PodView.time(event.getMetadata().getCreationTimestamp()))
                .orElse(Instant.EPOCH);
    }

    String name() {
        return job.getMetadata().getName();
    }

    Optional<String> note(String annotation) {
        return Optional.ofNullable(job.getMetadata().getAnnotations()).map(notes -> notes.get(annotation));
    }

    Optional<Duration> seconds(String annotation) {
        return note(annotation)
                .filter(text -> text.matches("\\d{1,9}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }

    Optional<JobCondition> condition(String type) {
        List<JobCondition> all =
                job.getStatus() == null ? List.of() : job.getStatus().getConditions();
        return all.stream()
                .filter(condition -> type.equals(condition.getType()) && "True".equals(condition.getStatus()))
                .findFirst();
    }

    boolean isOver() {
        return condition("Complete").isPresent() || condition("Failed").isPresent();
    }

    boolean isSuspended() {
        return Boolean.TRUE.equals(job.getSpec().getSuspend());
    }

    boolean isIndexed() {
        return "Indexed".equals(job.getSpec().getCompletionMode());
    }

    /** Whether its pods are the nodes of one training, which has no use for a part of them. */
    boolean isGang() {
        return job.getSpec().getTemplate().getSpec().getSubdomain() != null;
    }

    int expectedPods() {
        return Objects.requireNonNullElse(job.getSpec().getParallelism(), 1);
    }

    /** Whether pods were never made, or not all of those that only together are of use. */
    boolean lacksPods() {
        return pods.isEmpty() || (isGang() && pods.size() < expectedPods());
    }

    /** Since when it may start: its start as the controller has it, which a suspension takes away, else its creation. */
    Optional<Instant> since() {
        return Optional.ofNullable(job.getStatus())
                .flatMap(status -> PodView.time(status.getStartTime()))
                .or(() -> PodView.time(job.getMetadata().getCreationTimestamp()));
    }

    /** What was said last about {@code kind} {@code name} for {@code reason}. */
    Optional<String> lastEvent(String kind, String name, String reason) {
        return events.stream()
                .filter(event -> reason.equals(event.getReason()))
                .filter(event -> kind.equals(event.getInvolvedObject().getKind())
                        && name.equals(event.getInvolvedObject().getName()))
                .reduce((before, last) -> last)
                .map(event -> Objects.requireNonNullElse(event.getMessage(), ""));
    }
}
