package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.SpecFormat;
import io.jenkins.plugins.tao.spec.FilledJob;

/** Where the files of a job lie. */
final class BoxLayout {
    private BoxLayout() {}

    static String job(String directory, JobKey key) {
        return directory + "/jobs/" + key;
    }

    /** Where code lies: pushed trees by name, the code of jobs by content. */
    static String codeRoot(String directory) {
        return directory + "/code";
    }

    /** The code of a job. */
    static String code(String directory, CodeId id) {
        return codeRoot(directory) + "/" + id;
    }

    static String spec(String directory, JobKey key, SpecFormat format) {
        return directory + "/specs/" + key + "." + format.extension();
    }

    /** As the job gives it, else as its TAO spec gives it, else below the target's durable directory. */
    static String results(BoxPlace place, JobSpec spec, JobKey key) {
        return FilledJob.requestedResults(spec)
                .filter(path -> path.startsWith("/"))
                .orElseGet(() -> place.durable() + "/results/" + key);
    }

    /** Where it is noted which controller holds a job: beside the folder of all jobs that its own is in. */
    static String leases(String jobDirectory) {
        return FilledJob.parent(FilledJob.parent(jobDirectory)) + "/leases";
    }

    /** The lease of one job. */
    static String lease(String jobDirectory) {
        return leases(jobDirectory) + jobDirectory.substring(jobDirectory.lastIndexOf('/'));
    }

    static String attempt(JobHandle job) {
        return attempt(job.jobDirectory(), job.attempt());
    }

    static String attempt(String jobDirectory, int number) {
        return jobDirectory + "/attempt-" + number;
    }
}
