package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The run that confirms or clears a run beyond the limit of the usual rule: the same again with another seed on other nodes.
 * There is one for each training of a build at most, however it ends. Pure: the same input gives the same run and the same seed.
 *
 * @param of the run to repeat
 * @param night the label that the confirming run carries as what it {@link RunOrigin#CONFIRMS}
 * @param avoidNodes the nodes of the run, where they are known
 * @param seed one that no run of the build had, 1 to 999999
 * @param lastGood the run before the drop that a pair repeats beside it; empty where there is none
 */
public record Confirmation(
        RunRecord of, String night, Set<String> avoidNodes, long seed, Optional<RunRecord> lastGood) {
    private static final int SEEDS = 999_999;

    public Confirmation {
        avoidNodes = Set.copyOf(avoidNodes);
    }

    /** The confirming run that these findings ask for; empty where none does, and where the training has one already. */
    public static Optional<Confirmation> of(GateReport report, Evidence evidence) {
        return report.findings().stream()
                .filter(Finding::confirm)
                .flatMap(finding -> of(finding, evidence.only(finding.of(evidence.tonight()))).stream())
                .findFirst();
    }

    /** The one for the training that a finding is about; the first of a pair alone does not settle it. */
    private static Optional<Confirmation> of(Finding finding, Evidence own) {
        if (own.tonight().stream().anyMatch(run -> Evidence.confirms(run) && !Evidence.isBeside(run))) {
            return Optional.empty();
        }
        RunRecord run = own.anchor();
        Set<String> nodes = new LinkedHashSet<>(run.texts("machines/nodes"));
        return Optional.of(new Confirmation(run, own.label(), nodes, seed(run, own), Changes.lastGood(own, finding)));
    }

    private static long seed(RunRecord run, Evidence evidence) {
        Set<String> used = evidence.tonight().stream()
                .flatMap(each -> each.text("work/seed").stream())
                .collect(Collectors.toSet());
        long seed = 1 + Long.parseLong(Fingerprint.of(run.id(), 12), 16) % SEEDS;
        while (used.contains(Long.toString(seed))) {
            seed = 1 + seed % SEEDS;
        }
        return seed;
    }
}
