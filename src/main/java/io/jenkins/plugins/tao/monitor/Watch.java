package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.job.JobHandle;

/** One watched job. */
public interface Watch {
    /** The attempt watched now. */
    JobHandle handle();

    /** One line for a person: {@code RUNNING 2 h 11 min on gpu01, epoch 7/50, last response 4 s ago}. */
    String describe();

    /**
     * Asks for the end of the job. The request is kept over restarts and asked for again until the backend confirms that the job
     * has ended; then the watch ends with {@code Cancelled}.
     *
     * @param by who wants it, for people
     */
    void cancel(String by);

    /** Whether the end of the job is asked for because it has not started. One that starts meanwhile, and is not hit, goes on. */
    boolean withdrawing();

    /**
     * Ends the watch and leaves the job alone; the observer hears no more. What it has heard is saved: a later watch
     * with the same memory goes on behind it.
     */
    void detach();
}
