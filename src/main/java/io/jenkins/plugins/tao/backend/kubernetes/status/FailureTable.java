package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.request.JobRequest;
import io.jenkins.plugins.tao.backend.kubernetes.request.Prologue;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.failure.LineKind;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.Endings;
import io.jenkins.plugins.tao.job.text.WordRow;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a failed Job's pods and conditions tell of the cause, first match first. Pure. */
final class FailureTable {
    private static final String SYSTEM = "kubernetes";
    private static final Pattern USED =
            Pattern.compile("was using ([0-9.]+[A-Za-z]{0,2}), request is ([0-9.]+[A-Za-z]{0,2})");
    private static final BigDecimal LITTLE = BigDecimal.valueOf(64L << 20);
    private static final int FIRST_SIGNAL = 128;
    private static final int LAST_LINES = 20;

    /** What the kubelet says where the job passed a limit of its own. */
    private static final Pattern OWN_LIMIT =
            Pattern.compile("exceeds the total limit|exceed(s|ed) its local ephemeral storage limit|EmptyDir volume");

    private static final Map<String, WordRow> BY_CODE = WordRow.read(FailureTable.class, "exit-codes.txt").stream()
            .collect(Collectors.toMap(row -> row.sign().pattern(), row -> row));

    private static final String NOT_STARTED = "NotStarted";
    static final String POD_DELETED = "PodGone";
    static final String DELETED =
            "its pod was deleted before its command had ended, by kubectl or a clean-up of the cluster:"
                    + " the program is not to blame";

    private FailureTable() {}

    /** Whether the program is to blame, or the machines: then another attempt may help. */
    enum Blame {
        ERR_PROGRAM,
        ERR_INFRA
    }

    /**
     * A failure.
     *
     * @param ending how the Job ended
     * @param exitCode the command's own exit code, when it came to one
     * @param event one word for what happened, such as {@code OOMKilled}
     * @param message the cluster's own words
     * @param suggestion what to do
     */
    record Failure(Ending ending, OptionalInt exitCode, String event, String message, String suggestion) {
        Blame blame() {
            boolean machines = ending == Ending.NODE_FAILURE || ending == Ending.PREEMPTED || event.equals(NOT_STARTED);
            return machines ? Blame.ERR_INFRA : Blame.ERR_PROGRAM;
        }

        /** One line, for a status. */
        String line() {
            return event + (message.isBlank() ? "" : ": " + message.strip());
        }
    }

    /** Why {@code view}, whose Job has failed or is about to, failed. */
    static Failure of(JobView view) {
        JobCondition condition = view.condition("Failed")
                .or(() -> view.condition("FailureTarget"))
                .orElseGet(JobCondition::new);
        String reason = Objects.requireNonNullElse(condition.getReason(), "");
        String message = Objects.requireNonNullElse(condition.getMessage(), "");
        Optional<String> ours = view.note(KubernetesNames.ENDED);
        if (ours.isPresent()) {
            return failure(Ending.LAUNCH_FAILURE, NOT_STARTED, ours.get(), "See why its pods did not start.");
        }
        if (reason.equals("DeadlineExceeded")) {
            return timeLimit(message);
        }
        return guilty(view)
                .map(FailureTable::ofPod)
                .or(() -> ofMessage(reason, message))
                .or(() ->
                        Optional.of(deleted()).filter(any -> reason.equals("BackoffLimitExceeded") && isDeleted(view)))
                .orElseGet(() -> failure(
                        Ending.FAILED,
                        reason.isEmpty() ? "Failed" : reason,
                        message
                                + (view.podsKnown()
                                        ? "; its pods are gone"
                                        : "; its pods are not known: " + view.podsGap()),
                        "Look at the log that was followed while it ran."));
    }

    /** The pod that failed first; those that were taken down because of it come later. */
    static Optional<PodView> guilty(JobView view) {
        Optional<PodView> disrupted = view.pods().stream()
                .filter(pod ->
                        pod.isLost() || isEvicted(pod) || pod.disruption().isPresent())
                .findFirst();
        Optional<PodView> failed = view.pods().stream()
                .filter(pod -> pod.phase().equals("Failed")
                        || pod.terminated().map(end -> code(end) != 0).orElse(false))
                .filter(pod -> !pod.wasDeleted())
                // times are whole seconds: of one second, whoever was ended by a signal is not the cause
                .min(Comparator.comparing((PodView pod) -> pod.finishedAt().orElse(Instant.MAX))
                        .thenComparing(FailureTable::endedBySignal)
                        .thenComparing(PodView.BY_RANK));
        Optional<PodView> before = view.pods().stream()
                .filter(PodView::wasDeleted)
                .filter(pod -> failed.flatMap(PodView::finishedAt)
                        .filter(pod.deletionAsked().orElse(Instant.MAX)::isBefore)
                        .isPresent())
                .findFirst();
        return disrupted
                .or(() -> before)
                .or(() -> failed)
                .or(() -> view.pods().stream()
                        .filter(pod ->
                                pod.terminated().map(end -> code(end) != 0).orElse(false))
                        .findFirst());
    }

    private static boolean endedBySignal(PodView pod) {
        return pod.terminated().map(end -> code(end) > FIRST_SIGNAL).orElse(true);
    }

    private static boolean isEvicted(PodView pod) {
        return refused(pod)
                .filter(end -> end == Ending.NODE_FAILURE || end == Ending.PREEMPTED)
                .isPresent();
    }

    /** What the kubelet's reason for the whole pod means. What one refuses for a reason that is not known, another may take. */
    private static Optional<Ending> refused(PodView pod) {
        boolean refused = pod.phase().equals("Failed") && !pod.reason().isEmpty() && !pod.hasBegun();
        return Endings.of(SYSTEM, pod.reason())
                .or(() -> Optional.of(Ending.NODE_FAILURE).filter(any -> refused));
    }

    private static int code(ContainerStateTerminated end) {
        return Objects.requireNonNullElse(end.getExitCode(), 0);
    }

    static Failure ofPod(PodView pod) {
        if (pod.isLost()) {
            return lost(pod);
        }
        if (pod.reason().equals("Evicted")) {
            return evicted(pod);
        }
        Optional<Ending> refused = refused(pod);
        if (refused.equals(Optional.of(Ending.NODE_FAILURE))) {
            return failure(
                    Ending.NODE_FAILURE,
                    pod.reason(),
                    pod.message(),
                    pod.message().contains("shut")
                            ? "Its node was shut down: the job may be sent again, elsewhere."
                            : "The node could not take the pod: have its device plugin and what it has free looked at.");
        }
        if (refused.equals(Optional.of(Ending.TIME_LIMIT))) {
            return timeLimit(pod.message());
        }
        Optional<String> disruption =
                refused.equals(Optional.of(Ending.PREEMPTED)) ? Optional.of(pod.reason()) : pod.disruption();
        if (disruption.isPresent()) {
            return disrupted(pod, disruption.get());
        }
        if (pod.wasDeleted()) {
            return deleted();
        }
        return pod.terminated()
                .map(FailureTable::ofExit)
                .or(() -> pod.failedInit().map(init -> ofInit(pod, init)))
                .orElseGet(() -> failure(Ending.UNKNOWN, "Unknown", pod.message(), "Look at the pod's events."));
    }

    /** Init containers come from a patch of the pod, or from whatever the cluster adds to pods. */
    private static Failure ofInit(PodView pod, ContainerStatus init) {
        ContainerStateTerminated end = init.getState().getTerminated();
        String reason = Objects.requireNonNullElse(end.getReason(), "Error");
        boolean memory = Endings.of(SYSTEM, reason).equals(Optional.of(Ending.OUT_OF_MEMORY));
        String last = own(Objects.requireNonNullElse(end.getMessage(), ""))
                .reduce((before, line) -> line)
                .map(line -> ", its last line: " + line.strip())
                .orElse("");
        return failure(
                memory ? Ending.OUT_OF_MEMORY : Ending.LAUNCH_FAILURE,
                "InitContainerFailed",
                "the init container '" + init.getName() + "' ended with " + reason + ", exit code " + code(end) + last
                        + "; the command never began",
                memory
                        ? "Raise the memory of that init container."
                        : "See 'kubectl logs " + pod.name() + " -c " + init.getName()
                                + "', and what adds it to the pod.");
    }

    private static Failure timeLimit(String message) {
        return failure(
                Ending.TIME_LIMIT,
                "DeadlineExceeded",
                message,
                "Give it more time, or let it resume from a checkpoint.");
    }

    private static Failure lost(PodView pod) {
        return failure(
                Ending.NODE_FAILURE,
                "NodeLost",
                "node " + pod.node().orElse("?") + " no longer answers",
                "Have the node looked at; the job may be sent again, elsewhere.");
    }

    private static Failure deleted() {
        return failure(Ending.NODE_FAILURE, POD_DELETED, DELETED, "Find out who deletes pods here.");
    }

    /** A pod that fails stays: where none is left, somebody deleted them. One that may start again is deleted by its controller. */
    private static boolean isDeleted(JobView view) {
        return view.podsKnown()
                && view.pods().isEmpty()
                && "Never".equals(view.job().getSpec().getTemplate().getSpec().getRestartPolicy());
    }

    private static Failure disrupted(PodView pod, String reason) {
        boolean preempted =
                Endings.of(SYSTEM, reason).equals(Optional.of(Ending.PREEMPTED)) || reason.contains("Preempt");
        return failure(
                preempted ? Ending.PREEMPTED : Ending.NODE_FAILURE,
                preempted ? "Preempted" : reason,
                pod.condition("DisruptionTarget", "True")
                        .map(condition -> Objects.requireNonNullElse(condition.getMessage(), ""))
                        .orElse(pod.message()),
                preempted
                        ? "A job of higher priority took its place: send it again, or use a higher priorityClass."
                        : "The cluster took the pod away: the job may be sent again.");
    }

    /** Who overfilled the scratch space decides: a limit of the job's own is the job's to raise. */
    private static Failure evicted(PodView pod) {
        String message = pod.message();
        boolean own = OWN_LIMIT.matcher(message).find() || tookMore(message);
        boolean memory =
                !message.contains("ephemeral") && (message.contains("memory") || message.contains("[MemoryPressure"));
        String remedy = evictionRemedy(message, memory);
        return failure(
                !own ? Ending.NODE_FAILURE : memory ? Ending.OUT_OF_MEMORY : Ending.FAILED,
                "Evicted",
                own ? message.strip() + " The job itself took it: " + remedy : message,
                remedy);
    }

    private static String evictionRemedy(String message, boolean memory) {
        if (message.contains("EmptyDir volume \"" + JobRequest.SHM + "\"")) {
            return "Lower the number of data workers, or raise shm.";
        }
        if (message.contains("resource: pids") || message.contains("[PIDPressure")) {
            return "Start fewer processes and threads: data workers count.";
        }
        return memory
                ? "Ask for what the job needs with memory, so that the scheduler knows."
                : "Write checkpoints to a volume instead of the container; ask for scratch space with ephemeralStorage.";
    }

    /** Whether the kubelet says that a container took more than was asked for, and enough to matter. */
    private static boolean tookMore(String message) {
        return USED.matcher(message)
                .results()
                .anyMatch(used ->
                        bytes(used.group(1)).compareTo(bytes(used.group(2)).max(LITTLE)) > 0);
    }

    private static BigDecimal bytes(String quantity) {
        return Quantity.getAmountInBytes(new Quantity(quantity));
    }

    private static Failure ofExit(ContainerStateTerminated end) {
        int code = code(end);
        String reason = Objects.requireNonNullElse(end.getReason(), "");
        String message = Objects.requireNonNullElse(end.getMessage(), "");
        Ending said = Endings.of(SYSTEM, reason).orElse(Ending.FAILED);
        if (said == Ending.OUT_OF_MEMORY) {
            return new Failure(
                    Ending.OUT_OF_MEMORY,
                    OptionalInt.of(code),
                    "OOMKilled",
                    "the container used more memory than its limit (exit code " + code + ")",
                    "Lower batch size or data workers, or raise memory; /dev/shm counts too.");
        }
        if (said == Ending.LAUNCH_FAILURE) {
            return notLaunched(reason, message);
        }
        if (said == Ending.NODE_FAILURE) {
            return failure(said, reason, message, "The node lost the container, as it does when it restarts.");
        }
        Optional<String> missing = own(message)
                .filter(line -> code == Prologue.TOO_FEW_GPUS && line.contains("tao: ") && !isHarmless(line))
                .findFirst();
        if (missing.isPresent()) {
            return new Failure(
                    Ending.NODE_FAILURE,
                    OptionalInt.of(code),
                    "GPUMissing",
                    missing.get().strip(),
                    "Have the node's device plugin looked at, or set gpuCheck: false.");
        }
        return byCode(code, reason, message);
    }

    private static Failure byCode(int code, String reason, String message) {
        Optional<WordRow> known = Optional.ofNullable(BY_CODE.get(String.valueOf(code)));
        String last = own(message)
                .filter(line -> !isHarmless(line))
                .reduce((before, line) -> line)
                .map(line -> ", its last line: " + line.strip())
                .orElse("");
        return new Failure(
                Ending.FAILED,
                OptionalInt.of(code),
                known.map(WordRow::kind).orElse(reason.isEmpty() ? "Error" : reason),
                "exit code " + code + last,
                known.map(WordRow::words).orElse("Read the last lines of its log."));
    }

    /** Why no process of the command began. */
    private static Failure notLaunched(String reason, String message) {
        Optional<WordRow> known = ClusterWords.in("machine|image", message).findFirst();
        return failure(
                known.filter(row -> row.kind().equals("machine")).isPresent()
                        ? Ending.NODE_FAILURE
                        : Ending.LAUNCH_FAILURE,
                reason,
                message,
                known.map(WordRow::words)
                        .orElse("The image lacks what starts the command: try shell: sh, or another image."));
    }

    /** The end of the log as the kubelet keeps it in the pod's status: of at most 2,048 bytes the last lines. */
    static List<String> lastLines(PodView pod) {
        List<String> lines = pod.terminated()
                .map(end ->
                        own(Objects.requireNonNullElse(end.getMessage(), "")).toList())
                .orElse(List.of());
        return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    }

    /** Lines of the command, without those of the wrapper around it. */
    private static Stream<String> own(String message) {
        return message.lines().filter(line -> !line.isBlank() && !line.startsWith("@tao["));
    }

    private static boolean isHarmless(String line) {
        return LineKind.of(line) == LineKind.HARMLESS;
    }

    /** A pod that was taken away leaves its mark in the Job's condition, by our rule for disruptions. */
    private static Optional<Failure> ofMessage(String reason, String message) {
        if (!reason.equals("PodFailurePolicy") || !message.contains("DisruptionTarget")) {
            return Optional.empty();
        }
        return Optional.of(
                failure(Ending.NODE_FAILURE, "Disrupted", message, "The cluster took the pod away: send it again."));
    }

    private static Failure failure(Ending ending, String event, String message, String suggestion) {
        return new Failure(ending, OptionalInt.empty(), event, message, suggestion);
    }
}
