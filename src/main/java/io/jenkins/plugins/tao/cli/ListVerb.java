package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.journal.EventJson;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "list", description = "Shows the jobs this machine knows with the last word heard of them.")
final class ListVerb extends Verb {
    @Option(names = "--json", description = "One JSON object a job.")
    boolean json;

    ListVerb(Surroundings here, Interrupts interrupts) {
        super(here, interrupts);
    }

    @Override
    ExitCode run(Session session) throws UsageException {
        List<JobEntry> entries = session.store().all();
        if (!json && !entries.isEmpty()) {
            row(session.here(), "JOB", "TARGET", "STATE", "HEARD");
        }
        for (JobEntry entry : entries) {
            if (json) {
                session.here()
                        .out()
                        .println(EventJson.submitted(entry.handle())
                                .put("event", "job")
                                .put("state", entry.state())
                                .put("changedAt", entry.changedAt().toString())
                                .put("submittedAt", entry.handle().submittedAt().toString())
                                .put("jobFile", entry.jobFile().orElse("")));
            } else {
                Duration age = Duration.between(
                        entry.changedAt(), session.here().clock().instant());
                row(
                        session.here(),
                        entry.handle().key().value(),
                        entry.handle().shortName(),
                        entry.state(),
                        Durations.words(age) + " ago");
            }
        }
        return ExitCode.SUCCEEDED;
    }

    private static void row(Surroundings here, String job, String target, String state, String heard) {
        here.out().printf("%-40s %-24s %-12s %s%n", job, target, state, heard);
    }
}
