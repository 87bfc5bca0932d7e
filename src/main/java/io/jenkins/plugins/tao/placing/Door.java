package io.jenkins.plugins.tao.placing;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a placing needs of the program around it. */
public interface Door {
    /** Another process has given the job up: nothing more may be done for it. */
    final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** {@code why} is a sentence. */
        public GivenUp(String why) {
            super(why);
        }
    }

    /**
     * Keeps the record; on return it survives a crash.
     *
     * @throws GivenUp if another process has given the job up since the last record
     * @throws java.io.UncheckedIOException if it cannot be kept; then nothing is done that it tells of
     */
    void save(Placing placing);

    /** Asks for the job's turn on the target of {@code leg}; granted where that has no limits. May block for a while. */
    Turn turn(Leg leg);

    /** The job is not there any more, or never was: its turn is free. */
    void turnOver(Leg leg);

    /** Whether the job waits where the target of {@code leg} refuses it because of a limit. */
    boolean waitsWhenRefused(Leg leg);

    /** How long the job may wait on a target, from asking for its turn; empty for any time. */
    Optional<Duration> startWithin();

    /**
     * Checks and sends the job, or finds the one that this leg started. May block for a while.
     *
     * @param resumed whether it may have been sent before
     */
    CompletableFuture<JobHandle> send(Next.Send send, boolean resumed);

    /** Whether the target may have started the job of {@code leg}, after {@link #send} has failed. */
    boolean mayBeThere(Leg leg);

    /** Watches states alone, with the memory that every watch of this job here shares. New attempts are not started. */
    Watch watch(JobHandle job, JobObserver observer);

    /** Watches the parent, logs included. New attempts are not started. */
    Watch watchParent(JobHandle parent, JobObserver observer);

    /** The newest attempt of {@code job} that is known here. */
    JobHandle newest(JobHandle job);

    /** What the job takes over from its parent, which has succeeded. May block for a while. */
    Inherited inherit(JobHandle parent);

    /** Tells a person. */
    void say(String line);
}
