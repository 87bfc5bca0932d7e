package io.jenkins.plugins.tao.backend.kubernetes.view;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.MemberIndices;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One Job with what is known around it.
 *
 * @param job as the API server has it
 * @param listed its pods, by rank, as far as they could be listed
 * @param events what was said about it and its pods, oldest first
 * @param now the API server's own clock; empty before its first answer
 */
public record JobView(Job job, Answer<PodView> listed, List<Event> events, Optional<Instant> now) {
    public JobView {
        listed = listed.map(pods -> pods.stream().sorted(PodView.BY_RANK).toList());
        events = events.stream().sorted(Comparator.comparing(JobView::at)).toList();
    }

    /** A Job whose pods are these. */
    public JobView(Job job, List<PodView> pods, List<Event> events, Optional<Instant> now) {
        this(job, Answer.of(pods), events, now);
    }

    /** A Job of which nothing else is known. */
    public static JobView of(Job job) {
        return new JobView(job, Answer.of(List.of()), List.of(), Optional.empty());
    }

    /** Its pods; none where they could not be listed, which {@link #podsKnown} tells apart. */
    public List<PodView> pods() {
        return listed.orNone();
    }

    /** Whether its pods were listed, and are not fewer than the Job itself counts: a list may lag behind. */
    public boolean podsKnown() {
        return listed.listed().isPresent() && !isBehind();
    }

    private boolean isBehind() {
        long alive = pods().stream().filter(pod -> !pod.isOver()).count();
        long running = pods().stream().filter(PodView::hasBegun).count();
        return alive < active() - terminating() || running < ready();
    }

    /** Why the list of its pods is of no use. */
    public String podsGap() {
        return listed.gap()
                .map(why -> Objects.requireNonNullElse(why.getMessage(), ""))
                .orElse("the list of pods lags behind the Job");
    }

    public int active() {
        return count(JobStatus::getActive);
    }

    /** Pods whose container runs, as the Job counts them. */
    public int ready() {
        return count(JobStatus::getReady);
    }

    private int terminating() {
        return count(JobStatus::getTerminating);
    }

    private int count(Function<JobStatus, @Nullable Integer> field) {
        return Optional.ofNullable(job.getStatus()).map(field).orElse(0);
    }

    /** Whether all its pods have run at the same time, or some have ended: then it has started, whatever comes after. */
    public boolean hasStarted() {
        if (members().isPresent() && pods().stream().anyMatch(PodView::hasBegun)) {
            return true;
        }
        boolean ended = count(JobStatus::getSucceeded) > 0 || count(JobStatus::getFailed) > 0 || terminating() > 0;
        long begun = pods().stream().filter(PodView::hasBegun).count();
        return ended
                || ready() >= expectedPods()
                || begun >= expectedPods()
                || pods().stream()
                        .anyMatch(pod -> pod.isOver() || pod.deletedAt().isPresent());
    }

    /** When its end was decided. */
    public Optional<Instant> endedAt() {
        return condition("Failed")
                .or(() -> condition("Complete"))
                .flatMap(condition -> PodView.time(condition.getLastTransitionTime()));
    }

    /** When it was said; servers differ in which of the times they fill. */
    public static Instant at(Event event) {
        return PodView.time(event.getLastTimestamp())
                .or(() -> Optional.ofNullable(event.getEventTime()).flatMap(time -> PodView.time(time.getTime())))
                .or(() -> PodView.time(event.getMetadata().getCreationTimestamp()))
                .orElse(Instant.EPOCH);
    }

    private JobStatus status() {
        return Objects.requireNonNullElseGet(job.getStatus(), JobStatus::new);
    }

    public String name() {
        return job.getMetadata().getName();
    }

    public Optional<String> note(String annotation) {
        return Optional.ofNullable(job.getMetadata().getAnnotations()).map(notes -> notes.get(annotation));
    }

    public Optional<Duration> seconds(String annotation) {
        return note(annotation)
                .filter(text -> text.matches("\\d{1,9}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }

    public Optional<JobCondition> condition(String type) {
        return status().getConditions().stream()
                .filter(condition -> type.equals(condition.getType()) && "True".equals(condition.getStatus()))
                .findFirst();
    }

    public boolean isOver() {
        return condition("Complete").isPresent() || condition("Failed").isPresent();
    }

    /** Whether we ended it, by a time limit of one second. */
    public boolean isEndedByUs() {
        return note(KubernetesNames.ENDED).isPresent()
                || note(KubernetesNames.FINISHED).isPresent();
    }

    public boolean isSuspended() {
        return Boolean.TRUE.equals(job.getSpec().getSuspend());
    }

    public boolean isIndexed() {
        return "Indexed".equals(job.getSpec().getCompletionMode());
    }

    /** Whether its pods are the nodes of one training, which has no use for a part of them. */
    public boolean isGang() {
        return job.getSpec().getTemplate().getSpec().getSubdomain() != null;
    }

    /** Its members, by completion index; empty for a Job whose pods have one end together. */
    public Optional<MemberIndices> members() {
        return note(KubernetesNames.MEMBERS).map(MemberIndices::parse);
    }

    /** Completion indices that the Job counts as completed, whatever became of their pods. */
    public MemberIndices completed() {
        return MemberIndices.parse(status().getCompletedIndexes());
    }

    /** Completion indices that the Job counts as failed. */
    public MemberIndices failed() {
        return MemberIndices.parse(status().getFailedIndexes());
    }

    public int expectedPods() {
        return Objects.requireNonNullElse(job.getSpec().getParallelism(), 1);
    }

    /** Whether pods were never made, or not all of those that only together are of use. */
    public boolean lacksPods() {
        return pods().isEmpty() || (isGang() && pods().size() < expectedPods());
    }

    /** Since when it may start; empty while the controller has not yet seen that it may, as after an admission by Kueue. */
    public Optional<Instant> since() {
        JobStatus status = status();
        return condition("Suspended").isPresent()
                ? Optional.empty()
                : Stream.concat(
                                PodView.time(status.getStartTime()).stream(),
                                status.getConditions().stream()
                                        .filter(each -> "Suspended".equals(each.getType()))
                                        .flatMap(each -> PodView.time(each.getLastTransitionTime()).stream()))
                        .max(Comparator.naturalOrder());
    }

    /** Since when its command runs, whatever was waited for before: that of a gang once all of its pods have begun. */
    public Optional<Instant> runningSince() {
        List<Instant> starts = pods().stream()
                .flatMap(pod -> pod.firstStart().stream())
                .sorted()
                .toList();
        boolean begun = !starts.isEmpty() && (!isGang() || starts.size() >= expectedPods());
        return begun ? Optional.of(starts.get(isGang() ? starts.size() - 1 : 0)) : Optional.empty();
    }

    /** Of what it is to be known what was said: the Job, its pods and the claims that they wait for, as {@code Kind/name}. */
    public Set<String> subjects() {
        Stream<String> ofPods = pods().stream()
                .flatMap(pod -> Stream.concat(
                        Stream.of("Pod/" + pod.name()),
                        pod.unboundClaims().stream().map(claim -> "PersistentVolumeClaim/" + claim)));
        return Stream.concat(Stream.of("Job/" + name()), ofPods).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The same with those of {@code all} that are about it. */
    public JobView with(List<Event> all) {
        Set<String> subjects = subjects();
        List<Event> own = all.stream()
                .filter(event -> event.getInvolvedObject() != null
                        && subjects.contains(event.getInvolvedObject().getKind() + "/"
                                + event.getInvolvedObject().getName()))
                .toList();
        return new JobView(job, listed, own, now);
    }

    /** What was said last about {@code kind} {@code name} for {@code reason}. */
    public Optional<String> lastEvent(String kind, String name, String reason) {
        return lastEvent(kind, name, reason, any -> true);
    }

    /** The last message of {@code reason} that {@code wanted} takes. */
    public Optional<String> lastEvent(String kind, String name, String reason, Predicate<String> wanted) {
        return events.stream()
                .filter(event -> reason.equals(event.getReason()))
                .filter(event -> kind.equals(event.getInvolvedObject().getKind())
                        && name.equals(event.getInvolvedObject().getName()))
                .map(event -> Objects.requireNonNullElse(event.getMessage(), ""))
                .filter(wanted)
                .reduce((before, last) -> last);
    }
}
