package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.CodeStore;
import io.jenkins.plugins.tao.backend.Controlled;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.LiveJobs;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.Tidying;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.checks.LeptonPreflight;
import io.jenkins.plugins.tao.backend.lepton.logs.LeptonFiles;
import io.jenkins.plugins.tao.backend.lepton.logs.LeptonLog;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonAnalysis;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonJob;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonRequest;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonState;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.PartFailures;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Code;
import io.jenkins.plugins.tao.payload.S3Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A Lepton workspace behind one kept client. */
final class LeptonBackend implements Backend, CodeStore, Controlled, LiveJobs, Paths, Tidying {
    static final String STATE = "Its state";
    static final String REPLICAS = "The list of its replicas";
    static final String CAUSE = "Why it failed";
    static final String LOG = "Its log";

    private static final int DIAGNOSIS_LINES = 500;

    private final LeptonTarget target;
    private final HttpSettings settings;
    private final LeptonApi api;
    private final PartFailures failures = new PartFailures();
    private final LeptonPoll poll;
    private final Object oneAtATime = new Object();
    private volatile Controller controller = Controller.NONE;

    LeptonBackend(LeptonTarget target, HttpSettings settings) {
        this.target = target;
        this.settings = settings;
        this.api = new LeptonApi(target, settings);
        this.poll = new LeptonPoll(target, api, failures);
    }

    @Override
    public void actFor(Controller holder) {
        controller = holder;
    }

    @Override
    public Look live() throws BackendException {
        return LeptonLive.of(target, api.alive(LeptonRequest.TARGET_LABEL, LeptonRequest.label(target.name())));
    }

    @Override
    public Report preflight(JobSpec spec) throws BackendException {
        return new Report(new LeptonPreflight(target, api, spec).run());
    }

    /** One at a time: two calls with one key must not both look before either has made the job. */
    @Override
    public JobHandle submit(JobSpec spec, JobKey key) throws BackendException {
        synchronized (oneAtATime) {
            return new LeptonSubmission(target, api, controller).first(spec, key);
        }
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes)
            throws BackendException {
        synchronized (oneAtATime) {
            return new LeptonSubmission(target, api, controller).again(previous, secrets, avoidNodes);
        }
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        return jobs.isEmpty() ? Map.of() : poll.look(jobs);
    }

    /** A log that cannot be read is a gap of its own, and a notice of its job with the next look; the others are read all the same. */
    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) {
        LeptonLog log = new LeptonLog(api);
        Map<StreamRef, Tail> tails = new LinkedHashMap<>();
        Optional<BackendException> throttled = Optional.empty();
        for (Map.Entry<StreamRef, Position> wanted : from.entrySet()) {
            StreamRef ref = wanted.getKey();
            String job = ref.job().nativeId();
            if (ref.stream() == Stream.ERR) {
                continue;
            }
            try {
                if (throttled.isPresent()) {
                    tails.put(
                            ref, Tail.missed(wanted.getValue(), throttled.get().explain()));
                } else {
                    log.read(ref.job(), ref.stream(), wanted.getValue()).ifPresent(tail -> tails.put(ref, tail));
                    failures.worked(job, LOG);
                }
            } catch (BackendException e) {
                failures.failed(job, LOG, e);
                tails.put(ref, Tail.missed(wanted.getValue(), e.explain()));
                throttled = asksToWait(e) ? Optional.of(e) : throttled;
            }
        }
        return tails;
    }

    /** Whether the service asks to slow down, so that nothing more should be asked in this round. */
    static boolean asksToWait(BackendException e) {
        return e instanceof BackendException.Unreachable unreachable
                && unreachable.retryAfter().isPresent();
    }

    /** Stops and does not delete: the record and the logs stay to be looked at. */
    @Override
    public void cancel(JobHandle job) throws BackendException {
        Optional<LeptonJob> known = api.job(job.nativeId());
        boolean over = known.map(each -> each.stopped()
                        || LeptonState.read(each).ending().isPresent()
                        || each.state().equals("Stopping")
                        || each.state().equals("Deleting"))
                .orElse(true);
        if (!over) {
            api.stop(job.nativeId());
        }
    }

    /** Looks at S3 alone: a volume is seen by jobs only. */
    @Override
    public Optional<Listing> list(String path) throws BackendException {
        return S3Paths.list(target.name(), target.s3(), path, settings.proxy(target.proxy()));
    }

    @Override
    public Delivery deliver(SourceTree tree, JobKey key) throws BackendException {
        return S3Code.required(target.name(), target.s3(), settings.proxy(target.proxy()))
                .deliver(tree);
    }

    /** Jobs leave nothing in the workspace that they own; their code lies in S3. */
    @Override
    public Tidied tidy(boolean dryRun) throws BackendException {
        Optional<S3Code> code = S3Code.of(target.s3(), settings.proxy(target.proxy()));
        return code.isPresent() ? code.get().tidy(dryRun) : new Tidied(List.of(), 0, false);
    }

    @Override
    public Diagnosis diagnose(JobHandle job) throws BackendException {
        Optional<LeptonJob> known = api.job(job.nativeId());
        if (known.isEmpty()) {
            return Diagnosis.NONE;
        }
        List<String> unread = new ArrayList<>();
        LeptonAnalysis.Evidence seen = new LeptonAnalysis.Evidence(
                known.get(),
                job.attempt(),
                orNote(unread, () -> api.replicas(job.nativeId())),
                orNote(unread, () -> api.events(job.nativeId())),
                orNote(unread, () -> new LeptonLog(api).last(job, DIAGNOSIS_LINES)));
        unread.addAll(orNote(unread, () -> servicesOwn(job)));
        return LeptonAnalysis.of(seen).tell(seen, unread);
    }

    /** One part of a diagnosis; what cannot be read is noted, and keeps nothing else back. */
    private static <T> List<T> orNote(List<String> unread, LeptonLog.OtherWay<List<T>> part) {
        try {
            return part.take();
        } catch (BackendException e) {
            unread.add("not known: " + e.explain());
            return List.of();
        }
    }

    private List<String> servicesOwn(JobHandle job) throws BackendException {
        if (target.failureAnalysis().isEmpty()) {
            return List.of();
        }
        List<String> facts = new ArrayList<>();
        api.analysis(target.failureAnalysis().get(), job.nativeId()).ifPresent(answer -> {
            facts.add("Lepton's own analysis: " + answer.path("err_class").asText("") + " "
                    + answer.path("suggestion").asText(""));
            answer.path("job_failure_by_node_event")
                    .forEach(event -> facts.add("job_failure_by_node_event: "
                            + event.path("node_event_name").asText("") + ": "
                            + event.path("message").asText("")));
        });
        return facts;
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        new LeptonFiles(target, api, settings).fetch(job, plan, sink);
    }

    @Override
    public void close() {
        api.close();
    }
}
