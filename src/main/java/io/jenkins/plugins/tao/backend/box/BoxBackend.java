package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Attributing;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.CodeStore;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.JointCancels;
import io.jenkins.plugins.tao.backend.Leasing;
import io.jenkins.plugins.tao.backend.LiveJobs;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.Tidying;
import io.jenkins.plugins.tao.backend.box.diagnosis.BoxDiagnosis;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.files.Download;
import io.jenkins.plugins.tao.remote.files.Upload;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.JointScript;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.LeaseNote;
import io.jenkins.plugins.tao.remote.shell.LeaseShell;
import io.jenkins.plugins.tao.remote.shell.LeaseSweep;
import io.jenkins.plugins.tao.remote.shell.PathListing;
import io.jenkins.plugins.tao.remote.shell.TailReply;
import io.jenkins.plugins.tao.remote.shell.TailScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Jobs on one machine, whichever way it is reached. */
public final class BoxBackend extends BoxCare
        implements Attributing, CodeStore, JointCancels, Leasing, LiveJobs, Paths, Tidying {
    private static final Duration CANCELS = Duration.ofMinutes(5);
    private static final Duration ACT = Duration.ofMinutes(2);

    private volatile LeaseSweep leases = new LeaseSweep(Controller.NONE);

    public BoxBackend(BoxPlace place, Host host) {
        super(place, host);
    }

    @Override
    public void actFor(Controller controller) {
        leases = new LeaseSweep(controller);
    }

    @Override
    public Report preflight(JobSpec spec) throws BackendException {
        List<Report.Check> checks = new ArrayList<>(BoxPreflight.shape(place, spec));
        if (new Report(checks).failed()) {
            return new Report(checks);
        }
        Reply reply = host.run(BoxPreflight.script(place, spec), LOOK);
        checks.addAll(new BoxPreflight(place, spec, reply.text()).checks());
        return new Report(checks);
    }

    @Override
    public JobHandle submit(JobSpec spec, JobKey key) throws BackendException {
        BoxFiles files = BoxFiles.render(place, spec, key);
        String job = BoxLayout.job(place.base(), key);
        Reply reply = act(
                BoxScript.submit(place, job, BoxLayout.spec(place.base(), key, spec.specFormat()), files, spec), key);
        JobHandle handle = new JobHandle(
                place.name(),
                place.type(),
                key,
                1,
                key + ".1",
                job,
                files.resultsDirectory(),
                BoxReply.started(reply.text()));
        act(BoxScript.open(job, 1), key);
        return handle;
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes)
            throws BackendException {
        leases.checkAlone();
        int attempt = previous.attempt() + 1;
        Reply reply = act(BoxScript.resubmit(previous.jobDirectory(), attempt, secrets), previous.key());
        act(BoxScript.open(previous.jobDirectory(), attempt), previous.key());
        return previous.nextAttempt(previous.key() + "." + attempt, BoxReply.started(reply.text()));
    }

    @Override
    public Delivery deliver(SourceTree tree, JobKey key) throws BackendException {
        Upload.Done done = Upload.keep(host, tree, BoxLayout.codeRoot(place.base()), key.value());
        return new Delivery(done.path(), done.files(), done.sentBytes());
    }

    @Override
    public Tidied tidy(boolean dryRun) throws BackendException {
        return BoxTidy.parse(place, host.run(BoxTidy.render(place.base(), dryRun), CANCELS));
    }

    @Override
    public Look live() throws BackendException {
        return BoxLive.parse(place, host.run(leased(BoxLive.render(place)), ACT).text());
    }

    private Reply act(String script, JobKey key) throws BackendException {
        Reply reply = host.run(leased(script), ACT);
        if (!reply.ok()) {
            throw BoxRefusal.of(place, key, reply);
        }
        return reply;
    }

    /** A script that asks who holds a job. */
    private String leased(String script) {
        return leases.functions() + "\n" + script;
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        List<JobHandle> asked = List.copyOf(jobs);
        String text = host.run(leases.forLookAt(asked) + "\n" + BoxScript.poll(place, asked), LOOK)
                .text();
        Map<JobHandle, JobStatus> found = BoxReply.poll(place, text, asked);
        leases.take(asked, BoxReply.leases(text));
        found.replaceAll(leases::annotated);
        return found;
    }

    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException {
        Map<StreamRef, Tail> tails = new LinkedHashMap<>();
        read(from, false, tails::put);
        return tails;
    }

    @Override
    public void read(Map<StreamRef, Position> from, BiConsumer<StreamRef, Tail> taker) throws BackendException {
        read(from, true, taker);
    }

    private void read(Map<StreamRef, Position> from, boolean handedOn, BiConsumer<StreamRef, Tail> taker)
            throws BackendException {
        List<StreamRef> streams = List.copyOf(from.keySet());
        List<TailScript.Request> requests = new ArrayList<>();
        for (StreamRef stream : streams) {
            requests.add(request(stream, from.getOrDefault(stream, Position.START)));
        }
        TailReply.ask(host, requests, LOOK, handedOn, (number, tail) -> {
            if (number < streams.size()) {
                taker.accept(streams.get(number), tail);
            }
        });
    }

    private static TailScript.Request request(StreamRef stream, Position from) {
        JobHandle job = stream.job();
        return switch (stream.stream()) {
            case OUT -> new TailScript.Request(job.jobDirectory(), List.of("main.out"), from, 0);
            case ERR -> new TailScript.Request(job.jobDirectory(), List.of("main.err"), from, 0);
            case MACHINE -> new TailScript.Request(BoxLayout.attempt(job), List.of("machine"), from, 0);
            case STATUS ->
                new TailScript.Request(
                        job.resultsDirectory(),
                        Stream.STATUS_FILES,
                        from,
                        job.submittedAt().getEpochSecond());
        };
    }

    @Override
    public void cancel(JobHandle job, String by) throws BackendException {
        leases.checkAlone();
        Reply reply = host.run(leased(BoxScript.cancel(job, by)), LOOK);
        if (!reply.ok()) {
            throw notAsked(job, reply.err());
        }
    }

    @Override
    public void takeOver(JobHandle job) throws BackendException {
        Reply reply = host.run(leased(BoxScript.takeOver(job)), LOOK);
        if (!reply.ok()) {
            throw notAsked(job, reply.err());
        }
        leases.tookOver(job);
    }

    @Override
    public Map<JobHandle, BackendException> cancelAll(Map<JobHandle, String> jobs) throws BackendException {
        leases.checkAlone();
        List<JobHandle> all = List.copyOf(jobs.keySet());
        Reply reply = host.run(leased(BoxScript.cancelAll(all, jobs)), CANCELS);
        List<JointScript.Part> parts = JointScript.read(place.name(), all.size(), reply);
        Map<JobHandle, BackendException> refusals = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            if (!parts.get(i).ok()) {
                refusals.put(all.get(i), notAsked(all.get(i), parts.get(i).said()));
            }
        }
        return refusals;
    }

    private BackendException notAsked(JobHandle job, String said) {
        Optional<LeaseNote> holder = LeaseNote.parse(said);
        if (holder.isPresent()) {
            return LeaseShell.refused(job.shortName(), holder.get());
        }
        return new Denied(
                "Job '" + job.key() + "' on target '" + place.name() + "' could not be asked to end: " + said.strip()
                        + ".",
                "Act as the user that started it, or let that user write below " + job.jobDirectory() + ".");
    }

    @Override
    public Optional<Listing> list(String path) throws BackendException {
        return PathListing.ask(host, place.name(), path, LOOK);
    }

    @Override
    public Diagnosis diagnose(JobHandle job) throws BackendException {
        return BoxDiagnosis.read(host.run(BoxScript.diagnose(place, job), LOOK).text(), job.mayHaveGpus());
    }

    /** What has come home is noted on the box with its checksums, once these agree: the proof that a release asks for. */
    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        Download download = new Download(host, plan, sink);
        download.copy("logs", job.jobDirectory(), List.of("main.out", "main.err"));
        Map<String, String> sums = download.copy("results", job.resultsDirectory(), plan.withStatus(), job.begunAt());
        host.run(CareScript.home(job, sums), LOOK);
        download.end();
    }

    @Override
    public void close() {
        host.close();
    }
}
