package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Secret;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The request that a job ends of which nobody knows whether its target took it: then there is no token, and the target must
 * be asked by key, with what it was asked for. Saved by Jenkins: texts, and the request, which names secrets by id.
 * The name of the class stands in files that earlier versions saved.
 */
final class UnansweredWish {
    private final String key;
    private String build;
    private final String by;
    /** Null where it is {@link #sealed}. */
    private final @Nullable JobRequest request;
    /** Null where it is {@link #request}, as in files of earlier versions. */
    private final @Nullable SealedRequest sealed;

    /**
     * A request.
     *
     * @param build the build that asked, as Jenkins finds it again
     * @param by who asked, for people
     * @param bound the secrets that the build has bound
     */
    UnansweredWish(JobKey key, String build, String by, JobRequest request, Collection<Secret> bound) {
        this.key = key.value();
        this.build = build;
        this.by = by;
        sealed = SealedRequest.of(request, bound).orElse(null);
        this.request = sealed == null ? request : null;
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
        return sealed == null ? Objects.requireNonNull(request) : sealed.open();
    }

    @Override
    public String toString() {
        return key + " of " + build + " on " + request().getTarget();
    }
}
