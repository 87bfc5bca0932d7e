package io.jenkins.plugins.tao.backend.slurm.poll;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.shell.LeaseSweep;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What one controller remembers between its looks: who else holds jobs, and how much memory they held. */
public final class SlurmSweep {
    private final LeaseSweep leases;
    private final Map<String, String> memoryWarnings = new HashMap<>();
    private final SlurmMemory memory = new SlurmMemory();

    public SlurmSweep(Controller controller) {
        leases = new LeaseSweep(controller);
    }

    /** The functions of leases, for any script. */
    public String functions() {
        return leases.functions();
    }

    /** The same for a look at {@code jobs}, which names those whose holder is not known yet. */
    public String forLookAt(Collection<JobHandle> jobs) {
        return leases.forLookAt(jobs);
    }

    /**
     * Takes the answer to such a look.
     *
     * @return whether it is time to tidy up
     */
    public synchronized boolean take(Collection<JobHandle> jobs, SlurmSections answer) {
        leases.take(jobs, answer.linesOf("leases"));
        memoryWarnings.clear();
        if (answer.part("granted").isPresent()) {
            memoryWarnings.putAll(memory.look(answer.linesOf("granted"), answer.linesOf("memory")));
        }
        return answer.part("tidy").isPresent();
    }

    /** Adds what a person should know of the job. */
    public synchronized JobStatus annotated(JobHandle job, JobStatus status) {
        JobStatus told = leases.annotated(job, status);
        return Optional.ofNullable(memoryWarnings.get(job.nativeId()))
                .map(told::withNotice)
                .orElse(told);
    }

    /** Forgets that another one held the job. */
    public void tookOver(JobHandle job) {
        leases.tookOver(job);
    }

    /**
     * Throws while another process uses the same identity: leases cannot tell the two apart.
     *
     * @throws Rejected then
     */
    public void checkAlone() throws Rejected {
        leases.checkAlone();
    }
}
