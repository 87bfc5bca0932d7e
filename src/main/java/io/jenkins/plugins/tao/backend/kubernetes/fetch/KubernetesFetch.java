package io.jenkins.plugins.tao.backend.kubernetes.fetch;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.VolumeMount;
import io.jenkins.plugins.tao.backend.kubernetes.request.FetchPlace;
import io.jenkins.plugins.tao.backend.kubernetes.status.KubernetesLogs;
import io.jenkins.plugins.tao.backend.kubernetes.view.Answer;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.LateStream;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.payload.S3Address;
import io.jenkins.plugins.tao.payload.S3Fetch;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Brings home what a job left: its log and status out of its pods, its files out of S3 or off its volume. One job each. */
public final class KubernetesFetch {
    private static final String LOG = "logs/main.out";
    private static final String STATUS = "results/status.json";

    /** A command that writes much writes its first line within this time. */
    private static final Duration SILENT = Duration.ofMinutes(1);

    private static final String FOLLOWED = "; what was followed while it ran is in followed.log";

    private final KubernetesTarget target;
    private final KubernetesLogs logs;
    private final VolumeFetch volumes;
    private final String namespace;
    private final List<String> failures = new ArrayList<>();

    /** Brings one job home; {@code namespace} is where a pod is made when the Job is gone. */
    public KubernetesFetch(KubernetesTarget target, KubernetesApi api, VolumeFetch volumes, String namespace) {
        this.target = target;
        this.volumes = volumes;
        this.namespace = namespace;
        logs = new KubernetesLogs(api.podLogs());
    }

    /**
     * Brings what is there.
     *
     * @param there the Job; empty when it is gone, with its pods
     * @throws Unreachable at the end, if a log that may be there did not come
     */
    public void fetch(JobHandle job, Optional<JobView> there, ArtifactPlan plan, ArtifactSink sink)
            throws BackendException {
        try {
            logs(job, there, sink);
        } catch (IOException e) {
            failed(LOG, "it broke off: " + e.getMessage(), sink);
        }
        Optional<S3Settings> storage = target.s3();
        Optional<S3Address> address = address(job, there.map(JobView::job));
        if (storage.isPresent() && address.isPresent()) {
            new S3Fetch(storage.get(), target.http()).copy(address.get(), job.key(), ofMembers(job, plan), sink);
        } else if (!plan.globs().isEmpty()) {
            fromVolume(job, there.map(JobView::job), plan, sink);
        }
        if (!failures.isEmpty()) {
            throw new Unreachable(
                    "Logs of job '" + job.key() + "' could not be fetched: " + String.join("; ", failures) + ".",
                    "Fetch again: they stay with the pods until the Job's ttl is over.");
        }
    }

    private void failed(String name, String why, ArtifactSink sink) {
        sink.skipped(name, why + FOLLOWED);
        failures.add(name + ": " + why);
    }

    private void fromVolume(JobHandle job, Optional<Job> there, ArtifactPlan plan, ArtifactSink sink)
            throws BackendException {
        boolean wanted = plan.fromVolume() || chosen(there);
        Optional<FetchPlace> place = there.isPresent()
                ? FetchPlace.of(there.get(), job.resultsDirectory(), target)
                : FetchPlace.of(target, namespace, job.key().value(), job.resultsDirectory());
        if (!wanted || place.isEmpty()) {
            skipAll(plan, sink, wanted ? unreadable(job, there) : whyNot(job));
            return;
        }
        try {
            volumes.copy(job, place.get(), ofMembers(job, plan), sink);
        } catch (BackendException e) {
            skipAll(plan, sink, "it stays on the volume, below " + job.resultsDirectory() + ". " + e.explain());
            throw e;
        }
    }

    private boolean chosen(Optional<Job> there) {
        return there.flatMap(found ->
                        Optional.ofNullable(found.getMetadata().getAnnotations().get(KubernetesNames.FROM_VOLUME)))
                .map(Boolean::parseBoolean)
                .or(target::fetchFromVolume)
                .orElse(false);
    }

    private static void skipAll(ArtifactPlan plan, ArtifactSink sink, String why) {
        plan.globs().forEach(glob -> sink.skipped("results/" + glob, why));
    }

    private String unreadable(JobHandle job, Optional<Job> there) {
        return there.isEmpty() && target.fetchImage().isEmpty()
                ? "the Job is gone, and its image is not known any more: name a fetchImage on the target, whose volumes must hold "
                        + job.resultsDirectory()
                : "no volume that outlives the pods holds " + job.resultsDirectory();
    }

    /** As the Job notes it; when that is gone, where results go by themselves. */
    private Optional<S3Address> address(JobHandle job, Optional<Job> there) throws Rejected {
        Optional<String> noted = there.flatMap(found ->
                Optional.ofNullable(found.getMetadata().getAnnotations().get(KubernetesNames.ADDRESS)));
        Optional<String> usual = target.s3()
                .flatMap(S3Settings::bucket)
                .filter(bucket -> there.isEmpty())
                .map(bucket -> "s3://" + bucket + "/results/" + job.key());
        Optional<String> text = noted.or(() -> usual);
        return text.isPresent() ? Optional.of(S3Address.parse(text.get())) : Optional.empty();
    }

    private void logs(JobHandle job, Optional<JobView> there, ArtifactSink sink) throws IOException {
        List<PodView> pods = there.map(JobView::pods).orElse(List.of());
        if (there.isPresent() && there.get().listed().gap().isPresent()) {
            String why = "its pods are not known: " + there.get().podsGap();
            if (there.get().listed() instanceof Answer.Refused<PodView>) {
                sink.skipped(LOG, why + FOLLOWED);
            } else {
                failed(LOG, why, sink);
            }
            return;
        }
        if (pods.isEmpty()) {
            sink.skipped(LOG, "the pods of the Job are gone, and their logs with them" + FOLLOWED);
            return;
        }
        if (there.orElseThrow().members().isPresent()) {
            members(job, there.get(), sink);
            return;
        }
        ByteArrayOutputStream status = new ByteArrayOutputStream();
        copyAll(job, pods, status, sink, "");
        missing(there.orElseThrow(), sink);
        keep(STATUS, status, sink);
    }

    private static void keep(String name, ByteArrayOutputStream status, ArtifactSink sink) throws IOException {
        if (status.size() > 0) {
            try (ArtifactFile file = sink.open(name)) {
                status.writeTo(file.content());
                file.keep();
            }
        }
    }

    /** Each in a folder that is called after its index, as its results are. */
    private void members(JobHandle job, JobView view, ArtifactSink sink) throws IOException {
        List<Integer> indices = view.members().orElseThrow().list();
        for (int number = 0; number < indices.size(); number++) {
            int rank = number;
            List<PodView> own =
                    view.pods().stream().filter(pod -> pod.rank() == rank).toList();
            String folder = indices.get(number) + "/";
            if (own.isEmpty()) {
                sink.skipped("logs/" + folder + "main.out", "the member has no pod" + FOLLOWED);
                continue;
            }
            ByteArrayOutputStream status = new ByteArrayOutputStream();
            copyAll(job, own, status, sink, folder);
            keep("results/" + folder + "status.json", status, sink);
        }
    }

    /** What is asked for of each member lies in the directory of each. */
    private static ArtifactPlan ofMembers(JobHandle job, ArtifactPlan plan) {
        if (KubernetesNames.members(job).isEmpty()) {
            return plan;
        }
        Stream<String> globs =
                Stream.concat(io.jenkins.plugins.tao.backend.Stream.STATUS_FILES.stream(), plan.globs().stream());
        return plan.withGlobs(globs.map(glob -> "*/" + glob).distinct().toList());
    }

    /** The file is opened by the first log there is: none is better than an empty one that looks like all there was. */
    private void copyAll(JobHandle job, List<PodView> pods, OutputStream status, ArtifactSink sink, String folder)
            throws IOException {
        try (LateStream out = new LateStream(() -> sink.open("logs/" + folder + "main.out"))) {
            for (PodView pod : pods) {
                KubernetesLogs.Copied copied = logs.copy(job, pods, pod, out, status);
                if (copied.unknown()) {
                    failed("logs/" + pod.name(), copied.why().orElse("no answer"), sink);
                } else if (copied.why().isPresent()) {
                    sink.skipped("logs/" + pod.name(), copied.why().get() + FOLLOWED);
                }
                copied.begins()
                        .filter(at -> pod.startedAt()
                                .filter(start -> start.plus(SILENT).isBefore(at))
                                .isPresent())
                        .ifPresent(at -> sink.skipped(
                                ArtifactSink.FRONT + "logs/" + pod.name(),
                                "the log that its node still has begins at " + at + ", and the command at "
                                        + pod.startedAt().orElseThrow() + ": nodes put the older part of a long log"
                                        + " away, and the lines of status.json with it" + FOLLOWED));
            }
            out.keep();
        }
    }

    /** The Job's controller deletes the pods that run on when one of them fails, or its time is over. */
    private static void missing(JobView view, ArtifactSink sink) {
        Set<Integer> there = view.pods().stream().map(PodView::rank).collect(Collectors.toSet());
        for (int rank = 0; view.isGang() && rank < view.expectedPods(); rank++) {
            if (!there.contains(rank)) {
                sink.skipped("logs of rank " + rank, "its pod is gone, and its log with it" + FOLLOWED);
            }
        }
    }

    private String whyNot(JobHandle job) {
        boolean kept = target.volumes().stream()
                .map(VolumeMount::parse)
                .anyMatch(volume -> volume.holds(job.resultsDirectory()));
        return kept
                ? "it stays on the volume, below " + job.resultsDirectory()
                        + "; fetchFromVolume of job or target, or 'tao wait --from-volume', fetches it with a small pod"
                : "it was not kept: " + job.resultsDirectory()
                        + " went with the container unless the job mounted a volume"
                        + " there; to have files fetched, give the target S3";
    }
}
