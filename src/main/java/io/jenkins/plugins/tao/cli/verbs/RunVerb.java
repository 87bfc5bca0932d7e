package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.input.JobChoice;
import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.input.Sweeping;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.Follower;
import io.jenkins.plugins.tao.cli.jobs.Sending;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.jobs.Submitting;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.OutputChoice;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.sweep.SweepPlan;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "run", description = "Checks and submits a job, watches it to its end and fetches its files.")
final class RunVerb extends Verb {
    @Mixin
    JobChoice job = new JobChoice();

    @Mixin
    OutputChoice choice = new OutputChoice();

    @Mixin
    WatchChoice watching = new WatchChoice();

    @Override
    ExitCode run(Session session) throws UsageException, InterruptedException {
        JobRequest request = job.request(session.here());
        Optional<Sweeping> sweep = Sweeping.of(request);
        if (sweep.isPresent()) {
            return SweepPlan.asked(request, sweep.get(), job.id, session).run(session, watching, choice);
        }
        Assignment assignment = Assignment.load(job, session.here());
        JobOutput output = choice.open(session.here(), assignment.key().value());
        try {
            Optional<Sending.Sent> sent =
                    Submitting.start(session, output, assignment).await();
            return sent.isEmpty()
                    ? ExitCode.DETACHED
                    : new Follower(session, watching, output, choice.verbosity()).follow(sent.get());
        } finally {
            output.close();
        }
    }
}
