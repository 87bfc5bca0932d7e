package io.jenkins.plugins.tao.backend.lepton.request;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonEvent;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonReplica;
import io.jenkins.plugins.tao.backend.lepton.view.LogLine;
import io.jenkins.plugins.tao.job.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Why a job failed, worked out from its replicas, its events and the end of its log, the surest sign first. Pure.
 *
 * @param errorClass TAO's word: {@code ERR_PROGRAM} or {@code ERR_INFRA}; empty when nothing is known
 * @param ending how it ended, when that is more than "failed"
 */
public record LeptonAnalysis(String errorClass, String summary, String remedy, Optional<Ending> ending) {
    private static final String PROGRAM = "ERR_PROGRAM";
    private static final String INFRA = "ERR_INFRA";
    private static final int CONTEXT = 2;
    private static final int MOST_STREAMS = 5;
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

        Optional<LogLine> line(String pattern) {
            Pattern wanted = Pattern.compile(pattern);
            return log.stream()
                    .filter(line -> wanted.matcher(line.text()).find())
                    .findFirst();
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
        if (seen.anyEvent(LeptonEvent::outOfMemory)
                || seen.line("OOM encountered, victim process").isPresent()) {
            return new LeptonAnalysis(
                    PROGRAM,
                    "The job ran out of memory.",
                    "Lower the batch size (evaluation.batch_size), lower max_length so that the KV cache is smaller, or use"
                            + " more GPUs with tensor parallelism.",
                    Optional.of(Ending.OUT_OF_MEMORY));
        }
        return machines(seen).or(() -> program(seen)).orElse(NOTHING);
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

    private static Optional<LeptonAnalysis> program(Evidence seen) {
        if (seen.line("^tao: the time limit of \\d+ minutes").isPresent()) {
            return Optional.of(new LeptonAnalysis(
                    PROGRAM,
                    "The job reached its time limit.",
                    "Give it more time, or let it resume from a checkpoint.",
                    Optional.empty()));
        }
        if (seen.line("CUDA out of memory|torch\\.OutOfMemoryError").isPresent()) {
            return Optional.of(new LeptonAnalysis(
                    PROGRAM,
                    "The program used more memory of a GPU than it has.",
                    "Lower the batch size or max_length, or use more GPUs with tensor parallelism.",
                    Optional.empty()));
        }
        if (seen.line("No space left on device").isPresent()) {
            return Optional.of(new LeptonAnalysis(
                    PROGRAM,
                    "A disk is full.",
                    "Clean up the volume, or raise sharedMemory if it is /dev/shm.",
                    Optional.empty()));
        }
        return seen.line("^Traceback \\(most recent call last\\)|^\\w*(Error|Exception): ")
                .map(line -> new LeptonAnalysis(
                        PROGRAM,
                        "The program ended with an error: " + lastError(seen) + ".",
                        "Fix what the log below shows; a retry fails in the same way.",
                        Optional.empty()));
    }

    private static String lastError(Evidence seen) {
        return seen.log().stream()
                .map(line -> line.text().strip())
                .filter(text -> text.matches("[\\w.]*(Error|Exception)\\b.*"))
                .reduce((first, second) -> second)
                .orElse("see its log");
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
        facts.addAll(logStreams(seen.log()));
        return new Diagnosis(summary, remedy.isEmpty() ? "Read the end of its log." : remedy, facts);
    }

    /** Lines that look like the cause, with what stands around them. */
    private static List<String> logStreams(List<LogLine> log) {
        Pattern bad = Pattern.compile("Error|Exception|Traceback|Killed|out of memory|NCCL WARN|No space left");
        List<String> facts = new ArrayList<>();
        int last = -1;
        for (int i = 0; i < log.size() && facts.size() < MOST_STREAMS * (2 * CONTEXT + 1); i++) {
            if (bad.matcher(log.get(i).text()).find()) {
                for (int k = Math.max(last + 1, i - CONTEXT); k <= Math.min(log.size() - 1, i + CONTEXT); k++) {
                    facts.add("log_streams: [worker " + log.get(k).worker() + "] "
                            + log.get(k).text());
                    last = k;
                }
            }
        }
        return facts;
    }
}
