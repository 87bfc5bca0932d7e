package io.jenkins.plugins.tao.backend.kubernetes.fetch;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.kubernetes.api.FetchRun;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.request.FetchPlace;
import io.jenkins.plugins.tao.backend.kubernetes.request.FetchPodRequest;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.remote.files.Download;
import io.jenkins.plugins.tao.remote.host.ExecHost;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.shell.PathListing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads a volume by a small pod of ours: programs are run in it, or, where the account may not do that, its log is what they print. What
 * is refused is an error; it never looks like a directory without files.
 */
public record VolumeFetch(KubernetesApi api, FetchRun.Terms terms) {
    private static final Duration LOOK = Duration.ofMinutes(2);
    private static final int FORBIDDEN = 403;

    /** Something to do with a volume. */
    @FunctionalInterface
    private interface Use<T> {
        T with(Host host, boolean byLog) throws BackendException;
    }

    /** Brings the files of a job that {@code plan} names. */
    void copy(JobHandle job, FetchPlace place, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        FetchRun run = new FetchRun(api, place, terms, note -> sink.skipped("a pod of the fetch", note));
        use(run, (host, byLog) -> {
            if (byLog) {
                sink.skipped(
                        "programs in pods",
                        "the account may not run them (get and create of pods/exec), so files come by logs of pods, which hold"
                                + " 6 MiB in all; what is larger stays");
            }
            ArtifactPlan fitting = byLog ? plan.within(FetchLogHost.MOST) : plan;
            Download download = new Download(host, fitting, sink);
            download.copy("results", job.resultsDirectory(), plan.globs(), begun(host, job));
            download.end();
            return job;
        });
    }

    /** Looks at a path. */
    public Optional<Paths.Listing> list(String target, FetchPlace place, String path) throws BackendException {
        FetchRun run = new FetchRun(api, place, terms, note -> {});
        return use(run, (host, byLog) -> PathListing.ask(host, target, path, LOOK));
    }

    private <T> T use(FetchRun run, Use<T> use) throws BackendException {
        if (!run.mayExec()) {
            return use.with(new FetchLogHost(run), true);
        }
        Reference pod = run.start(FetchPodRequest.waiting());
        try {
            run.await(pod, PodView::isRunning);
            Host host = new ExecHost(
                    "pod " + pod + " (" + run.name() + ")", (words, input, err) -> run.exec(pod, words, input, err));
            if (mayRun(host)) {
                return use.with(host, false);
            }
        } finally {
            run.end(pod);
        }
        return use.with(new FetchLogHost(run), true);
    }

    /** Whether programs may be run there: a review of permissions does not know of admission. */
    private static boolean mayRun(Host host) throws BackendException {
        try {
            host.run("exit 0\n", LOOK);
            return true;
        } catch (Denied e) {
            if (e.getCause() instanceof KubernetesClientException cause && cause.getCode() == FORBIDDEN) {
                return false;
            }
            throw e;
        }
    }

    /** When the job came to a directory that the user named, by the volume's clock: what is older is another job's. */
    private static Instant begun(Host host, JobHandle job) throws BackendException {
        String note = quote(job.resultsDirectory() + "/.tao/began");
        List<String> said = host.run(
                        "[ ! -f " + note + " ] || { cat " + note + "; stat -c %Z -- " + note + "; }\n", LOOK)
                .text()
                .lines()
                .toList();
        boolean ours = said.size() == 2
                && said.get(0).equals(job.key().value())
                && said.get(1).matches("\\d{1,18}");
        return ours ? Instant.ofEpochSecond(Long.parseLong(said.get(1))) : Instant.MIN;
    }
}
