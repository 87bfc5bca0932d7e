package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.input.ArrayCells;
import io.jenkins.plugins.tao.cli.input.Sweeping;
import io.jenkins.plugins.tao.cli.jobs.JobStore;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.output.OutputChoice;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.records.TableChoice;
import io.jenkins.plugins.tao.cli.sweep.SweepPlan;
import io.jenkins.plugins.tao.cli.sweep.SweepRecords;
import io.jenkins.plugins.tao.cli.sweep.SweepState;
import io.jenkins.plugins.tao.cli.sweep.SweepStore;
import io.jenkins.plugins.tao.cli.sweep.SweepTurn;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.sweep.Best;
import io.jenkins.plugins.tao.sweep.Cell;
import io.jenkins.plugins.tao.sweep.CellEnd;
import io.jenkins.plugins.tao.sweep.SweepTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "sweep",
        description =
                "Shows the cells of a sweep as a table: values, how each ended, metrics, the best one. Asks no target.")
final class SweepVerb extends Verb {
    @Parameters(index = "0", paramLabel = "SWEEP", description = "The id of the sweep, as 'tao run' printed it.")
    String sweep = "";

    @Mixin
    TableChoice runs = new TableChoice();

    /** The sweep of this id. */
    static SweepState named(String id, Surroundings here) throws UsageException {
        return new SweepStore(here)
                .find(id)
                .orElseThrow(() -> new UsageException("No sweep '" + id
                        + "' is known here. 'tao run' and 'tao submit' print the id of a sweep; --id gives it one."));
    }

    @Override
    ExitCode run(Session session) throws UsageException {
        Path folder = runs.folder(session.here());
        Path own = folder.resolve(sweep);
        ArrayCells carried =
                UsageException.reading("The folder " + own + " cannot be read", () -> ArrayCells.kept(own));
        if (!carried.cells().isEmpty()) {
            RunRecord record = SweepRecords.of(folder, sweep)
                    .orElseThrow(() -> new UsageException(
                            "The sweep '" + sweep + "' has left no record in " + folder + " yet: 'tao wait' does."));
            return print(session, carried.ends(record), carried.rule());
        }
        SweepState state = named(sweep, session.here());
        Sweeping asked = Sweeping.of(state.request())
                .orElseThrow(() -> new UsageException("The record of the sweep '" + sweep + "' has no matrix."));
        List<CellEnd> ends = new ArrayList<>();
        for (Sweeping.Part part : asked.parts()) {
            Optional<SweepState.End> end = state.end(part.cell());
            ends.add(
                    end.isPresent()
                            ? SweepTurn.end(part.cell(), end)
                            : underWay(session.store(), part.cell(), state.key(part.cell())));
        }
        return print(session, ends, asked.terms().best());
    }

    private static CellEnd underWay(JobStore store, Cell cell, String key) throws UsageException {
        Optional<JobEntry> job = store.settled(key);
        if (job.isPresent()) {
            return new CellEnd(
                    cell, job.get().state(), Map.of(), job.get().handle().shortName());
        }
        return store.isOnItsWay(new JobKey(key))
                ? new CellEnd(cell, "sending", Map.of(), "")
                : SweepTurn.end(cell, Optional.empty());
    }

    private ExitCode print(Session session, List<CellEnd> ends, Optional<Best> best) {
        SweepTable table = new SweepTable(ends, best);
        runs.print(session.here(), table, () -> String.join("\n", SweepTable.lines(ends, best)) + "\n");
        return ExitCode.SUCCEEDED;
    }

    @Command(
            name = "retry",
            description =
                    "Runs the cells of a sweep again that did not succeed, and waits for them; the others stay as they are.")
    static final class Retry extends Verb {
        @Parameters(index = "0", paramLabel = "SWEEP", description = "The id of the sweep, as 'tao run' printed it.")
        String sweep = "";

        @Mixin
        OutputChoice choice = new OutputChoice();

        @Mixin
        WatchChoice watching = new WatchChoice();

        @Override
        ExitCode run(Session session) throws UsageException, InterruptedException {
            SweepState state = named(sweep, session.here());
            return SweepPlan.known(state, session).again(session).run(session, watching, choice);
        }
    }
}
