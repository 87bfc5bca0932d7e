package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobHandle;

/** What a {@link Backend} offers besides when it can note who asked for the end of a job: whoever else watches it learns it. */
public interface Attributing extends Backend {
    @Override
    default void cancel(JobHandle job) throws BackendException {
        cancel(job, "");
    }

    /**
     * As {@link Backend#cancel}. Who asked first is noted; a note that is refused keeps no job from ending.
     *
     * @param by who asks, for {@code cancelled by …}
     */
    void cancel(JobHandle job, String by) throws BackendException;

    /** Cancels, with the name of who asks where the backend can note it. */
    static void cancel(Backend backend, JobHandle job, String by) throws BackendException {
        if (backend instanceof Attributing attributing) {
            attributing.cancel(job, by);
        } else {
            backend.cancel(job);
        }
    }
}
