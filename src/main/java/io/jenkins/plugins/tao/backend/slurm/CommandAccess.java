package io.jenkins.plugins.tao.backend.slurm;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmCancel;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmAccess;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmSending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Slurm's commands on the login host: the scripts call them themselves. */
final class CommandAccess implements SlurmAccess {
    private static final int CANCELS_AT_ONCE = 100;
    private static final String COMMANDS = OwnFile.text(CommandAccess.class, "commands.sh");

    private final String target;
    /** Makes Slurm's commands functions that take nothing of the login's environment and name the cluster, where there are several. */
    private final String cluster;

    CommandAccess(SlurmTarget target) {
        this.target = target.name();
        this.cluster = "tao_cluster=" + quote(target.cluster().orElse("")) + "\n" + COMMANDS + "\n";
    }

    @Override
    public Look look(Collection<JobHandle> jobs) {
        return new Look(cluster, Set.of());
    }

    @Override
    public String beforeList(boolean states) {
        return cluster;
    }

    @Override
    public String beforeChecks() {
        return cluster;
    }

    @Override
    public String beforeDiagnosis(Collection<String> ids) {
        return cluster;
    }

    @Override
    public String send(SlurmSending sending, Shell shell) throws BackendException {
        return shell.run(cluster + sending.byCommands()).text();
    }

    @Override
    public void cancel(JobHandle job, Shell shell) throws BackendException {
        SlurmCancel.check(target, job, shell.run(cluster + SlurmCancel.render(job)));
    }

    /** A hundred in one call: {@code scancel} takes some hundredths of a second for each. */
    @Override
    public Map<JobHandle, BackendException> cancelAll(List<JobHandle> jobs, Shell shell) throws BackendException {
        Map<JobHandle, BackendException> refusals = new LinkedHashMap<>();
        for (int from = 0; from < jobs.size(); from += CANCELS_AT_ONCE) {
            List<JobHandle> some = jobs.subList(from, Math.min(jobs.size(), from + CANCELS_AT_ONCE));
            refusals.putAll(SlurmCancel.refusals(target, some, shell.run(cluster + SlurmCancel.render(some))));
        }
        return refusals;
    }

    @Override
    public void close() {
        // nothing is held
    }
}
