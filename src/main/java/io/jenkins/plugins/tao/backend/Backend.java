package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A place that runs jobs, reached over one kept connection. Methods may block on the network and never send
 * again what changes something: {@code dispatch} and {@code monitor} do. An instance is used by one thread at a time for {@link #poll} and {@link #read}, and by
 * any thread for the rest.
 */
public interface Backend extends AutoCloseable {
    /** Makes every check with its remedy, even after one has failed; writes nothing anywhere. */
    Report preflight(JobSpec spec) throws BackendException;

    /**
     * Starts a job, or finds the one that an earlier call with the same {@code key} started, also when that one has ended.
     * Checks nothing that {@link #preflight} checks.
     *
     * @param key stands for one submission and is never used for another: callers make it of something random
     */
    JobHandle submit(JobSpec spec, JobKey key) throws BackendException;

    /**
     * Starts the next attempt of a job from what is staged already, or finds the one that an earlier call for the same
     * {@code previous} attempt started.
     *
     * @param avoidNodes machines that must not be used again; names the backend does not know are ignored
     */
    JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes) throws BackendException;

    /** Asks after all {@code jobs} in one round trip; a job it no longer knows is absent from the answer. */
    Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException;

    /**
     * Reads what is new in all {@code from} streams in one round trip, bounded in bytes. A stream without news, or
     * not there yet, is absent from the answer; one that could not be read is {@link Tail#missed}.
     */
    Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException;

    /**
     * Reads the same and hands it to {@code taker}, in this thread. A backend whose answers are long hands on each piece as it comes: what
     * came before the connection broke is read then. The last piece of a stream says whether there is more.
     */
    default void read(Map<StreamRef, Position> from, BiConsumer<StreamRef, Tail> taker) throws BackendException {
        Map<StreamRef, Tail> tails = read(from);
        for (StreamRef ref : from.keySet()) { // in the order of the question: a build log reads the same each time
            Tail tail = tails.get(ref);
            if (tail != null) {
                taker.accept(ref, tail);
            }
        }
    }

    /**
     * Does the same in pieces of at most {@value Tail#PIECE} bytes, and gives where to read on in the streams that have more. One that
     * says it has more and stays where it is has no more: to ask again would never end.
     */
    default Map<StreamRef, Position> readOn(Map<StreamRef, Position> from, BiConsumer<StreamRef, Tail> taker)
            throws BackendException {
        Map<StreamRef, Position> rest = new LinkedHashMap<>();
        read(from, (ref, tail) -> {
            tail.pieces().forEach(piece -> taker.accept(ref, piece));
            if (tail.more() && !tail.next().equals(from.get(ref))) {
                rest.put(ref, tail.next());
            } else {
                rest.remove(ref);
            }
        });
        return rest;
    }

    /** Asks the backend to end a job; one that ended already, or was never there, is fine. {@link #poll} confirms. */
    void cancel(JobHandle job) throws BackendException;

    /** Collects what a person would look at after a failure, best effort. */
    Diagnosis diagnose(JobHandle job) throws BackendException;

    /** Copies the files of {@code plan} to {@code sink}; what is missing or too large is told to the sink, not thrown. */
    void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException;

    /** Ends the connection; jobs are not touched. */
    @Override
    void close();
}
