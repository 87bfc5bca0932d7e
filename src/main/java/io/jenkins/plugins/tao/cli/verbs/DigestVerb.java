package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.records.Runs;
import io.jenkins.plugins.tao.cli.records.RunsChoice;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.report.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "digest",
        description = "Summarises a run: what ran, failed, got worse or better, GPU hours and longest waits.")
final class DigestVerb extends Verb {
    /** The forms of a digest. */
    enum Form {
        TEXT,
        MARKDOWN,
        HTML
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "RUN",
            description = "The id, folder or number (such as 204) of a run; else all that was submitted --within.")
    Optional<String> run = Optional.empty();

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "24h",
            description = "How far back without RUN, such as 24h or 7d (default: ${DEFAULT-VALUE}).")
    Duration within = Duration.ofDays(1);

    @Option(
            names = "--format",
            paramLabel = "FORM",
            defaultValue = "TEXT",
            description = "text, markdown or html, a fragment (default: text).")
    Form format = Form.TEXT;

    @Mixin
    RunsChoice runs = new RunsChoice();

    @Override
    ExitCode run(Session session) throws UsageException {
        Runs known = runs.read(session.here());
        Instant from = session.now().minus(within);
        List<RunRecord> shown = run.isPresent()
                ? known.named(run)
                : known.records().stream()
                        .filter(record -> record.submittedAt().isAfter(from))
                        .toList();
        String title = run.isPresent() ? "run " + shown.get(0).label() : "the last " + Durations.words(within);
        Digest digest = new Digest(title, shown, known.verdicts(shown));
        session.out()
                .print(
                        switch (format) {
                            case TEXT -> digest.text();
                            case MARKDOWN -> digest.markdown();
                            case HTML -> digest.html();
                        });
        session.out().flush();
        return ExitCode.SUCCEEDED;
    }
}
