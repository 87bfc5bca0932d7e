package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Brings home what a workspace can give: the log and the status lines in it; files come from S3. */
final class LeptonFiles {
    private static final int MOST_PAGES = 1000;

    private final LeptonTarget target;
    private final LeptonApi api;

    LeptonFiles(LeptonTarget target, LeptonApi api) {
        this.target = target;
        this.api = api;
    }

    void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        copy(job, Stream.OUT, "logs/main.out", plan, sink);
        copy(job, Stream.STATUS, "results/status.json", plan, sink);
        if (target.s3().isEmpty()) {
            plan.globs()
                    .forEach(glob -> sink.skipped(
                            "results/" + glob,
                            "lies on the job's volume, which has no way out; give the target S3 settings"));
        }
    }

    private void copy(JobHandle job, Stream stream, String path, ArtifactPlan plan, ArtifactSink sink)
            throws BackendException {
        Position at = Position.START;
        Optional<Tail> tail = new LeptonLog(api).read(job, stream, at);
        if (tail.isEmpty()) {
            return;
        }
        try (OutputStream file = sink.open(path)) {
            for (int page = 0; page < MOST_PAGES && tail.isPresent(); page++) {
                if (tail.get().next().byteOffset() > plan.maxBytesPerFile()) {
                    sink.skipped(path, "was cut at " + at.byteOffset() + " bytes; more are not copied");
                    return;
                }
                file.write(tail.get().bytes());
                at = tail.get().next();
                tail = tail.get().more() ? new LeptonLog(api).read(job, stream, at) : Optional.empty();
            }
            if (tail.isPresent()) {
                sink.skipped(path, "was cut at " + at.byteOffset() + " bytes; more pages are not copied");
            }
        } catch (IOException e) {
            throw new Rejected(
                    "The artifact " + path + " could not be stored: " + e.getMessage() + ".",
                    "Make room or mend permissions where artifacts are stored, then fetch again.");
        }
    }
}
