package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.cli.input.JobChoice;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.output.EventText;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.journal.EventJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "preflight", description = "Makes every check that comes before a submission; writes nothing anywhere.")
final class PreflightVerb extends Verb {
    @Mixin
    JobChoice job = new JobChoice();

    @Option(names = "--json", description = "One JSON object.")
    boolean json;

    @Override
    ExitCode run(Session session) throws UsageException, BackendException {
        Assignment assignment = Assignment.load(job, session.here());
        Report report = session.dispatcher().preflight(assignment.target(), assignment.spec());
        if (json) {
            session.here().out().println(EventJson.report(report));
        } else {
            EventText.report(report).forEach(session.here().out()::println);
        }
        return report.failed() ? ExitCode.REFUSED : ExitCode.SUCCEEDED;
    }
}
