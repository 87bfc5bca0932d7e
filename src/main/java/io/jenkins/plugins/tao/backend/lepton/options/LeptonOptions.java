package io.jenkins.plugins.tao.backend.lepton.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.text.OnePerLine;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What only Lepton understands of a job; what is empty is as the target has it.
 *
 * @param resourceShape the shape to use, as {@code ./tao discover} lists it
 * @param nodeGroup the dedicated node group, by name or id
 * @param nodes ids of nodes of that group that may be used
 * @param mounts volumes, as {@link LeptonMount} reads them
 * @param sharedMemory {@code /dev/shm} in MiB
 * @param archiveAfter how long an ended job stays among the live ones
 * @param visibility {@code private} or {@code public}
 * @param priority such as {@code mid-4000}; needs a node group with a quota
 * @param canBePreempted whether a more urgent job may take its machines
 * @param canPreempt whether it may take those of a less urgent one
 * @param reservation a reservation of the node group
 * @param secretRefs variables whose values are secrets that the workspace has already: variable to secret name
 * @param patch YAML merged into the spec of the job's request, as {@link LeptonPatch} reads it
 */
public record LeptonOptions(
        @Option(defaultsTo = "the target's, else one found by the number of GPUs")
        Optional<String> resourceShape,

        @Option(defaultsTo = "the target's") Optional<String> nodeGroup,
        List<String> nodes,
        @Option(defaultsTo = "the target's") @OnePerLine List<String> mounts,
        @Option(defaultsTo = "the target's", unit = "MiB") OptionalInt sharedMemory,
        @Option(defaultsTo = "the target's") Optional<Duration> archiveAfter,
        @Option(defaultsTo = "`private`") Optional<String> visibility,
        Optional<String> priority,
        Optional<Boolean> canBePreempted,
        Optional<Boolean> canPreempt,
        Optional<String> reservation,
        Map<String, String> secretRefs,
        Optional<String> patch)
        implements JobOptions {
    /** The words of {@code priority}. */
    public static final List<String> PRIORITIES = List.of(
            "low-1000",
            "low-2000",
            "low-3000",
            "mid-4000",
            "mid-5000",
            "mid-6000",
            "high-7000",
            "high-8000",
            "high-9000");

    public LeptonOptions {
        nodes = List.copyOf(nodes);
        mounts = List.copyOf(mounts);
        mounts.forEach(LeptonMount::parse);
        secretRefs = Collections.unmodifiableMap(new LinkedHashMap<>(secretRefs));
        sharedMemory.ifPresent(mib -> require(mib > 0, "sharedMemory must be positive MiB, was %d", mib));
        patch.ifPresent(LeptonPatch::parse);
        archiveAfter.ifPresent(time -> require(!time.isNegative(), "archiveAfter must not be negative, was %s", time));
        visibility.ifPresent(word ->
                require(word.matches("private|public"), "visibility must be private or public, was '%s'", word));
        priority.ifPresent(word -> require(
                PRIORITIES.contains(word), "priority must be low-1000 to high-9000 in steps of 1000, was '%s'", word));
        secretRefs
                .keySet()
                .forEach(variable -> require(
                        variable.matches("[A-Za-z_][A-Za-z0-9_]*") && !variable.startsWith("LEPTON_"),
                        "'%s' cannot be a variable of a Lepton job",
                        variable));
    }
}
