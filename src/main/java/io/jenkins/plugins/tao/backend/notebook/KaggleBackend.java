package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.LiveJobs;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.http.PartFailures;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Jobs as commits of notebooks of one Kaggle account. */
final class KaggleBackend implements Backend, LiveJobs {
    private final KaggleTarget target;
    private final KaggleApi api;
    private final KaggleSubmission submission;
    private final KagglePoll polls;
    private final PartFailures failures = new PartFailures();

    KaggleBackend(KaggleTarget target, KaggleApi api) {
        this.target = target;
        this.api = api;
        this.submission = new KaggleSubmission(target, api);
        this.polls = new KagglePoll(api, failures);
    }

    @Override
    public Report preflight(JobSpec spec) throws BackendException {
        return new KagglePreflight(target, api).report(spec);
    }

    @Override
    public JobHandle submit(JobSpec spec, JobKey key) throws BackendException {
        return submission.first(spec, key);
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes)
            throws BackendException {
        if (!secrets.isEmpty()) {
            throw new Rejected(
                    "Secrets cannot be handed to a notebook of target '" + target.name() + "'.",
                    "Put them into a private data set and name it as secretsDataset.");
        }
        return submission.next(previous);
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        return polls.poll(jobs);
    }

    @Override
    public Look live() throws BackendException {
        return new KaggleLive(api, submission).look();
    }

    /** A log that cannot be read is a gap of its own, and a notice of its job with the next look; the others are read all the same. */
    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) {
        Map<JobHandle, Reading> logs = new LinkedHashMap<>();
        Map<StreamRef, Tail> tails = new LinkedHashMap<>();
        from.forEach((ref, at) -> logs.computeIfAbsent(ref.job(), this::log)
                .tail(ref.stream(), at)
                .ifPresent(tail -> tails.put(ref, tail)));
        return tails;
    }

    /** What came of asking for a log. */
    private record Reading(Optional<KaggleLog> log, Optional<String> gap) {
        Optional<Tail> tail(Stream stream, Position at) {
            return gap.map(why -> Tail.missed(at, why)).or(() -> log.flatMap(read -> read.tail(stream, at)));
        }
    }

    private Reading log(JobHandle job) {
        try {
            Optional<KaggleLog> log = api.log(job);
            failures.worked(job.nativeId(), KagglePoll.LOG);
            return new Reading(log, Optional.empty());
        } catch (BackendException e) {
            failures.failed(job.nativeId(), KagglePoll.LOG, e);
            return new Reading(Optional.empty(), Optional.of(e.explain()));
        }
    }

    /**
     * Kaggle's call that ends a run takes the number of its session, which no answer of Kaggle tells today: deleting the
     * notebook ends it too, which a job must have allowed.
     */
    @Override
    public void cancel(JobHandle job) throws BackendException {
        Optional<JsonNode> status = api.status(job.nativeId());
        if (status.isEmpty()) {
            api.proveCredential();
            polls.left(job, "GONE", "the notebook is not there any more");
            return;
        }
        if (KaggleReply.over(KaggleReply.word(status.get())) || polls.isOver(job)) {
            return;
        }
        Optional<NotebookRun> run = submission.find(job.nativeId()).run();
        boolean ours = run.filter(found -> found.key().equals(job.key())).isPresent();
        OptionalLong session = KaggleReply.session(status.get());
        if (ours && session.isPresent()) {
            api.cancelSession(session.getAsLong());
            return;
        }
        if (ours && run.get().deletedOnCancel()) {
            api.delete(job.nativeId());
        }
        if (ours && run.get().deletedOnCancel() && api.status(job.nativeId()).isEmpty()) {
            polls.left(job, "DELETED", "the notebook was deleted, which ended its run");
        } else {
            polls.left(job, "LEFT", stillRuns(job));
        }
    }

    private String stillRuns(JobHandle job) {
        return "the notebook still runs and uses quota until its session ends, because Kaggle does not report the"
                + " session number that its call to end a run wants, and deletion was not allowed (onCancel) or refused:"
                + " stop it at " + address(job);
    }

    private String address(JobHandle job) {
        return "https://www.kaggle.com/code/" + target.username() + "/" + job.nativeId();
    }

    @Override
    public Diagnosis diagnose(JobHandle job) throws BackendException {
        return KaggleDiagnosis.of(api.status(job.nativeId()), api.log(job), address(job));
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        new KaggleDownload(api, plan, sink).copy(job);
    }

    @Override
    public void close() {
        api.close();
    }
}
