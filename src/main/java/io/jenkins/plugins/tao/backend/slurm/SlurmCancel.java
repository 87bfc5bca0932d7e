package io.jenkins.plugins.tao.backend.slurm;

import static io.jenkins.plugins.tao.remote.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.remote.Reply;
import io.jenkins.plugins.tao.remote.ShellCommand;

/** Asks Slurm to end one attempt. The name guards the id: one given to another job by now is left alone. */
final class SlurmCancel {
    private SlurmCancel() {}

    /** Leaves the wish on the disk first, so that the frame does not put the job back into the queue meanwhile. */
    static String render(JobHandle job) {
        SlurmLayout layout = SlurmLayout.of(job);
        String scancel = ShellCommand.of("scancel")
                .option("name", SlurmLayout.jobName(job.key()))
                .word(job.nativeId())
                .render();
        return String.join(
                "\n",
                "{ printf '' > " + quote(layout.cancelMark(job.key())) + "; } 2> /dev/null",
                "LC_ALL=C " + scancel + " 2>&1 && rm -f " + quote(layout.secrets(job.key(), job.attempt())));
    }

    /** Ended already, or never there, is as good as cancelled. */
    static void check(String target, JobHandle job, Reply reply) throws BackendException {
        String said = reply.text() + reply.err();
        if (reply.ok() || said.contains("Invalid job id specified") || said.contains("already complet")) {
            return;
        }
        if (said.contains("denied")) {
            throw new Denied(
                    "Slurm on " + target + " did not let us cancel " + job.shortName() + ": " + said.strip(),
                    "Log in as the user who submitted the job.");
        }
        throw SlurmRefusal.ofQuery(target, "scancel", said);
    }
}
