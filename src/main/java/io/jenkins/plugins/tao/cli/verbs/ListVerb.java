package io.jenkins.plugins.tao.cli.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.cli.jobs.PendingJob;
import io.jenkins.plugins.tao.cli.jobs.PlacedJob;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.Table;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.journal.EventJson;
import io.jenkins.plugins.tao.placing.Leg;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "list", description = "Shows the jobs this machine knows, each with its last known state.")
final class ListVerb extends Verb {
    @Option(names = "--json", description = "One JSON object a job.")
    boolean json;

    @Option(
            names = {"-t", "--target"},
            paramLabel = "NAME",
            description = "Only jobs of this target.")
    Optional<String> target = Optional.empty();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only jobs in this state, as the list shows it: running, failed, sending.")
    Optional<String> state = Optional.empty();

    @Option(names = "--live", description = "Only jobs that have not ended.")
    boolean live;

    @Override
    ExitCode run(Session session) throws UsageException {
        List<Row> all = rows(session);
        List<Row> rows = all.stream().filter(this::matches).toList();
        if (rows.isEmpty()) { // else a misspelled state looks like a state without jobs
            session.err()
                    .println(
                            all.isEmpty()
                                    ? "tao: no job was sent from here. "
                                            + session.here().stateDirectory() + " has no record of one."
                                    : "tao: no job matches. Known are " + distinct(all, Row::state) + " on "
                                            + distinct(all, Row::target) + ".");
        }
        if (json) {
            rows.forEach(row -> session.out().println(row.json()));
            return ExitCode.SUCCEEDED;
        }
        Instant now = session.now();
        List<List<String>> cells = rows.stream()
                .map(row -> List.of(
                        row.id(), row.place(), row.state(), Durations.words(Duration.between(row.at(), now)) + " ago"))
                .toList();
        List<String> lines = rows.isEmpty()
                ? List.of()
                : Table.text(List.of("JOB", "TARGET", "STATE", "CHANGED"), cells)
                        .lines()
                        .toList();
        for (int i = 0; i < lines.size(); i++) {
            session.out().println(i == 0 ? lines.get(0) : coloured(lines.get(i), rows.get(i - 1), session.here()));
        }
        return ExitCode.SUCCEEDED;
    }

    /** Green for a job that succeeded, red for one that ended otherwise, where the terminal has colours. */
    private static String coloured(String line, Row row, Surroundings here) {
        Optional<ExitCode> end = ExitCode.ofEnd(row.state());
        if (end.isEmpty()) {
            return line;
        }
        String colour = end.get() == ExitCode.SUCCEEDED ? "green" : "red";
        int at = line.lastIndexOf(" " + row.state() + " ") + 1;
        return line.substring(0, at)
                + here.coloured(colour, row.state())
                + line.substring(at + row.state().length());
    }

    private static String distinct(List<Row> rows, Function<Row, String> word) {
        return rows.stream().map(word).distinct().sorted().collect(Collectors.joining(", "));
    }

    private static List<Row> rows(Session session) throws UsageException {
        List<Row> rows = new ArrayList<>();
        session.store().onTheirWay().forEach(job -> rows.add(Row.of(job)));
        session.store().pending().forEach(job -> rows.add(Row.of(job)));
        session.store().all().forEach(entry -> rows.add(Row.of(entry)));
        return rows;
    }

    private boolean matches(Row row) {
        return target.map(row.target()::equals).orElse(true)
                && state.map(wanted -> row.state().toLowerCase(Locale.ROOT).startsWith(wanted.toLowerCase(Locale.ROOT)))
                        .orElse(true)
                && !(live && ExitCode.ofEnd(row.state()).isPresent());
    }

    /** One job in the list. */
    private record Row(String id, String target, String place, String state, Instant at, String json) {
        static Row of(JobEntry entry) {
            return new Row(
                    entry.handle().key().value(),
                    entry.handle().target(),
                    place(entry.handle()),
                    entry.state(),
                    entry.changedAt(),
                    EventJson.submitted(entry.handle())
                            .put("event", "job")
                            .put("state", entry.state())
                            .put("changedAt", entry.changedAt().toString())
                            .put("submittedAt", entry.handle().submittedAt().toString())
                            .put("jobFile", entry.jobFile().orElse(""))
                            .toString());
        }

        /** A native id that repeats the id of the job says nothing more. */
        private static String place(JobHandle handle) {
            return handle.nativeId().startsWith(handle.key().value()) ? handle.target() : handle.shortName();
        }

        static Row of(PlacedJob job) {
            String targets = job.known().legs().stream().map(Leg::target).collect(Collectors.joining(","));
            return sent(
                    job.id(),
                    targets,
                    PlacedJob.STATE,
                    job.askedAt(),
                    job.request().file());
        }

        static Row of(PendingJob job) {
            return sent(
                    job.id(),
                    job.target(),
                    PendingJob.STATE,
                    job.sentAt(),
                    job.request().file());
        }

        private static Row sent(String id, String target, String state, String at, String file) {
            ObjectNode told = EventJson.event("job")
                    .put("id", id)
                    .put("target", target)
                    .put("state", state)
                    .put("changedAt", at)
                    .put("jobFile", file);
            return new Row(id, target, target, state, Instant.parse(at), told.toString());
        }
    }
}
