package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.cli.input.JobChoice;
import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.input.Sweeping;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.jobs.SharedInputs;
import io.jenkins.plugins.tao.cli.output.EventText;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.journal.EventJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "preflight", description = "Makes every check that comes before a submission; writes nothing anywhere.")
final class PreflightVerb extends Verb {
    /** Id of a job that is not sent. */
    private static final String UNSENT = "preflight";

    @Mixin
    JobChoice job = new JobChoice();

    @Option(names = "--json", description = "One JSON object for each target, one a line.")
    boolean json;

    /** Of a sweep all cells are read and the first is checked; with several targets each of them is asked. */
    @Override
    ExitCode run(Session session) throws UsageException, BackendException {
        JobRequest request = job.request(session.here());
        List<JobRequest> cells = Sweeping.of(request)
                .map(sweep -> sweep.parts().stream().map(Sweeping.Part::request).toList())
                .orElse(List.of(request));
        List<Assignment> read = new ArrayList<>();
        SharedInputs shared = new SharedInputs();
        Optional<String> id = Optional.of(job.id.orElse(UNSENT));
        for (JobRequest cell : cells) {
            read.add(Assignment.load(cell, id, session.here(), shared));
        }
        Assignment first = read.get(0);
        List<String> targets = request.target().isEmpty() ? first.file().targets() : List.of();
        boolean failed = check(session, first, targets.size() > 1 || read.size() > 1, read.size());
        for (String other : targets.subList(Math.min(1, targets.size()), targets.size())) {
            Assignment there = Assignment.load(cells.get(0).on(other), id, session.here(), shared);
            failed |= check(session, there, true, read.size());
        }
        return failed ? ExitCode.REFUSED : ExitCode.SUCCEEDED;
    }

    private boolean check(Session session, Assignment job, boolean oneOfSeveral, int cells) throws BackendException {
        Report report = session.dispatcher().preflight(job.target(), job.spec()).with(job.unsent());
        if (json) {
            session.out()
                    .println(EventJson.report(report).put("target", job.target().name()));
        } else {
            if (oneOfSeveral) {
                session.out().println(job.target().name() + (cells > 1 ? ", the first of " + cells + " cells:" : ":"));
            }
            EventText.report(report).forEach(session.out()::println);
        }
        return report.failed();
    }
}
