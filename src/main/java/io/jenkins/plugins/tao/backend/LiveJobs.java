package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobHandle;
import java.util.List;
import java.util.Optional;

/** What a {@link Backend} offers besides: the jobs of tao-run that have not ended there, whoever watches them. */
public interface LiveJobs {
    /** Lists them in one round trip or a few, within bounds; changes nothing. */
    Look live() throws BackendException;

    /**
     * What was found. Only a look without gaps shows that there is nothing else.
     *
     * @param gaps what could not be read, a sentence each
     */
    record Look(List<Found> jobs, List<String> gaps) {
        public Look {
            jobs = List.copyOf(jobs);
            gaps = List.copyOf(gaps);
        }
    }

    /**
     * A job that has not ended.
     *
     * @param job its newest attempt, to be watched or cancelled
     * @param state the place's own word for how it does
     * @param controller the id of the controller that it belongs to; empty where the place does not tell
     */
    record Found(JobHandle job, String state, Optional<String> controller) {}
}
