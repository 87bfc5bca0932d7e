package io.jenkins.plugins.tao.backend.lepton.request;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonEvent;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonReplica;
import io.jenkins.plugins.tao.backend.lepton.view.LogLine;
import io.jenkins.plugins.tao.failure.FailureRule;
import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.failure.LogScan;
import io.jenkins.plugins.tao.job.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Why a job failed, worked out from its replicas, its events and the end of its log, the surest sign first. Pure.
 *
 * @param errorClass TAO's word: {@code ERR_PROGRAM} or {@code ERR_INFRA}; empty when nothing is known
 * @param ending how it ended, when that is more than "failed"
 */
public record LeptonAnalysis(String errorClass, String summary, String remedy, Optional<Ending> ending) {
    private static final String PROGRAM = "ERR_PROGRAM";
    private static final String INFRA = "ERR_INFRA";
    private static final LeptonAnalysis NOTHING = new LeptonAnalysis("", "", "", Optional.empty());

    /**
     * What is known of a failed job.
     *
     * @param attempt which attempt it was, from 1
     * @param log the last lines, the oldest first
     */
    public record Evidence(
            LeptonJob job, int attempt, List<LeptonReplica> replicas, List<LeptonEvent> events, List<LogLine> log) {
        boolean anyReplica(Predicate<LeptonReplica> test) {
            return replicas.stream().anyMatch(test);
        }

        boolean anyEvent(Predicate<LeptonEvent> test) {
            return events.stream().anyMatch(test);
        }

        List<String> lines() {
            return log.stream()
                    .map(line -> "[worker " + line.worker() + "] " + line.text())
                    .toList();
        }
    }

    public static LeptonAnalysis of(Evidence seen) {
        if (seen.anyReplica(LeptonReplica::imageFailed) || seen.anyEvent(LeptonEvent::imageFailed)) {
            return new LeptonAnalysis(
                    INFRA,
                    "The image "
                            + seen.job()
                                    .json()
                                    .path("spec")
                                    .path("container")
                                    .path("image")
                                    .asText() + " could not be pulled.",
                    "Check its name and tag, and the NGC key: a bad key is taken and shows only here. A changed key makes"
                            + " a new pull secret automatically.",
                    Optional.of(Ending.LAUNCH_FAILURE));
        }
        if (seen.anyEvent(LeptonEvent::outOfMemory)) {
            return new LeptonAnalysis(
                    PROGRAM,
                    "The job ran out of memory.",
                    "Lower the batch size (evaluation.batch_size), lower max_length so that the KV cache is smaller, or use"
                            + " more GPUs with tensor parallelism.",
                    Optional.of(Ending.OUT_OF_MEMORY));
        }
        return machines(seen).or(() -> logged(seen)).orElse(NOTHING);
    }

    private static Optional<LeptonAnalysis> machines(Evidence seen) {
        if (seen.anyEvent(LeptonEvent::evicted) || seen.anyReplica(LeptonReplica::preempted)) {
            boolean shared = seen.job().nodeGroup().isEmpty();
            return Optional.of(new LeptonAnalysis(
                    INFRA,
                    "The job was evicted" + (shared ? " from the shared machines." : " by a more urgent one."),
                    "Try again; "
                            + (shared
                                    ? "a dedicated node group (nodeGroup) keeps a job from being preempted."
                                    : "a higher priority, or canBePreempted: false, keeps its machines."),
                    Optional.of(Ending.PREEMPTED)));
        }
        Optional<LeptonReplica> sick =
                seen.replicas().stream().filter(LeptonReplica::nodeAtFault).findFirst();
        if (sick.isPresent() || seen.anyEvent(LeptonEvent::nodeSick)) {
            String node = sick.map(LeptonReplica::node)
                    .filter(name -> !name.isEmpty())
                    .orElse("a node");
            String said = sick.map(replica -> " (" + replica.reason() + ": " + replica.message() + ")")
                    .orElse("");
            return Optional.of(new LeptonAnalysis(
                    INFRA,
                    "Node " + node + " is at fault" + said + ".",
                    elsewhere(seen),
                    Optional.of(Ending.NODE_FAILURE)));
        }
        return Optional.empty();
    }

    /** One sick node is left behind; when it happens again, the whole group is named. */
    private static String elsewhere(Evidence seen) {
        String group = seen.job().nodeGroup().map(id -> "node group " + id).orElse("the shared machines");
        return seen.attempt() > 1
                ? "It is attempt " + seen.attempt() + " that fails so: leave " + group
                        + ", choose another node group or shape."
                : "Cancel and submit again on another node; if it happens again, choose another node group or shape.";
    }

    /** What the end of the log shows. */
    private static Optional<LeptonAnalysis> logged(Evidence seen) {
        return FailureRules.own().match("lepton", true, List.of(seen.lines())).map(match -> {
            FailureRule rule = match.rule();
            return match.isNamed()
                    ? new LeptonAnalysis(
                            rule.cause().infrastructure() ? INFRA : PROGRAM,
                            rule.sentence(),
                            rule.remedy(),
                            Optional.empty())
                    : new LeptonAnalysis(
                            PROGRAM,
                            "The program ended with an error: " + match.line() + ".",
                            "Fix what the log below shows; a retry fails in the same way.",
                            Optional.empty());
        });
    }

    /** All of it for a person, in the field names of TAO's own SDK. */
    public Diagnosis tell(Evidence seen, List<String> extra) {
        List<String> facts = new ArrayList<>();
        if (!errorClass.isEmpty()) {
            facts.add("err_class: " + errorClass);
            facts.add("suggestion: " + remedy);
        }
        facts.add("state: " + seen.job().state() + ", failed workers: "
                + seen.job().failed() + ", succeeded: " + seen.job().succeeded());
        seen.replicas()
                .forEach(replica -> facts.add("replica " + replica.id() + ": node "
                        + (replica.node().isEmpty() ? "none" : replica.node())
                        + (replica.nodeGroup().isEmpty() ? "" : ", group " + replica.nodeGroup())
                        + String.format(Locale.ROOT, ", %.0f CPUs, %d MiB", replica.cpus(), replica.memoryMb())
                        + ", " + (replica.ready() ? "running" : replica.words())));
        seen.events().stream()
                .filter(event -> !event.type().equals("Normal") || event.outOfMemory() || event.evicted())
                .forEach(event -> facts.add("job_failure_by_node_event: " + event.words()));
        facts.addAll(extra);
        facts.addAll(logStreams(seen));
        return new Diagnosis(summary, remedy.isEmpty() ? "Read the end of its log." : remedy, facts);
    }

    /** The first error, with what stands around it. */
    private static List<String> logStreams(Evidence seen) {
        LogScan scan = new LogScan("");
        seen.lines().forEach(scan::line);
        return scan.found().stream()
                .flatMap(found -> found.context().stream())
                .map(line -> "log_streams: " + line)
                .toList();
    }
}
