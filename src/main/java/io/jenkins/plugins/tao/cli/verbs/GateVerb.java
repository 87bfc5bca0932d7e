package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.input.Gates;
import io.jenkins.plugins.tao.cli.input.YamlText;
import io.jenkins.plugins.tao.cli.jobs.Confirming;
import io.jenkins.plugins.tao.cli.jobs.Judging;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.PlainOutput;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.records.Runs;
import io.jenkins.plugins.tao.cli.records.TableChoice;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.gate.criteria.SeedPlace;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "gate",
        description = "Judges a run by its gates and by the runs before it; exit code 5 when one fails, 6 when one is"
                + " unstable.")
final class GateVerb extends Verb {
    private static final int RETRIES = 10;

    @Parameters(
            arity = "0..1",
            paramLabel = "RUN",
            description = "An id, a folder of a run, or a run number such as 204; else the newest.")
    Optional<String> run = Optional.empty();

    @Option(
            names = "--gate",
            paramLabel = "KEYS",
            description = "A gate, as in 'kpi: val_mAP50, atLeast: 0.42'; may be repeated. Else those of the job file.")
    List<String> gates = new ArrayList<>();

    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "Writes the runs and the gates as a JUnit test report too.")
    Optional<String> junit = Optional.empty();

    @Option(names = "--need-verdict", description = "Exit code 7 when a gate has no verdict.")
    boolean needVerdict;

    @Option(
            names = "--confirm",
            description =
                    "Before the verdict of a suspect run, runs its job once more with another seed elsewhere, where a"
                            + " gate says 'confirm:'; an earlier such run is followed instead.")
    boolean confirm;

    @Mixin
    TableChoice runs = new TableChoice();

    @Override
    ExitCode run(Session session) throws UsageException, InterruptedException {
        Runs known = runs.read(session.here());
        List<RunRecord> tonight = known.named(run);
        checkEnd(session.here(), known);
        Gates asked = gates.isEmpty()
                ? Gates.kept(known.folder().resolve(tonight.get(0).id()))
                : given(gates);
        if (asked.isEmpty()) {
            throw new UsageException("No gate is asked of " + tonight.get(0).label()
                    + ". Give --gate 'kpi: NAME, atLeast: 0.42', or 'gates:' in the job file. The run reported: "
                    + String.join(", ", tonight.get(0).metrics().keySet()) + ".");
        }
        if (confirm) {
            if (!confirmed(session, known, tonight, asked)) {
                return ExitCode.DETACHED;
            }
            known = runs.read(session.here());
        }
        Judging judging = Judging.of(known, tonight, asked.criteria());
        boolean kept = leave(session.here(), known, judging);
        session.out().print(judging.rendered(runs.format()));
        session.out().flush();
        ExitCode code = judging.exitCode();
        if (code != ExitCode.SUCCEEDED) {
            return code;
        }
        boolean silent =
                judging.report().findings().stream().anyMatch(finding -> finding.call() == GateResult.NO_VERDICT);
        return !kept ? ExitCode.NOT_KEPT : needVerdict && silent ? ExitCode.NO_VERDICT : code;
    }

    /** Half a line at the end is a run that is lost: the run before it is not judged in its place. */
    private void checkEnd(Surroundings here, Runs known) throws UsageException {
        RunHistory history = new RunHistory(known.folder());
        if (!UsageException.reading("The runs in " + known.folder() + " cannot be read", history::endsTorn)) {
            return;
        }
        String what = "the last line of " + known.folder().resolve(RunHistory.FILE) + " is cut, so a run is lost";
        if (run.isEmpty()) {
            throw new UsageException("Not judged: " + what
                    + ". Run the job again, or name the run to judge, as in 'tao gate "
                    + known.records().get(known.records().size() - 1).id() + "'.");
        }
        here.err().println("tao: " + what + ".");
    }

    /** Keeps the verdict for digests; gives whether it could be written. */
    private boolean leave(Surroundings here, Runs known, Judging judging) throws UsageException {
        boolean kept = true;
        try {
            judging.keep(known.folder());
        } catch (IOException e) {
            here.err()
                    .println("tao: the verdict is not kept in " + known.folder() + ": " + e.getMessage()
                            + ". Make room there, or allow to write.");
            kept = false;
        }
        if (junit.isPresent()) {
            write(here.path(junit.get()), judging.testReport());
        }
        return kept;
    }

    private static void write(Path file, String text) throws UsageException {
        UsageException.writing("The test report " + file + " cannot be written", "", () -> {
            Files.createDirectories(file.toAbsolutePath().resolveSibling(""));
            Files.writeString(file, text);
        });
    }

    /** Whether nothing is left to be waited for. */
    private boolean confirmed(Session session, Runs known, List<RunRecord> tonight, Gates asked)
            throws UsageException, InterruptedException {
        Optional<SeedPlace> seed = asked.confirm();
        if (seed.isEmpty()) {
            throw new UsageException(
                    "--confirm needs a gate that says where the seed is, as in --gate 'kpi: val_mAP50, confirm: train.seed'.");
        }
        Optional<Confirmation> wanted = Judging.confirmation(known, tonight, asked);
        if (wanted.isEmpty()) {
            return true;
        }
        WatchChoice watching = new WatchChoice();
        watching.archiveDirectory = runs.archiveDirectory;
        watching.retries = RETRIES;
        JobOutput output = new PlainOutput(session.err(), wanted.get().of().id(), new Verbosity(true, false));
        Path folder = known.folder().resolve(wanted.get().of().id());
        return new Confirming(session, watching, output).run(folder, wanted.get(), seed.get());
    }

    /** Gates as the command line has them. */
    static Gates given(List<String> gates) throws UsageException {
        List<Value.Keyed> written = new ArrayList<>();
        for (String gate : gates) {
            written.add(YamlText.parse("--gate", "{" + gate + "}"));
        }
        return Gates.of(written);
    }
}
