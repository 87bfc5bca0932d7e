package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.jenkins.plugins.tao.backend.MemberFold;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.MemberIndices;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Turns a Job whose pods are members with an end of their own into a status. What the Job itself counts decides which have ended; the
 * pods tell how. Pure.
 */
final class MembersReply {
    private final JobView view;
    private final Optional<CapacityReply> nodes;
    private final MemberIndices completed;
    private final MemberIndices failed;

    private MembersReply(JobView view, Optional<CapacityReply> nodes) {
        this.view = view;
        this.nodes = nodes;
        completed = view.completed();
        failed = view.failed();
    }

    static JobStatus status(JobView view, Optional<CapacityReply> nodes, Optional<String> admission) {
        if (view.isOver() && KubernetesReply.awaitsPods(view)) {
            return KubernetesReply.withoutPods(JobState.RUNNING, "Finishing", view);
        }
        if (view.job().getMetadata().getDeletionTimestamp() != null) {
            return KubernetesReply.leaving(view, "the Job is being deleted");
        }
        MembersReply reply = new MembersReply(view, nodes);
        boolean begun =
                !reply.completed.list().isEmpty() || !reply.failed.list().isEmpty();
        if (view.isSuspended() && !begun && !view.isOver()) {
            return KubernetesReply.suspended(view, admission);
        }
        return reply.whole();
    }

    private JobStatus whole() {
        List<Integer> members = view.members().orElseThrow().list();
        Map<Integer, JobStatus> known = new LinkedHashMap<>();
        for (int index = 0; index < members.size(); index++) {
            known.put(members.get(index), member(index));
        }
        Set<Integer> before = Set.copyOf(
                MemberIndices.parse(view.note(KubernetesNames.MEMBERS_DONE).orElse(""))
                        .list());
        JobStatus whole = MemberFold.of(members, known, before).status().orElseThrow();
        boolean lost =
                view.pods().stream().anyMatch(this::isLost) || EndNote.of(view).isPresent();
        return whole.state() == JobState.ENDED && !view.isOver() && !lost
                ? JobStatus.live(JobState.RUNNING, "Finishing").withReason("its pods are being ended")
                : whole;
    }

    /** The member of one completion index. */
    private JobStatus member(int index) {
        Optional<PodView> pod =
                view.pods().stream().filter(each -> each.rank() == index).reduce((older, newer) -> newer);
        if (completed.list().contains(index)) {
            return told(JobStatus.ended(Ending.COMPLETED, "Complete").withExitCode(0), pod);
        }
        Optional<JobStatus> ended = pod.flatMap(this::ended);
        if (ended.isPresent()) {
            return told(ended.get(), pod);
        }
        Optional<JobStatus> noted = EndNote.of(view);
        if (noted.isPresent()) {
            return told(noted.get(), pod);
        }
        if (failed.list().contains(index)) {
            return view.listed().listed().isEmpty()
                    ? JobStatus.ended(Ending.FAILED, "PodsUnknown").withReason(view.podsGap())
                    : JobStatus.ended(Ending.NODE_FAILURE, FailureTable.POD_DELETED)
                            .withReason(FailureTable.DELETED);
        }
        return view.isOver() ? told(never(), pod) : told(alive(pod), pod);
    }

    private Optional<JobStatus> ended(PodView pod) {
        if (pod.phase().equals("Succeeded")) {
            return Optional.of(JobStatus.ended(Ending.COMPLETED, "Complete").withExitCode(0));
        }
        if (!pod.phase().equals("Failed") && !isLost(pod)) {
            return Optional.empty();
        }
        FailureTable.Failure failure = FailureTable.ofPod(pod);
        JobStatus status = JobStatus.ended(failure.ending(), failure.event()).withReason(failure.line());
        return Optional.of(
                failure.exitCode().isPresent()
                        ? status.withExitCode(failure.exitCode().getAsInt())
                        : status);
    }

    /** A node that went silent never reports the end of its pod. */
    private boolean isLost(PodView pod) {
        return pod.isLost()
                && (pod.isOver() || view.condition("FailureTarget").isPresent() || KubernetesReply.overdue(view, pod));
    }

    /** The Job is over, and this member came to no end of its own. */
    private JobStatus never() {
        Optional<String> ours = view.note(KubernetesNames.ENDED);
        return ours.isPresent()
                ? JobStatus.ended(Ending.LAUNCH_FAILURE, "NotStarted").withReason(ours.get())
                : JobStatus.ended(Ending.NOT_STARTED, "NotStarted").withReason("the Job ended before it");
    }

    private JobStatus alive(Optional<PodView> pod) {
        if (view.isSuspended()) {
            return JobStatus.live(JobState.PAUSED, "Suspended").withReason("somebody suspended the Job");
        }
        if (view.listed().listed().isEmpty()) {
            return KubernetesReply.withoutPods(
                    view.ready() > 0 ? JobState.RUNNING : JobState.UNCLEAR, "PodsUnknown", view);
        }
        if (pod.isEmpty()) {
            JobStatus waiting = JobStatus.live(JobState.PENDING, "Waiting");
            return Refusal.of(view)
                    .map(why -> waiting.withReason(why.sentence()).withOutlook(Refusal.outlook(view)))
                    .orElse(waiting);
        }
        if (pod.get().isRunning() || pod.get().terminated().isPresent()) {
            return JobStatus.live(JobState.RUNNING, "Running");
        }
        PendingWords.Reason reason = PendingWords.of(view, pod.get(), nodes);
        return JobStatus.live(JobState.PENDING, reason.word())
                .withReason(reason.sentence())
                .withOutlook(NeverStarts.outlook(view, pod.get(), nodes));
    }

    private static JobStatus told(JobStatus status, Optional<PodView> pod) {
        return status.withNodes(pod.flatMap(PodView::node).map(List::of).orElse(List.of()))
                .withTimes(pod.flatMap(PodView::startedAt), pod.flatMap(PodView::finishedAt));
    }
}
