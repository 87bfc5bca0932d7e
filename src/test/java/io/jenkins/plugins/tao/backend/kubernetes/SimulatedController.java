package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the Job controller, the garbage collector and the scheduler do, one look at everything a tick. */
final class SimulatedController {
    private static final int SAYS_TARGET_FIRST = 31;

    private final SimulatedServer server;
    private final SimulatedKubelet kubelet;
    private final int minor;
    private final SimulatedEvents events;
    private final SimulatedIndices indices = new SimulatedIndices(new Acts());

    SimulatedController(SimulatedServer server, SimulatedKubelet kubelet, int minor) {
        this.server = server;
        this.kubelet = kubelet;
        this.minor = minor;
        events = new SimulatedEvents(server);
    }

    /** What the part that counts indices lets this one do. */
    private final class Acts implements SimulatedIndices.Controller {
        @Override
        public Pod create(Job job, int index) {
            return SimulatedController.this.create(job, index);
        }

        @Override
        public void status(Job job, java.util.function.Consumer<JobStatus> change) {
            SimulatedController.this.status(job, change);
        }

        @Override
        public void end(Job job, List<PodView> pods, boolean good) {
            if (good) {
                complete(job);
            } else {
                fail(job, pods, "FailedIndexes", "Job has failed indexes");
            }
        }
    }

    private KubernetesClient api() {
        return server.admin();
    }

    void tick() {
        List<Job> jobs = api().batch().v1().jobs().inAnyNamespace().list().getItems();
        List<Pod> pods = api().pods().inAnyNamespace().list().getItems();
        for (Job job : jobs) {
            List<PodView> mine = pods.stream()
                    .filter(pod -> owns(job, pod)
                            && Boolean.TRUE.equals(pod.getMetadata()
                                    .getOwnerReferences()
                                    .get(0)
                                    .getController()))
                    .map(PodView::new)
                    .sorted(PodView.BY_RANK)
                    .toList();
            control(job, mine);
        }
        for (Pod pod : pods) {
            if (pod.getSpec().getNodeName() == null) {
                schedule(pod, pods);
            } else {
                kubelet.look(pod);
            }
        }
    }

    private static boolean owns(Job job, HasMetadata other) {
        return other.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(job.getMetadata().getUid()));
    }

    private void control(Job job, List<PodView> pods) {
        count(job, pods);
        boolean over = has(job, "Complete") || has(job, "Failed");
        if (job.getMetadata().getDeletionTimestamp() != null) {
            delete(job, pods);
        } else if (over) {
            pods.stream().filter(pod -> !pod.isOver() && !pod.isLost()).forEach(pod -> remove(pod.pod()));
        } else if (has(job, "FailureTarget")) {
            takeDown(
                    job,
                    pods,
                    word(job, "FailureTarget", JobCondition::getReason),
                    word(job, "FailureTarget", JobCondition::getMessage));
        } else if (Boolean.TRUE.equals(job.getSpec().getSuspend())) {
            suspend(job, pods);
        } else {
            run(job, pods);
        }
    }

    /** What the Job itself tells of its pods. */
    private void count(Job job, List<PodView> pods) {
        int active = (int) pods.stream().filter(pod -> !pod.isOver()).count();
        int ready = (int) pods.stream().filter(PodView::isRunning).count();
        int failed =
                (int) pods.stream().filter(pod -> pod.phase().equals("Failed")).count();
        int succeeded = (int)
                pods.stream().filter(pod -> pod.phase().equals("Succeeded")).count();
        JobStatus now = Objects.requireNonNullElseGet(job.getStatus(), JobStatus::new);
        boolean same = number(now.getActive()) == active
                && number(now.getReady()) == ready
                && number(now.getFailed()) >= failed
                && number(now.getSucceeded()) == succeeded;
        if (!same && job.getMetadata().getDeletionTimestamp() == null) {
            status(job, status -> {
                status.setActive(active);
                status.setReady(ready);
                status.setFailed(Math.max(failed, number(status.getFailed())));
                status.setSucceeded(succeeded);
            });
        }
    }

    private static int number(@Nullable Integer value) {
        return value == null ? 0 : value;
    }

    /** A suspended Job has no pods; a newer server also forgets when it started. */
    private void suspend(Job job, List<PodView> pods) {
        pods.stream().filter(pod -> !pod.isOver()).forEach(pod -> remove(pod.pod()));
        if (minor >= SAYS_TARGET_FIRST
                && job.getStatus() != null
                && job.getStatus().getStartTime() != null) {
            status(job, status -> status.setStartTime(null));
        }
    }

    private void delete(Job job, List<PodView> pods) {
        boolean gone = true;
        for (PodView pod : pods) {
            gone &= remove(pod.pod());
        }
        if (gone) {
            String namespace = job.getMetadata().getNamespace();
            var left = api().pods().inNamespace(namespace).list().getItems();
            left.stream().filter(each -> owns(job, each)).forEach(this::remove);
            api().secrets().inNamespace(namespace).list().getItems().stream()
                    .filter(each -> owns(job, each))
                    .forEach(each -> api().resource(each).delete());
            api().services().inNamespace(namespace).list().getItems().stream()
                    .filter(each -> owns(job, each))
                    .forEach(each -> api().resource(each).delete());
            jobs(job).edit(each -> {
                each.getMetadata().setFinalizers(List.of());
                return each;
            });
        }
    }

    private boolean remove(Pod pod) {
        boolean gone = kubelet.end(pod);
        if (gone) {
            api().pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .delete();
        }
        return gone;
    }

    private void run(Job job, List<PodView> pods) {
        if (job.getStatus() == null || job.getStatus().getStartTime() == null) {
            status(job, status -> status.setStartTime(server.now().toString()));
        }
        Long deadline = job.getSpec().getActiveDeadlineSeconds();
        Optional<Instant> started =
                Optional.ofNullable(job.getStatus()).flatMap(status -> PodView.time(status.getStartTime()));
        if (deadline != null
                && started.isPresent()
                && started.get().plusSeconds(deadline).isBefore(server.now())) {
            fail(job, pods, "DeadlineExceeded", "Job was active longer than specified deadline");
            return;
        }
        if (job.getSpec().getBackoffLimitPerIndex() != null) {
            indices.run(job, pods);
            return;
        }
        runTogether(job, pods);
    }

    /** A Job whose pods have one end together. */
    private void runTogether(Job job, List<PodView> pods) {
        int wanted = Objects.requireNonNullElse(job.getSpec().getCompletions(), 1);
        long succeeded =
                pods.stream().filter(pod -> pod.phase().equals("Succeeded")).count();
        Optional<PodView> failed =
                pods.stream().filter(pod -> pod.phase().equals("Failed")).findFirst();
        if (failed.isPresent()
                && pods.stream().filter(pod -> pod.phase().equals("Failed")).count()
                        > Objects.requireNonNullElse(job.getSpec().getBackoffLimit(), 6)) {
            boolean disrupted =
                    failed.get().disruption().isPresent() && job.getSpec().getPodFailurePolicy() != null;
            fail(
                    job,
                    pods,
                    disrupted ? "PodFailurePolicy" : "BackoffLimitExceeded",
                    disrupted
                            ? "Pod " + failed.get().name()
                                    + " has condition DisruptionTarget matching FailJob rule at index 0"
                            : "Job has reached the specified backoff limit");
        } else if (succeeded >= wanted) {
            complete(job);
        } else {
            for (int index = 0; index < wanted; index++) {
                make(job, pods, index);
            }
        }
    }

    private void make(Job job, List<PodView> pods, int index) {
        boolean there = pods.stream()
                .anyMatch(pod -> pod.rank() == index && !pod.phase().equals("Failed"));
        long active = pods.stream().filter(pod -> !pod.isOver()).count();
        if (there || active >= Objects.requireNonNullElse(job.getSpec().getParallelism(), 1)) {
            return;
        }
        Optional<String> refused = Optional.ofNullable(
                job.getSpec().getTemplate().getMetadata().getLabels().get("simulate-failed-create"));
        if (refused.isPresent()) {
            events.warn(
                    job,
                    "FailedCreate",
                    "Error creating: pods \"" + job.getMetadata().getName()
                            + "-x2b\" is forbidden: exceeded quota: gpuq, requested: requests.nvidia.com/gpu=8, used:"
                            + " requests.nvidia.com/gpu=0, limited: requests.nvidia.com/gpu=4");
            return;
        }
        create(job, index);
    }

    private Pod create(Job job, int index) {
        return api().pods()
                .inNamespace(job.getMetadata().getNamespace())
                .resource(SimulatedPods.of(job, index))
                .create();
    }

    private void schedule(Pod pod, List<Pod> pods) {
        List<Node> nodes = api().nodes().list().getItems();
        CapacityReply cluster = new CapacityReply(nodes);
        CapacityReply.PodRequest request = CapacityReply.PodRequest.of(pod)
                .orElse(new CapacityReply.PodRequest(
                        "nvidia.com/gpu",
                        0,
                        Objects.requireNonNullElse(pod.getSpec().getNodeSelector(), Map.of()),
                        Objects.requireNonNullElse(pod.getSpec().getTolerations(), List.of())));
        Map<String, Integer> used = CapacityReply.used(pods, request.resource());
        Optional<Node> free = cluster.fitting(request).stream()
                .filter(node -> CapacityReply.gpus(node, request.resource())
                                - used.getOrDefault(node.getMetadata().getName(), 0)
                        >= request.gpus())
                .filter(node -> !avoided(pod, node))
                .findFirst();
        var resource = api().pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName());
        if (free.isPresent()) {
            resource.edit(each -> {
                each.getSpec().setNodeName(free.get().getMetadata().getName());
                return each;
            });
            pod.getSpec().setNodeName(free.get().getMetadata().getName());
        } else if (new PodView(pod).unschedulable().isEmpty()) {
            tellWhy(pod, nodes);
        }
    }

    private void tellWhy(Pod pod, List<Node> nodes) {
        String message = "0/" + nodes.size() + " nodes are available: " + nodes.size()
                + (minor >= SAYS_TARGET_FIRST
                        ? " Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/" + nodes.size()
                        : " Insufficient nvidia.com/gpu. preemption: 0/" + nodes.size());
        kubelet.write(
                pod,
                new PodStatusBuilder(pod.getStatus())
                        .addNewCondition()
                        .withType("PodScheduled")
                        .withStatus("False")
                        .withReason("Unschedulable")
                        .withMessage(message)
                        .endCondition());
    }

    private static boolean avoided(Pod pod, Node node) {
        if (pod.getSpec().getAffinity() == null) {
            return false;
        }
        return pod
                .getSpec()
                .getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()
                .get(0)
                .getMatchFields()
                .stream()
                .anyMatch(field -> field.getValues().contains(node.getMetadata().getName()));
    }

    /** Newer servers say what is coming before they take the pods down; the older one says it is over already. */
    private void fail(Job job, List<PodView> pods, String reason, String message) {
        if (minor >= SAYS_TARGET_FIRST) {
            condition(job, "FailureTarget", reason, message);
        } else {
            condition(job, "Failed", reason, message);
            pods.stream().filter(pod -> !pod.isOver()).forEach(pod -> remove(pod.pod()));
        }
    }

    private void takeDown(Job job, List<PodView> pods, String reason, String message) {
        List<PodView> alive = pods.stream().filter(pod -> !pod.isOver()).toList();
        boolean gone = true;
        for (PodView pod : alive) {
            gone &= !pod.isLost() && remove(pod.pod());
        }
        if (gone) {
            condition(job, "Failed", reason, message);
        }
    }

    private void complete(Job job) {
        if (minor >= SAYS_TARGET_FIRST) {
            condition(job, "SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods");
        }
        condition(job, "Complete", minor >= SAYS_TARGET_FIRST ? "CompletionsReached" : null, null);
        status(job, status -> status.setCompletionTime(server.now().toString()));
    }

    private void condition(Job job, String type, @Nullable String reason, @Nullable String message) {
        status(job, status -> {
            var all = new ArrayList<>(status.getConditions());
            all.add(new JobCondition(null, server.now().toString(), message, reason, "True", type));
            status.setConditions(all);
        });
    }

    private void status(Job job, java.util.function.Consumer<JobStatus> change) {
        jobs(job).editStatus(each -> {
            JobStatus status = Objects.requireNonNullElseGet(each.getStatus(), JobStatus::new);
            change.accept(status);
            each.setStatus(status);
            return each;
        });
    }

    private io.fabric8.kubernetes.client.dsl.ScalableResource<Job> jobs(Job job) {
        return api().batch()
                .v1()
                .jobs()
                .inNamespace(job.getMetadata().getNamespace())
                .withName(job.getMetadata().getName());
    }

    private static boolean has(Job job, String type) {
        return !word(job, type, JobCondition::getReason).equals("-");
    }

    private static String word(Job job, String type, Function<JobCondition, @Nullable String> word) {
        return job.getStatus() == null
                ? "-"
                : job.getStatus().getConditions().stream()
                        .filter(each -> type.equals(each.getType()))
                        .map(each -> Objects.requireNonNullElse(word.apply(each), ""))
                        .findFirst()
                        .orElse("-");
    }
}
