package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.output.OutputChoice;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.sweep.SweepPlan;
import io.jenkins.plugins.tao.cli.sweep.SweepState;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "retry",
        description =
                "Runs the cells of a sweep again that did not succeed, and waits for them; the others stay as they are.")
final class RetryVerb extends Verb {
    @Parameters(index = "0", paramLabel = "SWEEP", description = "The id of the sweep, as 'tao run' told it.")
    String sweep = "";

    @Mixin
    OutputChoice choice = new OutputChoice();

    @Mixin
    WatchChoice watching = new WatchChoice();

    RetryVerb(Surroundings here, Interrupts interrupts) {
        super(here, interrupts);
    }

    @Override
    ExitCode run(Session session) throws UsageException, InterruptedException {
        SweepState state = SweepVerb.named(sweep, session.here());
        return SweepPlan.known(state, session).again(session).run(session, watching, choice);
    }
}
