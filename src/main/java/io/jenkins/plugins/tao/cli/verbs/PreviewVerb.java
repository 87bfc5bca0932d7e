package io.jenkins.plugins.tao.cli.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.cli.input.JobChoice;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.journal.EventJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "preview",
        description = "Shows the exact texts that would be sent; connects to nothing, reads no secret of the job.")
final class PreviewVerb extends Verb {
    @Mixin
    JobChoice job = new JobChoice();

    @Option(names = "--json", description = "One JSON object.")
    boolean json;

    @Override
    ExitCode run(Session session) throws UsageException, BackendException {
        Assignment assignment = Assignment.loadWithoutSecrets(job, session.here());
        Preview preview = session.dispatcher().preview(assignment.target(), assignment.spec(), assignment.key());
        ObjectNode node = EventJson.event("preview").put("id", assignment.key().value());
        for (Preview.Part part : preview.parts()) {
            node.withArray("/parts").addObject().put("name", part.name()).put("text", part.text());
            if (!json) {
                // a comment in shell, Python and YAML, so that the whole output is what kubectl apply takes
                session.out().println("# ==> " + part.name() + " <==");
                session.out().println(part.text().stripTrailing());
            }
        }
        if (json) {
            session.out().println(node);
        }
        return ExitCode.SUCCEEDED;
    }
}
