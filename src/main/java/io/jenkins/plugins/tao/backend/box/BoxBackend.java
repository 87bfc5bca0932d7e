package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.Download;
import io.jenkins.plugins.tao.remote.Host;
import io.jenkins.plugins.tao.remote.Reply;
import io.jenkins.plugins.tao.remote.TailReply;
import io.jenkins.plugins.tao.remote.TailScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Jobs on one machine, whichever way it is reached. */
final class BoxBackend implements Backend {
    private static final Duration LOOK = Duration.ofMinutes(1);
    private static final Duration ACT = Duration.ofMinutes(2);

    private final String type;
    private final String name;
    private final String directory;
    private final Host host;

    BoxBackend(String type, String name, String directory, Host host) {
        this.type = type;
        this.name = name;
        this.directory = directory;
        this.host = host;
    }

    @Override
    public Report preflight(JobSpec spec) throws BackendException {
        List<Report.Check> checks = new ArrayList<>(BoxPreflight.shape(spec));
        Reply reply = host.run(BoxPreflight.script(directory, spec), LOOK);
        checks.addAll(BoxPreflight.checks(reply.text(), directory, spec));
        return new Report(checks);
    }

    @Override
    public JobHandle submit(JobSpec spec, JobKey key) throws BackendException {
        BoxFiles files = BoxFiles.render(directory, spec, key);
        String job = BoxLayout.job(directory, key);
        BoxScript.Launch launch = BoxScript.Launch.first(job, spec);
        Reply reply = act(BoxScript.submit(BoxLayout.spec(directory, key), files, launch, spec.secrets()), key);
        return new JobHandle(
                name, type, key, 1, key + ".1", job, files.resultsDirectory(), BoxReply.started(reply.text()));
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes)
            throws BackendException {
        int attempt = previous.attempt() + 1;
        Reply reply = act(BoxScript.resubmit(previous.jobDirectory(), attempt, secrets), previous.key());
        return previous.nextAttempt(previous.key() + "." + attempt, BoxReply.started(reply.text()));
    }

    private Reply act(String script, JobKey key) throws BackendException {
        Reply reply = host.run(script, ACT);
        if (!reply.ok()) {
            throw new Rejected(
                    "Job '" + key + "' did not start on target '" + name + "': "
                            + reply.err().strip() + " (exit code " + reply.exitCode() + ").",
                    "Make " + directory + " writable with free space, and look for the first error above.");
        }
        return reply;
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        List<JobHandle> asked = List.copyOf(jobs);
        return BoxReply.poll(host.run(BoxScript.poll(asked), LOOK).text(), asked);
    }

    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException {
        List<StreamRef> streams = List.copyOf(from.keySet());
        List<TailScript.Request> requests = new ArrayList<>();
        for (StreamRef stream : streams) {
            requests.add(request(stream, from.getOrDefault(stream, Position.START)));
        }
        Map<StreamRef, Tail> tails = new LinkedHashMap<>();
        TailReply.ask(host, requests, LOOK).forEach((number, tail) -> {
            if (number < streams.size()) {
                tails.put(streams.get(number), tail);
            }
        });
        return tails;
    }

    private static TailScript.Request request(StreamRef stream, Position from) {
        JobHandle job = stream.job();
        return switch (stream.stream()) {
            case OUT -> new TailScript.Request(job.jobDirectory(), List.of("main.out"), from, 0);
            case ERR -> new TailScript.Request(job.jobDirectory(), List.of("main.err"), from, 0);
            case STATUS ->
                new TailScript.Request(
                        job.resultsDirectory(),
                        List.of("status.json", "*/status.json"),
                        from,
                        job.submittedAt().getEpochSecond());
        };
    }

    @Override
    public void cancel(JobHandle job) throws BackendException {
        Reply reply = host.run(BoxScript.cancel(job), LOOK);
        if (!reply.ok()) {
            throw new Denied(
                    "Job '" + job.key() + "' on target '" + name + "' could not be asked to end: "
                            + reply.err().strip() + ".",
                    "Act as the user that started it, or let that user write below " + job.jobDirectory() + ".");
        }
    }

    @Override
    public Diagnosis diagnose(JobHandle job) throws BackendException {
        return BoxDiagnosis.read(host.run(BoxScript.diagnose(job), LOOK).text());
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        List<String> globs = new ArrayList<>(List.of("status.json", "*/status.json"));
        globs.addAll(plan.globs());
        Download download = new Download(host, plan, sink);
        download.copy("logs", job.jobDirectory(), List.of("main.out", "main.err"));
        download.copy("results", job.resultsDirectory(), globs);
    }

    @Override
    public void close() {
        host.close();
    }
}
