package io.jenkins.plugins.tao.jenkins.page;

import io.jenkins.plugins.tao.job.text.Sentences;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A build's jobs and gates at one glance: what broke and why first, else how well it went. Never changed. */
public record BuildSummary(JobStates states, List<GateAnswer> gates) {
    private static final int MOST = 5;

    public BuildSummary {
        gates = List.copyOf(gates);
    }

    /** {@code 3 jobs: 1 running, 2 succeeded; 1 of 2 trainings bad}: gates are counted where they judge one training. */
    public String getHeadline() {
        if (gates.isEmpty()) {
            return states.totals();
        }
        Map<String, List<GateAnswer>> trainings = gates.stream()
                .collect(Collectors.groupingBy(GateAnswer::getTraining, LinkedHashMap::new, Collectors.toList()));
        boolean several = trainings.size() > 1;
        List<List<GateAnswer>> judged = several
                ? List.copyOf(trainings.values())
                : gates.stream().map(List::of).toList();
        long bad = judged.stream()
                .filter(one -> one.stream().anyMatch(gate -> gate.getKind().equals("failed")))
                .count();
        long good = judged.stream()
                .filter(one -> one.stream().allMatch(BuildSummary::passed))
                .count();
        String all = Sentences.count(judged.size(), several ? "training" : "gate");
        String said =
                bad > 0 ? bad + " of " + all + " bad" : (good == judged.size() ? "" : good + " of ") + all + " passed";
        return states.totals() + "; " + said;
    }

    /** {@code failed}, {@code lost}, {@code running}, {@code succeeded}: the worst there is. */
    public String getKind() {
        if (gates.stream().anyMatch(gate -> gate.getKind().equals("failed")) || has(JobKind.FAILED)) {
            return "failed";
        }
        if (has(JobKind.LOST) || has(JobKind.CANCELLED)) {
            return "lost";
        }
        return has(JobKind.RUNNING) || has(JobKind.WAITING) ? "running" : "succeeded";
    }

    private boolean has(JobKind kind) {
        return states.rows().stream().anyMatch(row -> row.kind() == kind);
    }

    /** The jobs worth a line: those that did not end well, else the first ones. */
    public List<JobRow> getRows() {
        List<JobRow> broken =
                states.rows().stream().filter(BuildSummary::broken).toList();
        return (broken.isEmpty() ? states.rows() : broken).stream().limit(MOST).toList();
    }

    private static boolean broken(JobRow row) {
        return row.kind() == JobKind.FAILED || row.kind() == JobKind.LOST || row.kind() == JobKind.CANCELLED;
    }

    /** How many jobs have no line though others of their kind have one. */
    public long getMore() {
        long broken = states.rows().stream().filter(BuildSummary::broken).count();
        return Math.max(0, (broken == 0 ? states.rows().size() : broken) - MOST);
    }

    /** Whether the jobs need no look before the gates do: all went well, and there are gates. */
    public boolean isQuiet() {
        return !gates.isEmpty()
                && !states.rows().isEmpty()
                && states.rows().stream().allMatch(row -> row.kind() == JobKind.SUCCEEDED);
    }

    /** The states of the jobs, such as {@code 6 jobs: 6 succeeded}. */
    public String getTotals() {
        return states.totals();
    }

    /** What a line says of its job: why it failed, else its kpis, else how far it is. */
    public String words(JobRow row) {
        if (broken(row)) {
            return row.getDetail();
        }
        String kpis = row.getKpis().replace("\n", ", ");
        String ran = row.getRan().isEmpty() ? "" : "ran " + row.getRan();
        String joined = kpis.isEmpty() || ran.isEmpty() ? kpis + ran : kpis + ", " + ran;
        return joined.isEmpty() ? row.getProgress() : joined;
    }

    /** The gates that did not pass, the bad ones first. */
    public List<GateAnswer> getGates() {
        return gates.stream()
                .filter(gate -> !passed(gate))
                .sorted(Comparator.comparing(gate -> !gate.getKind().equals("failed")))
                .toList();
    }

    /** The gates that passed. */
    public List<GateAnswer> getPassed() {
        return gates.stream().filter(BuildSummary::passed).toList();
    }

    private static boolean passed(GateAnswer gate) {
        return gate.getKind().equals("succeeded");
    }

    /** {@code 4 gates passed}. */
    public String getPassedWords() {
        return Sentences.count(getPassed().size(), "gate") + " passed";
    }
}
