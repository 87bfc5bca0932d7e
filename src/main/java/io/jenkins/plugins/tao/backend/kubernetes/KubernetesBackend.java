package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesNames.Reference;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Paths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Jobs in one cluster. The connection is made by the first call, so that a wrong credential is told there. */
final class KubernetesBackend implements Backend, Paths {
    private final KubernetesTarget target;
    private final KubernetesMemory memory = new KubernetesMemory();
    private Optional<Connected> connected = Optional.empty();

    KubernetesBackend(KubernetesTarget target) {
        this.target = target;
    }

    /** What speaks over one connection. */
    private record Connected(KubernetesApi api, ClusterAccess access, KubernetesSubmission submission) {}

    private synchronized Connected connect() throws BackendException {
        if (connected.isEmpty()) {
            ClusterAccess access = ClusterAccess.of(target);
            KubernetesApi api = KubernetesApi.of(target.name(), access);
            connected =
                    Optional.of(new Connected(api, access, new KubernetesSubmission(target, api, access.namespace())));
        }
        return connected.get();
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
    public JobHandle submit(JobSpec spec, JobKey key) throws BackendException {
        return connect().submission().submit(spec, key);
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes)
            throws BackendException {
        return connect().submission().resubmit(previous, secrets, avoidNodes);
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        Connected now = connect();
        return new KubernetesRound(now.api(), now.submission(), memory).poll(jobs);
    }

    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException {
        KubernetesApi api = connect().api();
        KubernetesLogs logs = new KubernetesLogs(api);
        Map<JobHandle, Map<Stream, Position>> byJob = new HashMap<>();
        from.forEach((ref, position) ->
                byJob.computeIfAbsent(ref.job(), job -> new HashMap<>()).put(ref.stream(), position));
        Map<String, Map<String, List<PodView>>> pods = new HashMap<>();
        Map<StreamRef, Tail> tails = new HashMap<>();
        for (Map.Entry<JobHandle, Map<Stream, Position>> each : byJob.entrySet()) {
            Reference job = Reference.of(each.getKey());
            Map<String, List<PodView>> there = pods.get(job.namespace());
            if (there == null) {
                there = KubernetesRound.byJob(api.pods(job.namespace()));
                pods.put(job.namespace(), there);
            }
            tails.putAll(logs.read(each.getKey(), there.getOrDefault(job.name(), List.of()), each.getValue()));
        }
        return tails;
    }

    /** Deletes the Job unless it has ended: an ended one is kept for its time, with its logs. */
    @Override
    public void cancel(JobHandle job) throws BackendException {
        KubernetesApi api = connect().api();
        Reference at = Reference.of(job);
        Optional<Job> there = api.job(at).filter(found -> isOf(found, job));
        if (there.isEmpty()) {
            if (memory.afterwards(job.nativeId()).isEmpty()) {
                memory.cancelled(job.nativeId());
            }
        } else if (!new JobView(there.get(), List.of(), List.of(), Optional.empty()).isOver()) {
            memory.cancelled(job.nativeId());
            api.delete(at);
        }
    }

    private static boolean isOf(Job found, JobHandle job) {
        return found.getMetadata().getAnnotations() != null
                && job.key().value().equals(found.getMetadata().getAnnotations().get(KubernetesNames.KEY));
    }

    /** Looks at S3 alone: a volume is seen by pods only. */
    @Override
    public Optional<Listing> list(String path) throws BackendException {
        return S3Paths.list(target.name(), target.s3(), path, target.http());
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
        List<PodView> pods = pods(api, at);
        JobView bare = new JobView(there.get(), pods, List.of(), api.now());
        JobView view =
                new JobView(there.get(), pods, KubernetesRound.about(bare, api.events(at.namespace())), api.now());
        return new KubernetesDiagnosis(api, new KubernetesLogs(api)).of(job, view);
    }

    private static List<PodView> pods(KubernetesApi api, Reference job) throws BackendException {
        return KubernetesRound.byJob(api.pods(job.namespace())).getOrDefault(job.name(), List.of());
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        KubernetesApi api = connect().api();
        Reference at = Reference.of(job);
        new KubernetesFetch(target, api).fetch(job, api.job(at), pods(api, at), plan, sink);
    }

    @Override
    public synchronized void close() {
        connected.ifPresent(now -> now.api().close());
        connected = Optional.empty();
    }
}
