package io.jenkins.plugins.tao.backend.kubernetes.view;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Volume;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One pod, as far as a job is concerned; what an older or newer server leaves out is empty. Pure. */
public record PodView(Pod pod) {
    /** By index, which is the rank, then by age. */
    public static final Comparator<PodView> BY_RANK = Comparator.comparingInt(PodView::rank)
            .thenComparing(pod -> pod.createdAt().orElse(Instant.EPOCH))
            .thenComparing(PodView::name);

    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final String INITIALIZING = "PodInitializing";

    /** The reason of a pod that a controller keeps from the scheduler, such as one that makes its node first. */
    public static final String GATED = "SchedulingGated";

    private static final Set<String> LOST = Set.of("DeletionByTaintManager", "DeletionByPodGC", "NodeLost");

    public String name() {
        return pod.getMetadata().getName();
    }

    public int rank() {
        String index = Optional.ofNullable(pod.getMetadata().getAnnotations())
                .map(notes -> notes.get(KubernetesNames.INDEX))
                .or(() -> Optional.ofNullable(labels().get(KubernetesNames.INDEX)))
                .orElse("0");
        return index.matches("\\d{1,8}") ? Integer.parseInt(index) : 0;
    }

    Map<String, String> labels() {
        return Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
    }

    /** The Job it belongs to; empty if it is none of a Job's. */
    public String job() {
        String newer = labels().get("batch.kubernetes.io/job-name");
        return newer != null ? newer : labels().getOrDefault(KubernetesNames.JOB_NAME, "");
    }

    private PodStatus status() {
        return Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
    }

    public String phase() {
        return Objects.requireNonNullElse(status().getPhase(), "");
    }

    public String reason() {
        return Objects.requireNonNullElse(status().getReason(), "");
    }

    public String message() {
        return Objects.requireNonNullElse(status().getMessage(), "");
    }

    public Optional<String> node() {
        return pod.getSpec() == null
                ? Optional.empty()
                : Optional.ofNullable(pod.getSpec().getNodeName()).filter(name -> !name.isBlank());
    }

    public Optional<Instant> createdAt() {
        return time(pod.getMetadata().getCreationTimestamp());
    }

    public Optional<Instant> deletedAt() {
        return time(pod.getMetadata().getDeletionTimestamp());
    }

    /** Who keeps it after its deletion, besides the Job's controller. */
    public List<String> finalizers() {
        return pod.getMetadata().getFinalizers().stream()
                .filter(name -> !name.startsWith("batch.kubernetes.io/"))
                .toList();
    }

    /** When its deletion was asked for: the server tells when its grace is over. */
    public Optional<Instant> deletionAsked() {
        long grace = Objects.requireNonNullElse(pod.getMetadata().getDeletionGracePeriodSeconds(), 0L);
        return deletedAt().map(end -> end.minusSeconds(grace));
    }

    /** Whether it was to go before its command had ended. */
    public boolean wasDeleted() {
        return deletionAsked()
                .filter(asked -> !asked.isAfter(finishedAt().orElse(Instant.MAX)))
                .isPresent();
    }

    private Optional<ContainerStatus> container() {
        return status().getContainerStatuses().stream()
                .filter(status -> KubernetesNames.CONTAINER.equals(status.getName()))
                .findFirst();
    }

    /** Which image its container runs, whatever its tag names later: {@code sha256:} and 64 digits. */
    public Optional<String> imageDigest() {
        return container()
                .flatMap(status -> Optional.ofNullable(status.getImageID()))
                .map(DIGEST::matcher)
                .filter(Matcher::find)
                .map(Matcher::group);
    }

    private Optional<ContainerState> state() {
        return container().flatMap(status -> Optional.ofNullable(status.getState()));
    }

    private List<ContainerStatus> inits() {
        return status().getInitContainerStatuses();
    }

    /** The container that waits: an init container that does not end well before the one of the job, which waits for it. */
    private Optional<ContainerStatus> waits() {
        return Stream.concat(
                        inits().stream()
                                .filter(init -> init.getState() != null
                                        && init.getState().getWaiting() != null
                                        && !INITIALIZING.equals(
                                                init.getState().getWaiting().getReason())),
                        container().stream())
                .findFirst()
                .filter(any -> state().map(ContainerState::getWaiting).isPresent());
    }

    public Optional<ContainerStateWaiting> waiting() {
        return waits().map(status -> status.getState().getWaiting());
    }

    /** The kubelet's word for what it waits for; empty for none. */
    public String waitsFor() {
        return waiting().map(ContainerStateWaiting::getReason).orElse("");
    }

    /** The image of the container that waits. */
    public String awaitedImage() {
        return waits().map(ContainerStatus::getImage)
                .filter(image -> !image.isBlank())
                .orElseGet(() -> pod.getSpec().getContainers().get(0).getImage());
    }

    /** The init container that failed, so that the command never began. */
    public Optional<ContainerStatus> failedInit() {
        return inits().stream()
                .filter(init -> init.getState() != null
                        && init.getState().getTerminated() != null
                        && !Objects.equals(0, init.getState().getTerminated().getExitCode()))
                .findFirst();
    }

    /** How the container ended, this time or, when it waits to be started again, the time before. */
    public Optional<ContainerStateTerminated> terminated() {
        return state().flatMap(state -> Optional.ofNullable(state.getTerminated()))
                .or(() -> container()
                        .flatMap(status -> Optional.ofNullable(status.getLastState()))
                        .flatMap(state -> Optional.ofNullable(state.getTerminated())));
    }

    /** Whether its command has ended for good while the pod goes on. */
    public boolean commandEnded() {
        return phase().equals("Running")
                && state().map(state -> state.getTerminated() != null).orElse(false)
                && "Never".equals(pod.getSpec().getRestartPolicy());
    }

    public int restarts() {
        return container()
                .map(status -> Objects.requireNonNullElse(status.getRestartCount(), 0))
                .orElse(0);
    }

    public boolean isRunning() {
        boolean inside = state().map(state -> state.getRunning() != null).orElse(false);
        return inside && phase().equals("Running");
    }

    public boolean isOver() {
        return phase().equals("Succeeded") || phase().equals("Failed");
    }

    /** Whether its container has run at all, so that there is a log. */
    public boolean hasLog() {
        return isRunning()
                || terminated().isPresent()
                || (isOver() && container().isPresent());
    }

    /** Whether its container has ever run, also when it waits to be started again. */
    public boolean hasBegun() {
        return startedAt().isPresent() || terminated().isPresent() || restarts() > 0;
    }

    public Optional<Instant> startedAt() {
        return state().flatMap(state -> {
            if (state.getRunning() != null) {
                return time(state.getRunning().getStartedAt());
            }
            return state.getTerminated() == null
                    ? Optional.empty()
                    : time(state.getTerminated().getStartedAt());
        });
    }

    /** When its command began first; of a container that was started again, when the kubelet took the pod. */
    Optional<Instant> firstStart() {
        return restarts() > 0 ? time(pod.getStatus().getStartTime()).or(this::startedAt) : startedAt();
    }

    public Optional<Instant> finishedAt() {
        return terminated().flatMap(end -> time(end.getFinishedAt()));
    }

    public Optional<PodCondition> condition(String type, String status) {
        return status().getConditions().stream()
                .filter(condition -> type.equals(condition.getType()) && status.equals(condition.getStatus()))
                .findFirst();
    }

    /** Why no node takes it, in the scheduler's words. */
    public Optional<String> unschedulable() {
        return condition("PodScheduled", "False")
                .filter(condition -> !GATED.equals(condition.getReason()))
                .map(condition -> Objects.requireNonNullElse(condition.getMessage(), ""))
                .filter(text -> !text.isBlank());
    }

    /** The claims of a pod that waits until they have a volume. */
    public List<String> unboundClaims() {
        return unschedulable().filter(text -> text.contains("unbound")).isEmpty()
                ? List.of()
                : pod.getSpec().getVolumes().stream()
                        .map(Volume::getPersistentVolumeClaim)
                        .filter(Objects::nonNull)
                        .map(PersistentVolumeClaimVolumeSource::getClaimName)
                        .toList();
    }

    /** The gates that keep the scheduler from looking at it. */
    public List<String> gates() {
        return condition("PodScheduled", "False")
                        .filter(condition -> GATED.equals(condition.getReason()))
                        .isPresent()
                ? pod.getSpec().getSchedulingGates().stream()
                        .map(PodSchedulingGate::getName)
                        .toList()
                : List.of();
    }

    /** When a node took it, from which on its image is pulled; when it was made, where the server does not tell. */
    public Optional<Instant> scheduledAt() {
        return condition("PodScheduled", "True")
                .flatMap(condition -> time(condition.getLastTransitionTime()))
                .or(this::createdAt);
    }

    /** Why the cluster took it away: the reason of its condition {@code DisruptionTarget}. */
    public Optional<String> disruption() {
        return condition("DisruptionTarget", "True")
                .map(condition -> Objects.requireNonNullElse(condition.getReason(), "DisruptionTarget"));
    }

    /** Whether its node has gone silent: then nobody will ever report its end. */
    public boolean isLost() {
        boolean taken = disruption().filter(LOST::contains).isPresent() || reason().equals("NodeLost");
        return taken && (deletedAt().isPresent() || isOver());
    }

    public static Optional<Instant> time(@Nullable String text) {
        try {
            return text == null || text.isBlank()
                    ? Optional.empty()
                    : Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
