package io.jenkins.plugins.tao.backend.slurm.options;

import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.SpecFormat;

/** Where things of a job lie below the base directory on the shared filesystem: the one place that knows. */
public record SlurmLayout(String base) {
    public static SlurmLayout of(JobHandle job) {
        return new SlurmLayout(job.jobDirectory());
    }

    public static String jobName(JobKey key) {
        return "tao-job-" + key;
    }

    public String script(JobKey key) {
        return base + "/sbatch/job_" + key + ".sbatch";
    }

    /** The script of the job that converts the image. */
    public String conversion(JobKey key) {
        return base + "/sbatch/import_" + key + ".sbatch";
    }

    /** What the job that converts an image writes. */
    public String conversionLog(String id) {
        return logRoot() + "/sqsh-" + id + ".log";
    }

    public String spec(JobKey key) {
        return base + "/specs/" + key + ".json";
    }

    /** What the command reads, in the format it wants; for JSON that is {@link #spec}. */
    public String config(JobKey key, SpecFormat format) {
        return base + "/specs/" + key + "." + format.extension();
    }

    public String env(JobKey key) {
        return base + "/env/" + key + ".json";
    }

    public String meta(JobKey key) {
        return base + "/meta/" + key + ".json";
    }

    /** One file for each attempt, so that tidying up after one never takes the next one's. */
    public String secrets(JobKey key, int attempt) {
        return base + "/secrets/" + key + "." + attempt + ".env";
    }

    /**
     * What the job's frame notes of its run: {@code run=0 start=… end=… code=… by=…}. Each member of an array has its own;
     * the one of the whole only names the conversion of its image.
     */
    public String record(JobHandle job) {
        return base + "/exit/" + job.key() + "-" + ArrayId.whole(job);
    }

    /** Before the id of an array, in the names of what its members note, whatever the attempt. */
    public String records(JobKey key) {
        return base + "/exit/" + key + "-";
    }

    /** The spec of one member of an array, written when it starts. */
    public String memberConfig(JobKey key, String member, SpecFormat format) {
        return base + "/specs/" + key + ".members/" + member + "." + format.extension();
    }

    /** Exists when somebody wants the job gone: the frame then starts it no more. */
    public String cancelMark(JobKey key) {
        return base + "/submit/" + key + ".cancel";
    }

    /** Which controller holds the job. */
    public String lease(JobKey key) {
        return base + "/leases/" + key;
    }

    /** Where code lies, a directory for each content. */
    public String codeRoot() {
        return base + "/code";
    }

    /** The code of a job. */
    public String code(CodeId id) {
        return codeRoot() + "/" + id;
    }

    public String logPattern(boolean array, String suffix) {
        return base + "/slurm-logs/%x-" + (array ? "%A_%a." : "%j.") + suffix;
    }

    public String logRoot() {
        return base + "/slurm-logs";
    }

    /** Where {@code main.out} and {@code main.err} lie once the job has started; of an array, the directories of its members. */
    public String logDirectory(JobHandle job) {
        return logRoot() + "/" + jobName(job.key()) + "-" + ArrayId.whole(job);
    }

    /** The file Slurm itself writes: a directory named by an id cannot be there before the id is known. */
    public String logFile(JobHandle job, String suffix) {
        return jobName(job.key()) + "-" + job.nativeId() + "." + suffix;
    }

    public String log(JobHandle job, String suffix) {
        return logRoot() + "/" + logFile(job, suffix);
    }

    /** A base that ends in {@code /results} is not doubled. */
    public String resultsRoot() {
        return base.endsWith("/results") ? base : base + "/results";
    }

    /** What jobs have fetched, for those after them. */
    public String inputs() {
        return base + "/inputs";
    }

    public String results(JobKey key) {
        return resultsRoot() + "/" + key;
    }
}
