package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.KueueReply;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.FirstFailure;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outlook;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Turns a Job and its pods into a status. Pure. */
final class KubernetesReply {
    private static final Duration LOST_GRACE = Duration.ofMinutes(2);

    /** How long the end of a Job waits for the pods that tell why, and whose logs are to be read. */
    private static final Duration PODS_GRACE = Duration.ofMinutes(2);

    private KubernetesReply() {}

    /**
     * One look at a Job.
     *
     * @param nodes what the nodes offer, when that is known
     * @param admission what Kueue says of it, when that is known
     */
    static JobStatus status(JobView view, Optional<CapacityReply> nodes, Optional<String> admission) {
        if (view.members().isPresent()) {
            return MembersReply.status(view, nodes, admission);
        }
        JobStatus status = plain(view, nodes, admission)
                .withNodes(
                        view.pods().stream().flatMap(pod -> pod.node().stream()).toList())
                .withTimes(startedAt(view), endedAt(view));
        return status.withRuns(runs(view));
    }

    private static JobStatus plain(JobView view, Optional<CapacityReply> nodes, Optional<String> admission) {
        Optional<JobStatus> noted = EndNote.of(view);
        boolean ending = !view.isOver()
                && !isLost(view)
                && noted.flatMap(JobStatus::ending).equals(Optional.of(Ending.TIME_LIMIT));
        if (noted.isPresent()) {
            return ending
                    ? JobStatus.live(JobState.RUNNING, "Finishing")
                            .withReason(noted.get().reason().orElse(""))
                    : noted.get();
        }
        if (view.isOver() && awaitsPods(view)) {
            return withoutPods(JobState.RUNNING, "Finishing", view);
        }
        if (view.condition("Complete").isPresent()) {
            return JobStatus.ended(Ending.COMPLETED, "Complete").withExitCode(0);
        }
        if (view.condition("Failed").isPresent()) {
            return failed(view);
        }
        if (isLost(view)) {
            return failed(view);
        }
        if (view.job().getMetadata().getDeletionTimestamp() != null) {
            return leaving(view, "the Job is being deleted");
        }
        if (view.condition("FailureTarget").isPresent()
                || view.condition("SuccessCriteriaMet").isPresent()) {
            return JobStatus.live(JobState.RUNNING, "Finishing").withReason("its pods are being ended");
        }
        return view.isSuspended() ? suspended(view, admission) : alive(view, nodes);
    }

    /** A Job that is being deleted, and what that waits for. */
    static JobStatus leaving(JobView view, String reason) {
        JobStatus status = JobStatus.live(JobState.RUNNING, "Terminating").withReason(reason);
        List<PodView> left =
                view.pods().stream().filter(pod -> pod.deletedAt().isPresent()).toList();
        if (left.isEmpty()) {
            return status;
        }
        PodView pod = left.get(0);
        String which = left.size() > 1
                ? "its pods"
                : "pod " + pod.name() + " on " + pod.node().orElse("no node");
        String until = (overdue(view, pod) ? ", overdue since " : ", at the latest until ")
                + pod.deletedAt().orElseThrow();
        String held = pod.finalizers().isEmpty()
                ? ""
                : "; the finalizer " + String.join(", ", pod.finalizers()) + " keeps " + pod.name();
        return status.withNotice("its end waits for " + which + until + held + ".");
    }

    /** Exit code and cause are in the pods: a list that is refused once must not lose them. */
    static boolean awaitsPods(JobView view) {
        Optional<Instant> end = view.endedAt();
        return view.listed().listed().isEmpty()
                && end.isPresent()
                && view.now().isPresent()
                && view.now().get().isBefore(end.get().plus(PODS_GRACE));
    }

    static JobStatus withoutPods(JobState state, String word, JobView view) {
        return JobStatus.live(state, word).withReason("its pods are not known: " + view.podsGap());
    }

    /** What the Job itself counts, where its pods could not be listed. */
    private static JobStatus byCounts(JobView view) {
        if (view.ready() >= view.expectedPods()) {
            return JobStatus.live(JobState.RUNNING, "Running");
        }
        if (view.ready() > 0) {
            return withoutPods(JobState.RUNNING, "PartlyRunning", view);
        }
        return withoutPods(JobState.UNCLEAR, "PodsUnknown", view);
    }

    static JobStatus failed(JobView view) {
        FailureTable.Failure failure = FailureTable.of(view);
        JobStatus status = firstFailure(view, JobStatus.ended(failure.ending(), failure.event()))
                .withReason(failure.line());
        return failure.exitCode().isPresent()
                ? status.withExitCode(failure.exitCode().getAsInt())
                : status;
    }

    /** Of several nodes the one whose pod failed by itself; the others were ended because of it. */
    private static JobStatus firstFailure(JobView view, JobStatus status) {
        Optional<PodView> guilty = view.isGang() && !status.nativeState().equals(FailureTable.POD_DELETED)
                ? FailureTable.guilty(view)
                : Optional.empty();
        return guilty.isPresent()
                ? status.withFirstFailure(new FirstFailure(
                        guilty.get().rank(), guilty.get().node().orElse("?"), FailureTable.lastLines(guilty.get())))
                : status;
    }

    /** A node that went silent never reports the end of its pod, so the Job would wait for ever. */
    private static boolean isLost(JobView view) {
        boolean replaced = Objects.requireNonNullElse(view.job().getSpec().getBackoffLimit(), 0) > 0;
        return !replaced
                && view.pods().stream()
                        .filter(PodView::isLost)
                        .anyMatch(pod ->
                                pod.isOver() || view.condition("FailureTarget").isPresent() || overdue(view, pod));
    }

    static boolean overdue(JobView view, PodView pod) {
        return view.now().isPresent()
                && pod.deletedAt().isPresent()
                && pod.deletedAt().get().plus(LOST_GRACE).isBefore(view.now().get());
    }

    static JobStatus suspended(JobView view, Optional<String> admission) {
        String queue = Objects.requireNonNullElse(
                        view.job().getMetadata().getLabels(), java.util.Map.<String, String>of())
                .get(KubernetesNames.QUEUE);
        if (queue != null) {
            boolean never = admission.filter(KueueReply::isForGood).isPresent() && Refusal.isOlder(view, Refusal.GRACE);
            return JobStatus.live(JobState.PENDING, "Suspended")
                    .withReason("it waits for admission by the queue '" + queue + "' of Kueue"
                            + admission.map(words -> ": " + words).orElse(""))
                    .withOutlook(never ? Outlook.NEVER : Outlook.NONE);
        }
        if (view.note(KubernetesNames.HELD).equals(Optional.of("true"))) {
            return JobStatus.live(JobState.PENDING, "Held")
                    .withReason("its submission was not finished; the same submission again finishes it");
        }
        return JobStatus.live(JobState.PAUSED, "Suspended").withReason("somebody suspended the Job");
    }

    private static JobStatus alive(JobView view, Optional<CapacityReply> nodes) {
        boolean running = view.ready() > 0 && view.pods().isEmpty();
        return view.listed().listed().isEmpty() || running ? byCounts(view) : byPods(view, nodes);
    }

    private static JobStatus byPods(JobView view, Optional<CapacityReply> nodes) {
        if (SideContainers.hold(view)) {
            return SideContainers.ofCommands(view);
        }
        List<PodView> current =
                view.pods().stream().filter(pod -> !pod.isOver()).toList();
        if (view.pods().isEmpty()) {
            PendingWords.Reason reason = PendingWords.withoutPods(view);
            return JobStatus.live(JobState.PENDING, reason.word())
                    .withReason(reason.sentence())
                    .withOutlook(Refusal.outlook(view));
        }
        Optional<PendingWords.Reason> refusal =
                view.lacksPods() && !view.hasStarted() ? Refusal.of(view) : Optional.empty();
        if (refusal.isPresent() && Refusal.outlook(view).never()) { // the pods there are only hold GPUs
            return JobStatus.live(JobState.PENDING, refusal.get().word())
                    .withReason(refusal.get().sentence())
                    .withOutlook(Outlook.NEVER);
        }
        Optional<PodView> waiting = current.stream()
                .filter(pod -> !pod.isRunning() && pod.terminated().isEmpty())
                .max(Comparator.comparingInt(KubernetesReply::trouble));
        long running = current.stream().filter(PodView::isRunning).count();
        if (waiting.isEmpty() && view.lacksPods()) {
            return JobStatus.live(JobState.RUNNING, "PartlyRunning")
                    .withReason("only " + view.pods().size() + " of " + view.expectedPods() + " pods exist"
                            + Refusal.of(view).map(why -> ": " + why.sentence()).orElse(""));
        }
        if (waiting.isEmpty()) {
            return JobStatus.live(JobState.RUNNING, running > 0 ? "Running" : "Finishing");
        }
        PendingWords.Reason reason = PendingWords.of(view, waiting.get(), nodes);
        boolean some = running > 0 || view.pods().stream().anyMatch(PodView::isOver);
        return some
                ? JobStatus.live(JobState.RUNNING, "PartlyRunning")
                        .withReason("pod " + waiting.get().rank() + " does not run: " + reason.sentence())
                : JobStatus.live(JobState.PENDING, reason.word())
                        .withReason(reason.sentence())
                        .withOutlook(NeverStarts.outlook(view, waiting.get(), nodes));
    }

    /** Of several waiting pods the one with the worst trouble is told. */
    private static int trouble(PodView pod) {
        String word = pod.waitsFor();
        if (PendingWords.PULL.contains(word)) {
            return 3;
        }
        return word.endsWith("Error") ? 2 : pod.unschedulable().isPresent() ? 1 : 0;
    }

    private static Optional<Instant> startedAt(JobView view) {
        return view.pods().stream().flatMap(pod -> pod.startedAt().stream()).min(Comparator.naturalOrder());
    }

    private static Optional<Instant> endedAt(JobView view) {
        if (!view.isOver()) {
            return Optional.empty();
        }
        return Optional.ofNullable(view.job().getStatus().getCompletionTime())
                .flatMap(PodView::time)
                .or(() -> view.pods().stream()
                        .flatMap(pod -> pod.finishedAt().stream())
                        .max(Comparator.naturalOrder()));
    }

    /** A pod that was replaced, or a container that was started again, is a further run. */
    private static int runs(JobView view) {
        if (view.isIndexed() || startedAt(view).isEmpty()) {
            return startedAt(view).isEmpty() ? 0 : 1;
        }
        int pods = (int) view.pods().stream().filter(PodView::hasLog).count();
        int restarts = view.pods().stream().mapToInt(PodView::restarts).sum();
        return Math.max(1, pods + restarts);
    }
}
