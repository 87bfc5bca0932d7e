package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.input.Gates;
import io.jenkins.plugins.tao.cli.records.Runs;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.TableFormat;
import io.jenkins.plugins.tao.gate.Changes;
import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.gate.Finding;
import io.jenkins.plugins.tao.gate.Gate;
import io.jenkins.plugins.tao.gate.GateReport;
import io.jenkins.plugins.tao.gate.GateTable;
import io.jenkins.plugins.tao.gate.OtherJobs;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.history.Verdicts;
import io.jenkins.plugins.tao.journal.DurableFile;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.report.TestReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Judges a night and leaves the verdict beside its runs.
 *
 * @param others the runs of other jobs beside it
 */
public record Judging(Evidence evidence, GateReport report, List<RunRecord> others) {
    /** Judges {@code tonight} by the other runs there are. */
    public static Judging of(Runs runs, List<RunRecord> tonight, List<Criterion> criteria) {
        Evidence evidence = runs.evidence(tonight);
        return new Judging(evidence, Gate.judge(criteria, evidence), runs.others(tonight.get(0)));
    }

    /** The run that would settle a suspect night of {@code gates}; empty when none of them asks for it. */
    public static Optional<Confirmation> confirmation(Runs runs, List<RunRecord> tonight, Gates gates) {
        Evidence evidence = runs.evidence(tonight);
        List<Criterion> asked = gates.confirmed();
        return asked.isEmpty() ? Optional.empty() : Confirmation.of(Gate.judge(asked, evidence), evidence);
    }

    /** Adds the verdict to those that digests are made of. */
    public void keep(Path runs) throws IOException {
        Verdicts verdicts = new Verdicts(runs);
        for (PastVerdict verdict : verdicts()) {
            verdicts.add(verdict);
        }
    }

    private List<PastVerdict> verdicts() {
        return PastVerdict.of(report, evidence.tonight());
    }

    /** The runs and the gates as a test report. */
    public String testReport() {
        RunRecord first = evidence.tonight().get(0);
        String suite = "tao." + first.origin().fact(RunOrigin.JOB).orElseGet(first::workName);
        return new TestReport(suite, evidence.tonight(), verdicts()).xml();
    }

    /** Leaves verdict.json and verdict.md in the folder of a run. */
    void leave(Path folder) throws IOException {
        DurableFile.write(folder.resolve("verdict.json"), new GateTable(report).json());
        DurableFile.write(folder.resolve("verdict.md"), rendered(TableFormat.MARKDOWN));
    }

    /** The report, and after a bad finding what changed since the last good run. */
    public String rendered(TableFormat format) {
        GateTable table = new GateTable(report);
        return switch (format) {
            case TEXT -> table.text() + changes().map(Changes::text).orElse("") + beside("");
            case CSV -> table.csv();
            case JSON -> table.json();
            case MARKDOWN ->
                table.markdown()
                        + changes()
                                .map(changes -> "\nWhat changed since the last good run:\n\n" + changes.markdown())
                                .orElse("")
                        + beside("\n");
        };
    }

    private Optional<Finding> bad() {
        return report.findings().stream()
                .filter(finding -> finding.call().bad())
                .findFirst();
    }

    private Optional<Changes> changes() {
        Optional<RunRecord> good = bad().flatMap(finding -> Changes.lastGood(evidence, finding));
        return good.map(run -> new Changes(run, evidence.tonight().get(0)));
    }

    /** Whether other jobs got worse too, after a bad finding. */
    private String beside(String before) {
        return bad().flatMap(finding -> new OtherJobs(evidence.tonight().get(0), finding, others).sentence())
                .map(sentence -> before + sentence + "\n")
                .orElse("");
    }

    public ExitCode exitCode() {
        return exitCode(report);
    }

    /** The same of any verdict. */
    public static ExitCode exitCode(GateReport report) {
        return report.effect() == Effect.NOTE
                ? ExitCode.SUCCEEDED
                : report.effect() == Effect.UNSTABLE ? ExitCode.GATE_UNSTABLE : ExitCode.GATE_FAILED;
    }
}
