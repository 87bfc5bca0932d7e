package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.jenkins.plugins.tao.backend.kubernetes.options.MemberIndices;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What the Job controller does with a Job that has {@code backoffLimitPerIndex: 0}: an index whose pod failed, or was deleted before it had
 * succeeded, has failed for good and the others go on; the Job ends when each index has succeeded or failed, and has failed if one of them has.
 */
final class SimulatedIndices {
    private final Controller controller;
    /** The pods that were made, by the uid of their Job: index by uid. */
    private final Map<String, Map<String, Integer>> made = new HashMap<>();

    SimulatedIndices(Controller controller) {
        this.controller = controller;
    }

    /** What else a controller does. */
    interface Controller {
        Pod create(Job job, int index);

        void status(Job job, Consumer<JobStatus> change);

        void end(Job job, List<PodView> pods, boolean good);
    }

    void run(Job job, List<PodView> pods) {
        Map<String, Integer> own = made.computeIfAbsent(job.getMetadata().getUid(), uid -> new HashMap<>());
        JobView view = JobView.of(job);
        Set<Integer> completed = new TreeSet<>(view.completed().list());
        Set<Integer> failed = new TreeSet<>(view.failed().list());
        Set<String> there =
                pods.stream().map(pod -> pod.pod().getMetadata().getUid()).collect(Collectors.toSet());
        pods.stream().filter(pod -> pod.phase().equals("Succeeded")).forEach(pod -> completed.add(pod.rank()));
        pods.stream().filter(pod -> pod.phase().equals("Failed")).forEach(pod -> failed.add(pod.rank()));
        own.forEach((uid, index) -> {
            if (!there.contains(uid) && !completed.contains(index)) {
                failed.add(index);
            }
        });
        if (completed.size() > view.completed().list().size()
                || failed.size() > view.failed().list().size()) {
            controller.status(job, status -> {
                status.setCompletedIndexes(render(completed));
                status.setFailedIndexes(render(failed));
            });
        }
        int wanted = Objects.requireNonNullElse(job.getSpec().getCompletions(), 1);
        if (completed.size() + failed.size() >= wanted) {
            controller.end(job, pods, failed.isEmpty());
        } else {
            make(job, pods, own, wanted);
        }
    }

    private void make(Job job, List<PodView> pods, Map<String, Integer> own, int wanted) {
        long active = pods.stream().filter(pod -> !pod.isOver()).count();
        int most = Objects.requireNonNullElse(job.getSpec().getParallelism(), 1);
        for (int index = 0; index < wanted && active < most; index++) {
            if (!own.containsValue(index)) {
                own.put(controller.create(job, index).getMetadata().getUid(), index);
                active++;
            }
        }
    }

    /** As the server writes them: two in a row are no range. */
    private static String render(Set<Integer> indices) {
        return new MemberIndices(List.copyOf(indices)).render();
    }
}
