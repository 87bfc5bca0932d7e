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
 * The run that settles a night beyond the limit of the usual rule: the same once more with another seed, elsewhere. There is
 * one for each training of a build at most, whatever becomes of it. Pure: asked again, it names the same run and the same seed.
 *
 * @param of the run to repeat
 * @param night the label that the confirming run carries as what it {@link RunOrigin#CONFIRMS}
 * @param avoidNodes the nodes of the run, where they are known
 * @param seed one that no run of the night had, 1 to 999999
 */
public record Confirmation(RunRecord of, String night, Set<String> avoidNodes, long seed) {
    private static final int SEEDS = 999_999;

    public Confirmation {
        avoidNodes = Set.copyOf(avoidNodes);
    }

    /** The confirming run that these findings ask for; empty where none does, and where the night has one already. */
    public static Optional<Confirmation> of(GateReport report, Evidence evidence) {
        return report.findings().stream()
                .filter(Finding::confirm)
                .map(finding -> of(finding, evidence))
                .filter(own -> own.tonight().stream().noneMatch(Evidence::confirms))
                .map(Confirmation::of)
                .findFirst();
    }

    /** The runs of the training that a finding is about. */
    private static Evidence of(Finding finding, Evidence evidence) {
        return evidence.only(finding.of(evidence.tonight()));
    }

    private static Confirmation of(Evidence evidence) {
        RunRecord run = evidence.anchor();
        Set<String> nodes = new LinkedHashSet<>(run.texts("machines/nodes"));
        return new Confirmation(run, evidence.label(), nodes, seed(run, evidence));
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
