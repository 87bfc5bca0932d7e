package io.jenkins.plugins.tao.jenkins.run;

import java.util.concurrent.CompletableFuture;

/** One job of a build on its way to where it runs. */
public interface Departing {
    /** The job, once it is where it stays. */
    CompletableFuture<TaoJob> result();

    /**
     * Gives up: a job that a target took nevertheless is cancelled, however late its answer comes, also after a restart.
     *
     * @param by who gave up, for people
     * @return done when there is no more to wait for
     */
    CompletableFuture<Void> abort(String by);
}
