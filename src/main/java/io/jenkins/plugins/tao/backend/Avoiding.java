package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What a backend can do besides whose machines have names: keep the first attempt of a job from some of them. */
public interface Avoiding extends Backend {
    @Override
    default JobHandle submit(JobSpec spec, JobKey key) throws BackendException {
        return submit(spec, key, Set.of());
    }

    /**
     * As {@link Backend#submit}. The nodes are no part of what the job is: a second call with the same {@code key} and other ones finds
     * the job of the first.
     *
     * @param avoidNodes the nodes not to use, the one that failed last first; names the backend does not know are ignored
     */
    JobHandle submit(JobSpec spec, JobKey key, Set<String> avoidNodes) throws BackendException;

    /** A target of such a backend, as it was configured. */
    interface Place extends Target {
        /** How long later jobs avoid a node that failed; empty or zero for not at all. */
        Optional<Duration> avoidFailedNodesFor();
    }
}
