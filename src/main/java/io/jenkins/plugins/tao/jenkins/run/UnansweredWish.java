package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.job.JobKey;

/**
 * The request that a job ends of which nobody knows whether its target took it: then there is no token, and the target must
 * be asked by key, with what it was asked for. Saved by Jenkins: texts, and the request, which names secrets by id.
 * The name of the class stands in files that earlier versions saved.
 */
final class UnansweredWish {
    private final String key;
    private String build;
    private final String by;
    private final JobRequest request;

    /**
     * A request.
     *
     * @param build the build that asked, as Jenkins finds it again
     * @param by who asked, for people
     */
    UnansweredWish(JobKey key, String build, String by, JobRequest request) {
        this.key = key.value();
        this.build = build;
        this.by = by;
        this.request = request;
    }

    JobKey key() {
        return new JobKey(key);
    }

    String build() {
        return build;
    }

    /** Its build has another id, for its Jenkins job was renamed or moved. */
    void follow(String id) {
        build = id;
    }

    String by() {
        return by;
    }

    JobRequest request() {
        return request;
    }

    @Override
    public String toString() {
        return key + " of " + build + " on " + request.getTarget();
    }
}
