package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The nodes that a new attempt should avoid: those that failed, and no other. Without evidence against one of several it is none: a
 * job that avoids all its nodes may wait beside free ones.
 */
final class BadNodes {
    /**
     * What accuses a node by its name. A line such as {@code JOB 3 ON gpu01 CANCELLED DUE TO NODE FAILURE} does not: gpu01 is where the
     * job's script ran.
     */
    private static final Pattern ACCUSED =
            Pattern.compile("srun: error: Node failure on ([A-Za-z0-9][A-Za-z0-9._,\\[\\]-]*)"
                    + "|tao: node (\\S+) shows \\d+ of \\d+ GPUs|tao: this pod sees \\d+ GPU.* of node (\\S+)");

    private BadNodes() {}

    /**
     * Finds them. A failure of the program, and a job that made room for another, accuse no node.
     *
     * @param status the job that ended, with its nodes
     * @param lines the last lines of its logs
     */
    static Set<String> of(JobStatus status, Failed failed, List<String> lines) {
        if (!failed.cause().infrastructure() || failed.cause() == Cause.PREEMPTED) {
            return Set.of();
        }
        List<String> nodes = status.nodes();
        if (nodes.size() == 1) {
            return Set.copyOf(nodes);
        }
        Set<String> accused = lines.stream()
                .map(ACCUSED::matcher)
                .filter(Matcher::find)
                .flatMap(match -> nodes.stream().filter(node -> names(match.group(), node)))
                .collect(Collectors.toSet());
        status.firstFailure().map(first -> first.node()).filter(nodes::contains).ifPresent(accused::add);
        return accused.size() < nodes.size() ? Set.copyOf(accused) : Set.of();
    }

    private static boolean names(String text, String node) {
        return Pattern.compile("(?<![\\w.-])" + Pattern.quote(node) + "(?![\\w-])")
                .matcher(text)
                .find();
    }
}
