package io.jenkins.plugins.tao.backend.slurm.networks;

import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.spec.StrayPaths;
import java.util.ArrayList;
import java.util.List;

/** Where a job says that it writes to a node's own disk, which is emptied when the job ends. */
public final class ScratchPaths {
    private static final String WRITTEN = "(?is).*(checkpoint|ckpt|result|output|save|export)[^.]*";

    private ScratchPaths() {}

    /** Each as {@code train.checkpoint_dir (/tmp/ckpt)}; keys of the spec and names of variables tell what is written. */
    public static List<String> of(JobSpec job) {
        List<String> found = new ArrayList<>();
        StrayPaths.each(job, (place, text) -> {
            if (place.matches(WRITTEN) && SlurmPaths.isNodeLocal(text)) {
                found.add(place + " (" + text + ")");
            }
        });
        return found;
    }
}
