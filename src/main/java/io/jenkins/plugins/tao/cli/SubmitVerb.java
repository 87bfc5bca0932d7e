package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.journal.EventJson;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "submit",
        description = "Checks and submits, and prints the job's token. What is told on the way goes to standard error.")
final class SubmitVerb extends Verb {
    @Mixin
    JobChoice job = new JobChoice();

    @Option(names = "--json", description = "One JSON object instead of the token alone.")
    boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Nothing on standard error unless something goes wrong.")
    boolean quiet;

    SubmitVerb(Surroundings here, Interrupts interrupts) {
        super(here, interrupts);
    }

    @Override
    ExitCode run(Session session) throws UsageException, InterruptedException {
        Surroundings here = session.here();
        Assignment assignment = Assignment.load(job, here);
        JobOutput output = new PlainOutput(here.err(), assignment.key().value(), new Verbosity(quiet, false));
        Optional<JobEntry> sent = new Sending(session, output).send(assignment);
        if (sent.isEmpty()) {
            return ExitCode.DETACHED;
        }
        here.out()
                .println(
                        json
                                ? EventJson.submitted(sent.get().handle()).toString()
                                : sent.get().handle().token());
        return ExitCode.SUCCEEDED;
    }
}
