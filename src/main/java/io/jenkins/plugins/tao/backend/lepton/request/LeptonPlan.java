package io.jenkins.plugins.tao.backend.lepton.request;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonMount;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.payload.Payload;
import java.util.List;
import java.util.Optional;

/** What one job means on one target, once it is known what the workspace has. Pure. */
public record LeptonPlan(LeptonTarget target, JobSpec spec, JobKey key, LeptonOptions options, Place place) {
    private static final String RENDEZVOUS = OwnFile.text(LeptonPlan.class, "rendezvous.sh");

    /**
     * What was found in the workspace.
     *
     * @param group the id of the node group; empty for the shared machines
     * @param shape the id of the shape
     * @param mounts the volumes
     * @param pullSecrets names of pull secrets
     */
    public record Place(Optional<String> group, String shape, List<LeptonMount> mounts, List<String> pullSecrets) {}

    /** The options of {@code spec}, which must be of this kind. */
    public static LeptonOptions options(JobSpec spec, String target) throws Rejected {
        JobOptions given = spec.options().orElseGet(() -> RecordBinder.empty(LeptonOptions.class));
        if (given instanceof LeptonOptions options) {
            return options;
        }
        throw new Rejected(
                "The job's options are for another kind of target than Lepton target '" + target + "'.",
                "Give it options of lepton, or none.");
    }

    public static Optional<String> requestedGroup(LeptonTarget target, LeptonOptions options) {
        return options.nodeGroup().or(target::nodeGroup);
    }

    public static Optional<String> requestedShape(LeptonTarget target, LeptonOptions options) {
        return options.resourceShape().or(target::resourceShape);
    }

    public static List<LeptonMount> requestedMounts(LeptonTarget target, LeptonOptions options) {
        List<String> texts = options.mounts().isEmpty() ? target.mounts() : options.mounts();
        return texts.stream().map(LeptonMount::parse).toList();
    }

    /** GPUs of each worker; one unless the job says otherwise. */
    public static int gpus(JobSpec spec) {
        return spec.resources().gpusPerNode().orElse(1);
    }

    /** The text around the command; the first volume that may be written is the one that jobs share. */
    public Payload payload() {
        Payload payload = Payload.of(spec, key)
                .mounts(place.mounts().stream().map(LeptonMount::mountPath).toList())
                .prologue(RENDEZVOUS + timeLimit());
        Optional<LeptonMount> shared =
                place.mounts().stream().filter(mount -> !mount.readOnly()).findFirst();
        Payload rooted =
                shared.map(mount -> payload.sharedRoot(mount.mountPath())).orElse(payload);
        return target.s3().map(rooted::storage).orElse(rooted);
    }

    /** Lepton has no time limit of its own, so the job keeps it itself, by a watch that ends with the job. */
    private String timeLimit() {
        return spec.resources()
                .wallTime()
                .map(time -> "( trap 'exit 0' TERM; tao_left=" + time.toSeconds()
                        + "; while [ \"$tao_left\" -gt 0 ]; do sleep 1; kill -0 $$ 2>/dev/null || exit 0;"
                        + " tao_left=$((tao_left - 1)); done; echo 'tao: the time limit of "
                        + time.toMinutes() + " minutes has passed' >&2; kill -s TERM $$ ) </dev/null &\n")
                .orElse("");
    }
}
