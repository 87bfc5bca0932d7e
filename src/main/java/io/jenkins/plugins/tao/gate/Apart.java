package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Matching;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The runs before tonight that cannot be compared with it, at most one for each build. A build may run several trainings: of each build the
 * one that is tonight's counts, and another one says nothing of it.
 */
final class Apart {
    private final RunRecord anchor;
    private final Matching matching;
    private final Set<String> compared = new HashSet<>();
    private final Map<String, RunRecord> nearest = new LinkedHashMap<>();

    /** Those that cannot be compared with {@code anchor}. */
    Apart(RunRecord anchor, Matching matching) {
        this.anchor = anchor;
        this.matching = matching;
    }

    /** Whether {@code run} can be compared; one that cannot is kept. Runs come in the order of their time. */
    boolean comparable(RunRecord run) {
        if (matching.differences(anchor, run).isEmpty()) {
            compared.add(run.label());
            return true;
        }
        nearest.merge(run.label(), run, (former, next) -> kinship(next) >= kinship(former) ? next : former);
        return false;
    }

    /** Label and what differs. Builds without tonight's training are named only where no build has it: it may have got another name. */
    Map<String, List<String>> leftOut() {
        boolean known = !compared.isEmpty() || nearest.values().stream().anyMatch(run -> kinship(run) > 0);
        Map<String, List<String>> leftOut = new LinkedHashMap<>();
        nearest.forEach((label, run) -> {
            if (!compared.contains(label) && (!known || kinship(run) > 0)) {
                leftOut.put(label, matching.differences(anchor, run));
            }
        });
        return leftOut;
    }

    private int kinship(RunRecord run) {
        if (!run.workName().equals(anchor.workName())) {
            return 0;
        }
        return run.jobName().equals(anchor.jobName()) ? 2 : 1;
    }
}
