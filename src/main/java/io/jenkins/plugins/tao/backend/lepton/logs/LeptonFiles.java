package io.jenkins.plugins.tao.backend.lepton.logs;

import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonJob;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.payload.S3Address;
import io.jenkins.plugins.tao.payload.S3Fetch;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Brings home the log and the status lines in it from the workspace, and files from S3. */
public record LeptonFiles(LeptonTarget target, LeptonApi api, HttpSettings settings) {
    private static final int MOST_PAGES = 1000;
    private static final String STATUS = "results/status.json";

    /**
     * What cannot be brought home is reported to the sink, and keeps nothing else back.
     *
     * @throws Unreadable at the end, if something that is there did not come, or came in part only; that is not kept
     */
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        List<String> failures = new ArrayList<>();
        orSkip("logs/main.out", sink, failures, () -> copy(job, Stream.OUT, "logs/main.out", plan, sink));
        if (!results(job, plan, sink, failures)) {
            orSkip(STATUS, sink, failures, () -> copy(job, Stream.STATUS, STATUS, plan, sink));
        }
        if (!failures.isEmpty()) {
            throw new Unreadable(
                    "Some files from Lepton were not fetched completely and were discarded",
                    String.join("; ", failures),
                    "Fetch again; they stay where they are.");
        }
    }

    /** Whether the status file came with them. */
    private boolean results(JobHandle job, ArtifactPlan plan, ArtifactSink sink, List<String> failures) {
        if (target.s3().isEmpty()) {
            skipAll(plan, sink, "lies on the job's volume, which has no way out; give the target S3 settings");
            return false;
        }
        S3Fetch fetch = new S3Fetch(target.s3().get(), settings.proxy(target.proxy()));
        try {
            Optional<S3Address> address = address(job);
            if (address.isPresent()) {
                fetch.copy(address.get(), job.key(), plan, sink);
            } else {
                skipAll(plan, sink, "was not sent to S3: name a bucket in the target's S3 settings, or an output");
            }
        } catch (BackendException e) {
            skipAll(plan, sink, "did not come from S3: " + e.explain());
            failures.add("results: " + e.getMessage());
        }
        return fetch.has(STATUS);
    }

    private static void skipAll(ArtifactPlan plan, ArtifactSink sink, String why) {
        plan.globs().forEach(glob -> sink.skipped("results/" + glob, why));
    }

    /** As the job's record has it; when that is gone, where results go by themselves. */
    private Optional<S3Address> address(JobHandle job) throws BackendException {
        Optional<LeptonJob> known = api.job(job.nativeId());
        if (known.isPresent()) {
            return known.get().variable(LeptonRequest.RESULTS_ADDRESS).map(S3Address::parse);
        }
        return target.s3().flatMap(S3Settings::bucket).map(bucket -> new S3Address(bucket, "results/" + job.key()));
    }

    /** Something that brings one file. */
    @FunctionalInterface
    private interface Copy {
        void make() throws BackendException;
    }

    private static void orSkip(String path, ArtifactSink sink, List<String> failures, Copy copy) {
        try {
            copy.make();
        } catch (BackendException e) {
            sink.skipped(path, "could not be read: " + e.explain());
            failures.add(path + ": " + e.getMessage());
        }
    }

    private void copy(JobHandle job, Stream stream, String path, ArtifactPlan plan, ArtifactSink sink)
            throws BackendException {
        Position at = Position.START;
        Optional<Tail> tail = new LeptonLog(api).read(job, stream, at);
        if (tail.isEmpty()) {
            return;
        }
        try (ArtifactFile file = sink.open(path)) {
            for (int page = 0; page < MOST_PAGES && tail.isPresent(); page++) {
                if (tail.get().next().byteOffset() > plan.maxBytesPerFile()) {
                    sink.skipped(
                            path,
                            "is longer than the limit of " + plan.maxBytesPerFile()
                                    + " bytes a file; it stays in the workspace");
                    return;
                }
                file.content().write(tail.get().bytes());
                at = tail.get().next();
                tail = tail.get().more() ? new LeptonLog(api).read(job, stream, at) : Optional.empty();
            }
            if (tail.isPresent()) {
                sink.skipped(
                        path,
                        "is longer than the " + at.byteOffset()
                                + " bytes that could be read; it stays in the workspace");
            } else {
                file.keep();
            }
        } catch (IOException e) {
            throw ArtifactSink.notStored(path, e);
        }
    }
}
