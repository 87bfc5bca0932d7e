package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Attributing;
import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.CodeStore;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Deadlines;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Leasing;
import io.jenkins.plugins.tao.backend.LiveJobs;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.Tidying;
import io.jenkins.plugins.tao.backend.kubernetes.access.ClusterAccess;
import io.jenkins.plugins.tao.backend.kubernetes.api.FetchRun;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.fetch.KubernetesFetch;
import io.jenkins.plugins.tao.backend.kubernetes.fetch.VolumeFetch;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.VolumeMount;
import io.jenkins.plugins.tao.backend.kubernetes.request.FetchPlace;
import io.jenkins.plugins.tao.backend.kubernetes.status.DeadlineReply;
import io.jenkins.plugins.tao.backend.kubernetes.status.KubernetesDiagnosis;
import io.jenkins.plugins.tao.backend.kubernetes.status.KubernetesLogs;
import io.jenkins.plugins.tao.backend.kubernetes.status.KubernetesReading;
import io.jenkins.plugins.tao.backend.kubernetes.status.KubernetesRound;
import io.jenkins.plugins.tao.backend.kubernetes.view.Answer;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.KubernetesMemory;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Code;
import io.jenkins.plugins.tao.payload.S3Paths;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Jobs in one cluster. The connection is made by the first call, so that a wrong credential is told there. */
public final class KubernetesBackend
        implements Attributing, Avoiding, CodeStore, Deadlines, Leasing, LiveJobs, Paths, Tidying {
    /** Five minutes. */
    private static final int LOOKS = 300;

    private final KubernetesTarget target;
    private final int looks;
    private final FetchRun.Pause pause;
    private final AtomicLong fetchPods = new AtomicLong();
    private final KubernetesMemory memory = new KubernetesMemory();
    private Optional<Connected> connected = Optional.empty();
    private volatile Controller controller = Controller.NONE;
    private volatile KubernetesLeases leases = new KubernetesLeases(Controller.NONE);

    KubernetesBackend(KubernetesTarget target) {
        this(target, LOOKS, KubernetesBackend::second);
    }

    /** The same where a pod that reads a volume must run within so many {@code looks}. */
    public KubernetesBackend(KubernetesTarget target, int looks, FetchRun.Pause pause) {
        this.target = target;
        this.looks = looks;
        this.pause = pause;
    }

    private static boolean second() {
        try {
            return !new CountDownLatch(1).await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What speaks over one connection. */
    private record Connected(KubernetesApi api, ClusterAccess access, KubernetesSubmission submission) {}

    private synchronized Connected connect() throws BackendException {
        if (connected.map(now -> now.access().isOutdated()).orElse(false)) {
            close();
        }
        if (connected.isEmpty()) {
            ClusterAccess access = ClusterAccess.of(target);
            KubernetesApi api = KubernetesApi.of(target.name(), access);
            connected = Optional.of(
                    new Connected(api, access, new KubernetesSubmission(target, api, access.namespace(), controller)));
        }
        return connected.get();
    }

    @Override
    public void actFor(Controller holder) {
        controller = holder;
        leases = new KubernetesLeases(holder);
    }

    @Override
    public Look live() throws BackendException {
        return new KubernetesLive(target, connect().api()).look(namespace());
    }

    private String namespace() throws BackendException {
        return target.namespace().or(connect().access()::namespace).orElse("default");
    }

    @Override
    public Report preflight(JobSpec spec) throws BackendException {
        ClusterAccess access;
        try {
            access = connect().access();
        } catch (BackendException.Denied e) {
            return new Report(List.of(Report.Check.failed("credential", String.valueOf(e.getMessage()), e.remedy())));
        }
        return new KubernetesPreflight(target, connect().api(), access).report(spec);
    }

    @Override
    public JobHandle submit(JobSpec spec, JobKey key, Set<String> avoidNodes) throws BackendException {
        Connected now = connect();
        JobHandle job = now.submission().submit(spec, key, avoidNodes);
        renew(now.api(), Set.of(job));
        return job;
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes)
            throws BackendException {
        Connected now = connect();
        Optional<Job> last = now.api().job(Reference.of(previous));
        if (last.isPresent()) {
            leases.check(now.api(), previous, last.get());
        }
        return now.submission().resubmit(previous, last, secrets, avoidNodes);
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        KubernetesApi api = connect().api();
        Map<JobHandle, JobStatus> found = new KubernetesRound(api, memory).poll(jobs);
        renew(api, jobs);
        found.replaceAll((job, status) -> memory.looked(job)
                .map(view -> leases.annotated(job, view.job(), api.now(), status))
                .orElse(status));
        return found;
    }

    /** Whoever is nobody holds nothing, and asks who does only before changing a Job. */
    private void renew(KubernetesApi api, Set<JobHandle> jobs) {
        if (!controller.id().isEmpty()) {
            jobs.stream()
                    .map(job -> Reference.of(job).namespace())
                    .distinct()
                    .forEach(namespace -> leases.renew(api, namespace));
        }
    }

    @Override
    public void takeOver(JobHandle job) throws BackendException {
        leases.takeOver(connect().api(), job);
    }

    @Override
    public void willKeep(Set<JobHandle> watched) {
        watched.forEach(job -> memory.keepsDeadlines(job.nativeId()));
    }

    @Override
    public void endOverdue(Set<JobHandle> watched) {
        for (JobHandle job : watched) {
            Optional<JobView> looked = memory.looked(job).filter(view -> leases.leavesUs(view.job(), view.now()));
            boolean read = memory.isLogRead(job.nativeId());
            boolean over = looked.flatMap(view -> Overdue.course(view, read)).isPresent();
            if (over || looked.flatMap(DeadlineReply::overdue).isPresent()) {
                try {
                    Connected now = connect();
                    Overdue overdue = new Overdue(now.api(), now.submission());
                    if (over) {
                        overdue.finish(job, read);
                    } else {
                        overdue.end(job);
                    }
                } catch (BackendException e) {
                    memory.notEnded(job.nativeId(), "it is past a deadline and could not be ended. " + e.explain());
                }
            }
        }
    }

    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException {
        return new KubernetesReading(connect().api(), memory).read(from);
    }

    /** Deletes the Job unless it has ended: an ended one is kept for its time, with its logs. */
    @Override
    public void cancel(JobHandle job, String by) throws BackendException {
        KubernetesApi api = connect().api();
        Reference at = Reference.of(job);
        Optional<Job> there = api.job(at).filter(found -> KubernetesNames.isOf(found, job));
        if (there.isEmpty()) {
            if (memory.afterwards(job.nativeId()).isEmpty()) {
                memory.cancelled(job.nativeId());
            }
        } else if (!JobView.of(there.get()).isOver()) {
            leases.check(api, job, there.get());
            memory.cancelled(job.nativeId());
            if (!by.isEmpty()
                    && JobView.of(there.get()).note(KubernetesNames.CANCELLED).isEmpty()) {
                note(api, at, by);
            }
            api.delete(at);
        }
    }

    /** Before the Job is deleted, for afterwards nothing of it is left that could tell. */
    private static void note(KubernetesApi api, Reference job, String by) throws BackendException {
        try {
            api.annotate(job, KubernetesNames.CANCELLED, by);
        } catch (BackendException.Rejected | BackendException.Denied e) {
            // an account that may delete Jobs and not change them ends them all the same
        }
    }

    /** Looks at S3, or at a volume of the target: that is seen by pods only, so a small one looks at it. */
    @Override
    public Optional<Listing> list(String path) throws BackendException {
        boolean held = target.volumes().stream()
                .map(VolumeMount::parse)
                .anyMatch(volume -> volume.holds(path) && volume.outlives());
        if (held) {
            FetchPlace place = FetchPlace.of(target, namespace(), "", path)
                    .orElseThrow(() -> new BackendException.Rejected(
                            "What lies on the volumes of target '" + target.name()
                                    + "' is seen by its pods alone, and it names no image for one that looks at " + path
                                    + ".",
                            "Give the target a fetchImage, with sh, find, tar and sha256sum: busybox will do."));
            return volumes(connect().api()).list(target.name(), place, path);
        }
        return S3Paths.list(target.name(), target.s3(), path, target.http());
    }

    @Override
    public Delivery deliver(SourceTree tree, JobKey key) throws BackendException {
        return S3Code.required(target.name(), target.s3(), target.http()).deliver(tree);
    }

    @Override
    public Tidied tidy(boolean dryRun) throws BackendException {
        Tidied jobs = new Unfinished(connect().api()).tidy(namespace(), dryRun);
        Optional<S3Code> code = S3Code.of(target.s3(), target.http());
        return code.isPresent() ? jobs.and(code.get().tidy(dryRun)) : jobs;
    }

    @Override
    public Diagnosis diagnose(JobHandle job) throws BackendException {
        KubernetesApi api = connect().api();
        Reference at = Reference.of(job);
        Optional<Job> there = api.job(at);
        if (there.isEmpty()) {
            return new Diagnosis(
                    "The Job '" + at + "' is not in the cluster any more.",
                    "It was deleted, or its time after the end has run out; a longer ttl keeps it.",
                    List.of());
        }
        JobView bare = view(api, there.get());
        JobView view =
                bare.with(api.lists().events(at.namespace(), bare.subjects()).orNone());
        return new KubernetesDiagnosis(api, new KubernetesLogs(api.podLogs())).of(job, view);
    }

    /** The Job with its pods as they are stored. */
    static JobView view(KubernetesApi api, Job job) {
        Answer<PodView> pods = api.lists()
                .podsNow(Reference.of(job))
                .map(all -> all.stream().map(PodView::new).toList());
        return new JobView(job, pods, List.of(), api.now());
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        KubernetesApi api = connect().api();
        Reference at = Reference.of(job);
        Optional<JobView> there = api.job(at).map(found -> view(api, found));
        new KubernetesFetch(target, api, volumes(api), at.namespace()).fetch(job, there, plan, sink);
    }

    private VolumeFetch volumes(KubernetesApi api) {
        return new VolumeFetch(api, new FetchRun.Terms(controller.id(), looks, pause, fetchPods));
    }

    @Override
    public synchronized void close() {
        connected.ifPresent(now -> now.api().close());
        connected = Optional.empty();
    }
}
