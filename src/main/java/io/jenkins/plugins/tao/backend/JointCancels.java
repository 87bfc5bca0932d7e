package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobHandle;
import java.util.Map;

/** What a {@link Backend} offers besides when it can ask for the ends of many jobs at once: in few calls, whatever their number. */
public interface JointCancels {
    /**
     * Asks for the end of each of {@code jobs}, as {@link Backend#cancel} does for one.
     *
     * @param jobs the jobs, and who asked for the end of each, for people; empty where no person did
     * @return what kept a job from being asked; a job without an entry was asked
     * @throws BackendException if it is not known which of them were asked; to ask all of them again does no harm
     */
    Map<JobHandle, BackendException> cancelAll(Map<JobHandle, String> jobs) throws BackendException;
}
