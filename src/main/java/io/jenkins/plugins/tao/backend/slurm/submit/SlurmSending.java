package io.jenkins.plugins.tao.backend.slurm.submit;

import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.Work;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One attempt that is to be sent.
 *
 * @param work what the job runs, as a fingerprint; empty for a later attempt
 * @param array the members to send; empty for a single job
 * @param avoid nodes not to use, the one that failed last first
 * @param text the text that stages it all and sends it, from the nodes that Slurm's commands are told to avoid
 */
public record SlurmSending(
        SlurmLayout layout,
        JobKey key,
        int attempt,
        String work,
        String array,
        Set<String> avoid,
        Function<Set<String>, String> text) {

    public static SlurmSending first(SlurmPlan plan, Set<String> avoid) {
        return new SlurmSending(
                plan.layout(),
                plan.key(),
                1,
                Work.of(plan.job()),
                plan.array().map(SlurmArray::render).orElse(""),
                avoid,
                nodes -> SlurmSubmission.first(plan, nodes));
    }

    public static SlurmSending again(
            JobHandle previous, Optional<SlurmArray> members, Map<String, Secret> secrets, Set<String> avoid) {
        return new SlurmSending(
                SlurmLayout.of(previous),
                previous.key(),
                previous.attempt() + 1,
                "",
                members.map(SlurmArray::render).orElse(""),
                avoid,
                nodes -> SlurmSubmission.again(previous, members, secrets, nodes));
    }

    /** The text for Slurm's commands. */
    public String byCommands() {
        return "rounds=\n" + text.apply(avoid);
    }

    /** What tells this attempt from all others. */
    public String mark() {
        return key.value() + "." + attempt;
    }
}
