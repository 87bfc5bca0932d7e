package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.SpecFormat;

/** Where things of a job lie below the base directory on the shared filesystem: the one place that knows. */
record SlurmLayout(String base) {
    static SlurmLayout of(JobHandle job) {
        return new SlurmLayout(job.jobDirectory());
    }

    static String jobName(JobKey key) {
        return "tao-job-" + key;
    }

    String script(JobKey key) {
        return base + "/sbatch/job_" + key + ".sbatch";
    }

    /** The script of the job that converts the image. */
    String conversion(JobKey key) {
        return base + "/sbatch/import_" + key + ".sbatch";
    }

    /** What the job that converts an image writes. */
    String conversionLog(String id) {
        return logRoot() + "/sqsh-" + id + ".log";
    }

    String spec(JobKey key) {
        return base + "/specs/" + key + ".json";
    }

    /** What the command reads, in the format it wants; for JSON that is {@link #spec}. */
    String config(JobKey key, SpecFormat format) {
        return base + "/specs/" + key + "." + format.extension();
    }

    String env(JobKey key) {
        return base + "/env/" + key + ".json";
    }

    String meta(JobKey key) {
        return base + "/meta/" + key + ".json";
    }

    /** One file for each attempt, so that tidying up after one never takes the next one's. */
    String secrets(JobKey key, int attempt) {
        return base + "/secrets/" + key + "." + attempt + ".env";
    }

    /**
     * What the job's frame notes of its run: {@code run=0 start=… end=… code=… by=…}. Each member of an array has its own;
     * the one of the whole only names the conversion of its image.
     */
    String record(JobHandle job) {
        return base + "/exit/" + job.key() + "-" + ArrayId.whole(job);
    }

    /** Before the id of an array, in the names of what its members note, whatever the attempt. */
    String records(JobKey key) {
        return base + "/exit/" + key + "-";
    }

    /** The spec of one member of an array, written when it starts. */
    String memberConfig(JobKey key, String member, SpecFormat format) {
        return base + "/specs/" + key + ".members/" + member + "." + format.extension();
    }

    /** Exists when somebody wants the job gone: the frame then starts it no more. */
    String cancelMark(JobKey key) {
        return base + "/submit/" + key + ".cancel";
    }

    /** Which controller holds the job. */
    String lease(JobKey key) {
        return base + "/leases/" + key;
    }

    /** Where code lies, a directory for each content. */
    String codeRoot() {
        return base + "/code";
    }

    /** The code of a job. */
    String code(CodeId id) {
        return codeRoot() + "/" + id;
    }

    String logPattern(boolean array, String suffix) {
        return base + "/slurm-logs/%x-" + (array ? "%A_%a." : "%j.") + suffix;
    }

    String logRoot() {
        return base + "/slurm-logs";
    }

    /** Where {@code main.out} and {@code main.err} lie once the job has started; of an array, the directories of its members. */
    String logDirectory(JobHandle job) {
        return logRoot() + "/" + jobName(job.key()) + "-" + ArrayId.whole(job);
    }

    /** The file Slurm itself writes: a directory named by an id cannot be there before the id is known. */
    String logFile(JobHandle job, String suffix) {
        return jobName(job.key()) + "-" + job.nativeId() + "." + suffix;
    }

    String log(JobHandle job, String suffix) {
        return logRoot() + "/" + logFile(job, suffix);
    }

    /** A base that ends in {@code /results} is not doubled. */
    String resultsRoot() {
        return base.endsWith("/results") ? base : base + "/results";
    }

    String results(JobKey key) {
        return resultsRoot() + "/" + key;
    }
}
