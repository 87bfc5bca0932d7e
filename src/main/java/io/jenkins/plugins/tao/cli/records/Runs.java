package io.jenkins.plugins.tao.cli.records;

import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.SameBuild;
import io.jenkins.plugins.tao.history.Baselines;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.history.Verdicts;
import io.jenkins.plugins.tao.job.text.Suggestions;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The runs of one folder: their records and what was blessed of them.
 *
 * @param folder the folder of runs
 * @param records the records, the oldest first
 * @param unreadable how many records cannot be read
 * @param baselines what was blessed
 */
public record Runs(Path folder, List<RunRecord> records, int unreadable, Baselines.Known baselines) {
    /** Reads them; baselines lie beside the runs, or in a file of their own. */
    public static Runs read(Path folder, Optional<Path> baselines) throws UsageException {
        return UsageException.reading("The runs in " + folder + " cannot be read", () -> {
            RunHistory.Known known = new RunHistory(folder).adopt(folder);
            Baselines blessed = baselines.map(Baselines::at).orElseGet(() -> Baselines.in(folder));
            return new Runs(folder, known.records(), known.unreadable(), blessed.read());
        });
    }

    /** The runs that {@code name} means: an id, a label such as #204, or the name of a baseline; the newest night for none. */
    public List<RunRecord> named(Optional<String> name) throws UsageException {
        if (records.isEmpty()) {
            throw new UsageException(none());
        }
        String wanted = name.orElseGet(() -> records.get(records.size() - 1).label());
        String folderName = String.valueOf(Path.of(wanted).getFileName());
        List<RunRecord> byId =
                records.stream().filter(run -> run.id().equals(folderName)).toList();
        List<RunRecord> found = byId.isEmpty()
                ? SameBuild.newest(
                        run -> run.label().equals(wanted) || run.label().equals("#" + wanted), records)
                : byId;
        if (!found.isEmpty()) {
            return found;
        }
        Blessed blessed = baselines.newest().get(wanted);
        if (blessed != null) {
            return List.of(blessed.record());
        }
        throw new UsageException("No run '" + wanted + "' has a record in " + folder + ". "
                + Suggestions.meant(wanted, records.stream().map(RunRecord::id).toList())
                + "'tao history' lists them.");
    }

    /** The sentence for a folder without records. */
    public String none() {
        return "There is no record of a run in " + folder + ". 'tao run' leaves one.";
    }

    /** What gates said of {@code some} of them. */
    public List<PastVerdict> verdicts(List<RunRecord> some) throws UsageException {
        Set<String> ids = some.stream().map(RunRecord::id).collect(Collectors.toSet());
        return UsageException.reading("The verdicts in " + folder + " cannot be read", new Verdicts(folder)::read)
                .stream()
                .filter(verdict -> verdict.runs().stream().anyMatch(ids::contains))
                .toList();
    }

    /** What {@code tonight} is judged by: all runs of the same night and job, and those before. */
    public Evidence evidence(List<RunRecord> tonight) {
        RunRecord first = tonight.get(0);
        List<RunRecord> own = SameBuild.of(first, records).stream()
                .filter(run -> tonight.contains(run) || isLikeOneOf(tonight, run))
                .toList();
        List<RunRecord> before = records.stream()
                .filter(run -> isLikeOneOf(tonight, run))
                .filter(run -> run.submittedAt().isBefore(first.submittedAt()))
                .toList();
        return new Evidence(
                own.isEmpty() ? tonight : own,
                before,
                baselines.levels(),
                baselines.newestFor(first),
                baselines.unreadable());
    }

    /** The runs of other jobs beside {@code run}, and of its job what cannot be compared with it. */
    public List<RunRecord> others(RunRecord run) {
        return records.stream()
                .filter(other -> !isSameJob(run, other) || !run.workName().equals(other.workName()))
                .toList();
    }

    private static boolean isLikeOneOf(List<RunRecord> tonight, RunRecord run) {
        return tonight.stream().anyMatch(own -> isSameJob(run, own) && isSameCell(run, own));
    }

    /** A cell of a sweep is compared with its own nights alone. */
    private static boolean isSameCell(RunRecord one, RunRecord other) {
        return one.origin().fact(RunOrigin.CELL).equals(other.origin().fact(RunOrigin.CELL));
    }

    /** A folder may hold runs of several jobs; one whose job is not known belongs to all. */
    private static boolean isSameJob(RunRecord one, RunRecord other) {
        Optional<String> job = one.origin().fact("job");
        Optional<String> wanted = other.origin().fact("job");
        return job.isEmpty() || wanted.isEmpty() || job.equals(wanted);
    }
}
