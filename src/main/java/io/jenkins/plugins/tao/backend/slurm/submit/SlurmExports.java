package io.jenkins.plugins.tao.backend.slurm.submit;

import io.jenkins.plugins.tao.spec.FilledJob;
import java.util.LinkedHashMap;
import java.util.Map;

/** The environment of a job's command, secrets left out. */
final class SlurmExports {
    private SlurmExports() {}

    /** Names and values in order; the user's own win over ours, except what tells the job who it is. */
    static Map<String, String> of(SlurmPlan plan) {
        Map<String, String> exports = new LinkedHashMap<>();
        exports.put("NCCL_DEBUG", "INFO");
        exports.put("LOGLEVEL", "INFO");
        exports.put("PYTHONNOUSERSITE", "1");
        exports.put("PYTHONDONTWRITEBYTECODE", "1");
        if (!plan.env().containsKey("HUGGINGFACE_HUB_CACHE")) {
            exports.put("HF_HOME", plan.layout().base() + "/.cache/huggingface");
        }
        Map<String, String> own = new LinkedHashMap<>(plan.env());
        plan.roles().ifPresent(roles -> own.putAll(roles.exports()));
        Map<String, String> all = plan.filled().env(exports, own);
        plan.code().ifPresent(path -> all.put(FilledJob.CODE_DIR, path));
        all.put("WORLD_SIZE", Integer.toString(plan.shape().nodes()));
        all.put("NUM_GPU_PER_NODE", Integer.toString(plan.shape().gpusPerNode()));
        return all;
    }
}
