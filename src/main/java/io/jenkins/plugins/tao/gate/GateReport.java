package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import java.util.Comparator;
import java.util.List;

/**
 * What came of all criteria.
 *
 * @param night the night that was judged
 * @param findings one for each criterion
 */
public record GateReport(String night, List<Finding> findings) {
    public GateReport {
        findings = List.copyOf(findings);
    }

    /** The worst effect of all findings. */
    public Effect effect() {
        return findings.stream()
                .map(Finding::effect)
                .max(Comparator.naturalOrder())
                .orElse(Effect.NOTE);
    }

    /** Whether nothing was found bad, and at least one criterion had an answer. */
    public boolean passed() {
        return findings.stream().noneMatch(finding -> finding.call().bad() || finding.call() == GateResult.SUSPECT)
                && findings.stream().anyMatch(finding -> finding.call().good());
    }

    /** Whether a run with another seed on another node would settle something. */
    public boolean wantsConfirmation() {
        return findings.stream().anyMatch(Finding::confirm);
    }

    /** In a few words: {@code FAILURE}, {@code UNSTABLE}, {@code suspect}, {@code pass}, {@code no verdict}. */
    public String word() {
        if (effect() != Effect.NOTE) {
            return effect().name();
        }
        if (findings.stream().anyMatch(finding -> finding.call().bad())) {
            return "worse, only noted";
        }
        if (wantsConfirmation()) {
            return "suspect";
        }
        long unknown = findings.stream()
                .filter(finding -> finding.call() == GateResult.NO_VERDICT)
                .count();
        if (!passed()) {
            return "no verdict";
        }
        return unknown == 0 ? "pass" : "pass, " + unknown + " of " + findings.size() + " without a verdict";
    }
}
