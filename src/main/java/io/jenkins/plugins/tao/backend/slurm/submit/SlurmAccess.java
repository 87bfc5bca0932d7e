package io.jenkins.plugins.tao.backend.slurm.submit;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How Slurm itself is asked: by its commands on the host of the files, or by REST. The shell text that works on files is the same; what
 * goes before it gives it Slurm's answers.
 */
public interface SlurmAccess extends AutoCloseable {

    /** Runs a script on the host of the files. */
    interface Shell {
        Reply run(String script) throws BackendException;
    }

    /**
     * What goes before a look.
     *
     * @param unclear jobs of which Slurm did not tell whether it knows them
     */
    record Look(String before, Set<JobHandle> unclear) {}

    /** For {@code poll.sh}. */
    Look look(Collection<JobHandle> jobs) throws BackendException;

    /** For the list of the user's jobs in the queue: {@code NAME STATE}, or the names alone. */
    String beforeList(boolean states) throws BackendException;

    /** For the checks before a submission. */
    String beforeChecks() throws BackendException;

    /** For the diagnosis of these ids. */
    String beforeDiagnosis(Collection<String> ids) throws BackendException;

    /** Sends an attempt once; the answer of {@code submit.sh}. {@code shell} knows the functions of leases. */
    String send(SlurmSending sending, Shell shell) throws BackendException;

    /** Asks for the end of one attempt; {@code shell} knows the functions of leases. */
    void cancel(JobHandle job, Shell shell) throws BackendException;

    /** The same for several; what kept some from being asked. */
    Map<JobHandle, BackendException> cancelAll(List<JobHandle> jobs, Shell shell) throws BackendException;

    @Override
    void close();
}
