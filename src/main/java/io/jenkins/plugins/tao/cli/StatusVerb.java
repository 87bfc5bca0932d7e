package io.jenkins.plugins.tao.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.journal.EventJson;
import io.jenkins.plugins.tao.monitor.EventWords;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "status", description = "Asks once where a job stands.")
final class StatusVerb extends Verb {
    @Mixin
    KnownJob job = new KnownJob();

    @Option(names = "--json", description = "One JSON object.")
    boolean json;

    StatusVerb(Surroundings here, Interrupts interrupts) {
        super(here, interrupts);
    }

    @Override
    ExitCode run(Session session) throws UsageException, BackendException {
        Surroundings here = session.here();
        JobEntry entry = job.entry(session);
        JobHandle handle = entry.handle();
        Place place = job.place(entry, here);
        Optional<JobStatus> status = Optional.ofNullable(
                session.dispatcher().poll(place.target(), Set.of(handle)).get(handle));
        here.out().println(json ? json(handle, status, entry.state()) : text(handle, status, entry.state(), here));
        return status.isPresent() || ExitCode.ofEnd(entry.state()).isPresent() ? ExitCode.SUCCEEDED : ExitCode.NO_WORD;
    }

    private static String json(JobHandle handle, Optional<JobStatus> status, String remembered) {
        ObjectNode node = EventJson.submitted(handle).put("event", "status").put("remembered", remembered);
        status.ifPresent(known -> EventJson.status(node, known));
        return node.put("known", status.isPresent()).toString();
    }

    private static String text(JobHandle handle, Optional<JobStatus> status, String remembered, Surroundings here) {
        String name = handle.shortName() + " (" + handle.key() + ") ";
        if (status.isEmpty()) {
            return name + "is not known to the target now; last heard here: " + remembered;
        }
        JobStatus known = status.get();
        StringBuilder line = new StringBuilder(name).append(EventWords.word(known));
        known.startedAt()
                .ifPresent(start -> line.append(" ")
                        .append(Durations.words(
                                Duration.between(start, known.endedAt().orElseGet(here.clock()::instant)))));
        known.exitCode().ifPresent(code -> line.append(", exit code ").append(code));
        line.append(known.nodes().isEmpty() ? "" : ", on " + String.join(",", known.nodes()));
        known.reason().ifPresent(reason -> line.append(" (").append(reason).append(')'));
        return line.toString();
    }
}
