package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import lombok.RequiredArgsConstructor;

/** Gathers what people ask kubectl for after a failure: conditions, last states, events, logs, nodes and volumes. */
@RequiredArgsConstructor
public final class KubernetesDiagnosis {
    private static final int EVENTS = 20;
    private static final int LINES = 20;

    private final KubernetesApi api;
    private final KubernetesLogs logs;

    public Diagnosis of(JobHandle job, JobView view) throws BackendException {
        Optional<CapacityReply> nodes = api.lists().nodes().listed().map(CapacityReply::new);
        JobStatus status = KubernetesReply.status(view, nodes, Optional.empty());
        List<String> facts = new ArrayList<>();
        String summary =
                status.nativeState() + status.reason().map(text -> ": " + text).orElse("");
        String remedy = "";
        if (status.state() == JobState.ENDED
                && view.condition("Complete").isEmpty()
                && view.note(KubernetesNames.FINISHED).isEmpty()) {
            FailureTable.Failure failure = FailureTable.of(view);
            summary = failure.line();
            remedy = failure.suggestion();
            facts.add("err_class: " + failure.blame());
            facts.add("suggestion: " + failure.suggestion());
            facts.add("node_event_name: " + failure.event());
        }
        conditions(view, facts);
        if (!view.podsKnown()) {
            facts.add("pods: not known, " + view.podsGap());
        }
        view.pods().forEach(pod -> pod(pod, facts));
        view.events().stream()
                .skip(Math.max(0, view.events().size() - EVENTS))
                .forEach(event -> facts.add(event(event)));
        for (PodView pod : view.pods()) {
            earlier(pod, facts);
            logs.last(job, pod, LINES).forEach(line -> facts.add("log " + pod.name() + ": " + line));
        }
        nodes(view, nodes, facts);
        claims(view, facts);
        return new Diagnosis(summary, remedy, facts);
    }

    /** What a container wrote before the cluster started it again. */
    private void earlier(PodView pod, List<String> facts) {
        if (pod.restarts() > 0) {
            logs.earlier(pod, LINES)
                    .ifPresent(
                            log -> log.lines().forEach(line -> facts.add("earlier log " + pod.name() + ": " + line)));
        }
    }

    private static void conditions(JobView view, List<String> facts) {
        List<JobCondition> all = view.job().getStatus() == null
                ? List.of()
                : view.job().getStatus().getConditions();
        all.forEach(each -> facts.add("condition: " + each.getType() + "=" + each.getStatus() + " "
                + Objects.requireNonNullElse(each.getReason(), "") + " "
                + Objects.requireNonNullElse(each.getMessage(), "")));
    }

    private static void pod(PodView pod, List<String> facts) {
        String what = pod.phase()
                + (pod.reason().isEmpty() ? "" : " " + pod.reason())
                + pod.waiting().map(state -> " waiting " + state.getReason()).orElse("");
        facts.add("pod " + pod.name() + ": " + what
                + pod.node().map(node -> " on " + node).orElse("")
                + (pod.message().isEmpty() ? "" : ", " + pod.message()));
        pod.terminated().ifPresent(end -> facts.add("terminated " + pod.name() + ": " + end(end)));
    }

    private static String end(ContainerStateTerminated end) {
        return "exit code " + end.getExitCode() + ", " + Objects.requireNonNullElse(end.getReason(), "") + ", from "
                + end.getStartedAt() + " to " + end.getFinishedAt();
    }

    private static String event(Event event) {
        return "event " + JobView.at(event) + " " + event.getInvolvedObject().getKind() + "/"
                + event.getInvolvedObject().getName() + " " + event.getReason() + ": " + event.getMessage();
    }

    private static void nodes(JobView view, Optional<CapacityReply> known, List<String> facts) {
        Set<String> used =
                view.pods().stream().flatMap(pod -> pod.node().stream()).collect(Collectors.toSet());
        List<Node> nodes = known.map(CapacityReply::nodes).orElse(List.of());
        nodes.stream()
                .filter(node -> used.contains(node.getMetadata().getName()))
                .forEach(node -> facts.add("node " + node.getMetadata().getName() + ": "
                        + (CapacityReply.isUsable(node) ? "ready" : "not ready or cordoned") + ", "
                        + CapacityReply.gpus(node, KubernetesOptions.GPU) + " " + KubernetesOptions.GPU
                        + " allocatable"));
        if (known.isEmpty()) {
            facts.add("nodes: not known, the account may not list nodes");
        }
    }

    private void claims(JobView view, List<String> facts) throws BackendException {
        List<Volume> volumes = Objects.requireNonNullElse(
                view.job().getSpec().getTemplate().getSpec().getVolumes(), List.of());
        for (Volume volume : volumes) {
            if (volume.getPersistentVolumeClaim() != null) {
                String name = volume.getPersistentVolumeClaim().getClaimName();
                facts.add("volume " + name + ": " + claim(view, name));
            }
        }
    }

    private String claim(JobView view, String name) throws BackendException {
        try {
            Optional<PersistentVolumeClaim> claim =
                    api.claim(view.job().getMetadata().getNamespace(), name);
            return claim.map(found -> found.getStatus() == null
                            ? "not bound"
                            : String.valueOf(found.getStatus().getPhase()))
                    .orElse("there is no such claim");
        } catch (Denied e) {
            return "not known, the account may not read claims";
        }
    }
}
