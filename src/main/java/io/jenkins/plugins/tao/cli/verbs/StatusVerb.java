package io.jenkins.plugins.tao.cli.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.jobs.KnownJobs;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.journal.EventJson;
import io.jenkins.plugins.tao.monitor.EventWords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "status", description = "Asks once where jobs stand.")
final class StatusVerb extends Verb {
    @Mixin
    KnownJobs jobs = new KnownJobs();

    @Option(names = "--json", description = "One JSON object a job.")
    boolean json;

    @Override
    ExitCode run(Session session) throws UsageException, BackendException {
        List<KnownJobs.Chosen> chosen = jobs.chosen(session);
        Map<Target, List<KnownJobs.Chosen>> byTarget = new LinkedHashMap<>();
        chosen.forEach(job -> byTarget.computeIfAbsent(job.target(), unused -> new ArrayList<>())
                .add(job));
        ExitCode code = ExitCode.SUCCEEDED;
        for (Map.Entry<Target, List<KnownJobs.Chosen>> place : byTarget.entrySet()) {
            ExitCode of = look(session, place.getKey(), place.getValue(), byTarget.size() == 1);
            code = of == ExitCode.SUCCEEDED ? code : of;
        }
        return code;
    }

    /** One look at all jobs of one target; with several targets, one that does not answer does not hide the others. */
    private ExitCode look(Session session, Target target, List<KnownJobs.Chosen> jobs, boolean alone)
            throws UsageException, BackendException {
        Map<JobHandle, JobStatus> answer;
        try {
            answer = session.dispatcher()
                    .poll(target, jobs.stream().map(KnownJobs.Chosen::handle).collect(Collectors.toSet()));
        } catch (BackendException e) {
            if (alone) {
                throw e;
            }
            session.err().println("tao: " + e.explain());
            return ExitCode.NO_WORD;
        }
        ExitCode code = ExitCode.SUCCEEDED;
        for (KnownJobs.Chosen job : jobs) {
            Optional<JobStatus> status = Optional.ofNullable(answer.get(job.handle()));
            String remembered = job.entry().state();
            session.out().println(json ? json(job.handle(), status, remembered) : text(job, status, session.here()));
            if (status.isPresent()) {
                remember(session, job, status.get());
            } else if (ExitCode.ofEnd(remembered).isEmpty()) {
                code = ExitCode.NO_WORD;
            }
        }
        return code;
    }

    /** What {@code tao list} shows; how a job ended is known better by who watched it. */
    private static void remember(Session session, KnownJobs.Chosen job, JobStatus status) throws UsageException {
        JobEntry entry = job.entry();
        if (!job.isMember() && ExitCode.ofEnd(entry.state()).isEmpty()) {
            session.store().save(entry.withState(entry.handle(), EventWords.word(status), session.now()));
        }
    }

    private static String json(JobHandle handle, Optional<JobStatus> status, String remembered) {
        ObjectNode node = EventJson.submitted(handle).put("event", "status").put("remembered", remembered);
        status.ifPresent(known -> EventJson.status(node, known));
        return node.put("known", status.isPresent()).toString();
    }

    private static String text(KnownJobs.Chosen job, Optional<JobStatus> status, Surroundings here) {
        String name = job.handle().shortName() + " (" + job.name() + ") ";
        if (status.isEmpty()) {
            return name + "is not known to the target now; last heard here: "
                    + job.entry().state();
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
