package io.jenkins.plugins.tao.jenkins.run;

import java.util.concurrent.CompletableFuture;

/** One job that a build waits for. */
public interface JobWatch {
    /** How the job ended, once its files are archived. */
    CompletableFuture<TaoResult> result();

    /**
     * Asks for the end of the job and waits for it, two minutes at most. What is not confirmed by then is asked for on.
     *
     * @param by who asks, for people
     * @return done when there is no more to wait for
     */
    CompletableFuture<Void> abort(String by);

    /** Leaves the job to whoever has its token; no result will come. */
    void leave();

    /** Stops watching the job, which stays with the build; no result will come. */
    void stop();

    /** One line for a person: where the job stands. */
    String describe();

    /** The job and its state, such as {@code dgx/4711 RUNNING}. */
    String label();

    /** Whether the graph shows each state; in a build that watches very many jobs it shows their ends alone. */
    boolean showsStates();

    /** Calls {@code listener} each time the state changes, as long as {@link #showsStates}. */
    void onMove(Runnable listener);
}
