package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;

/** Where the files of a job lie. */
final class BoxLayout {
    private BoxLayout() {}

    static String job(String directory, JobKey key) {
        return directory + "/jobs/" + key;
    }

    static String spec(String directory, JobKey key) {
        return directory + "/specs/" + key + ".json";
    }

    /** As the job gives it, else as its TAO spec gives it, else below the target's durable directory. */
    static String results(BoxPlace place, JobSpec spec, JobKey key) {
        if (spec.resultsDirectory().isPresent()) {
            return spec.resultsDirectory().get();
        }
        Object named = spec.spec().get("results_dir");
        return named instanceof String text && text.startsWith("/") ? text : place.durable() + "/results/" + key;
    }

    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    static String attempt(JobHandle job) {
        return attempt(job.jobDirectory(), job.attempt());
    }

    static String attempt(String jobDirectory, int number) {
        return jobDirectory + "/attempt-" + number;
    }
}
