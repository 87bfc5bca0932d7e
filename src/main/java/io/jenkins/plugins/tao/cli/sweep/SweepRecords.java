package io.jenkins.plugins.tao.cli.sweep;

import io.jenkins.plugins.tao.cli.input.Gates;
import io.jenkins.plugins.tao.cli.jobs.Judging;
import io.jenkins.plugins.tao.cli.records.Runs;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.GateTable;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.history.Verdicts;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.sweep.GroupGates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The records of a sweep's cells among the runs of a folder. */
public final class SweepRecords {
    private SweepRecords() {}

    /** The record of the job {@code key}; empty when it left none that can be read. */
    public static Optional<RunRecord> of(Path runs, String key) {
        Path file = runs.resolve(key).resolve(RunRecord.FILE);
        try {
            return Files.isRegularFile(file) ? Optional.of(RunRecord.parse(Files.readString(file))) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Judges the groups of a sweep, tells the answers, and keeps them for digests. */
    static ExitCode judged(Path folder, List<String> keys, Gates gates, Consumer<String> tell) throws UsageException {
        List<RunRecord> own = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        for (String key : keys) {
            of(folder, key).ifPresentOrElse(own::add, () -> absent.add(key));
        }
        if (own.isEmpty()) {
            tell.accept("no verdict: no cell left a record in " + folder);
            return ExitCode.SUCCEEDED;
        }
        if (!absent.isEmpty()) {
            tell.accept("groups are judged without " + String.join(", ", absent)
                    + ": there is no record of it that can be read in " + folder);
        }
        Runs runs = Runs.read(folder, Optional.empty());
        List<GroupGates.Answer> answers = new GroupGates(
                        gates.criteria(),
                        runs.records(),
                        runs.baselines().levels(),
                        runs.baselines().newestFor(own.get(0)),
                        runs.baselines().unreadable())
                .judge(own);
        ExitCode code = ExitCode.SUCCEEDED;
        for (GroupGates.Answer answer : answers) {
            tell.accept(answer.words() + ":");
            new GateTable(answer.report()).text().lines().forEach(tell);
            code = SweepExit.worse(code, Judging.exitCode(answer.report()));
            keep(folder, answer, tell);
        }
        return code;
    }

    private static void keep(Path folder, GroupGates.Answer answer, Consumer<String> tell) {
        try {
            for (PastVerdict verdict : PastVerdict.of(answer.report(), answer.runs())) {
                new Verdicts(folder).add(verdict);
            }
        } catch (IOException e) {
            tell.accept("the verdict is not kept in " + folder + ": " + e.getMessage());
        }
    }
}
