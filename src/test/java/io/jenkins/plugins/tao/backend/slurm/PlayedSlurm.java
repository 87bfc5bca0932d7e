package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.IOException;
import java.nio.file.Path;

/** The Slurm backend as it is, whose login host is this machine and whose cluster is played by scripts. */
public final class PlayedSlurm implements BackendType {
    private static final String ROW =
            "printf '%s\\037%s\\037None\\037%s\\0371\\0372\\0371\\037%s\\n' \"$id\" \"$state\" \"$node\" \"$name\"\n";

    private final SlurmType real = new SlurmType();
    private final FakeSlurm cluster;

    PlayedSlurm(FakeSlurm cluster) {
        this.cluster = cluster;
    }

    /** A cluster below {@code directory} that runs each job at once, and whose login host says {@code noise} with every command. */
    public static PlayedSlurm atOnce(Path directory, String noise) throws IOException {
        FakeSlurm cluster = new FakeSlurm(directory);
        String say = "[ -n \"$SLURM_JOB_ID\" ] || echo '" + noise + "' >&2\n";
        String last = "'" + directory + "/last'";
        cluster.command(
                "sbatch",
                say
                        + "case \"$*\" in *--test-only*) exit 0;; esac\n"
                        + "for script do :; done; name=$(sed -n 's/^#SBATCH --job-name=//p' \"$script\")\n"
                        + "log=$(sed -n 's/^#SBATCH --output=//p' \"$script\"); log=${log%/*}/$name-4711\n"
                        + "SLURM_JOB_ID=4711 SLURM_JOB_NAME=$name SLURM_JOB_NODELIST=gpu01"
                        + " bash \"$script\" > \"$log.out\" 2> \"$log.err\" && state=COMPLETED || state=FAILED\n"
                        + "echo \"$state $name\" > " + last + "; echo 4711");
        cluster.command("squeue", say + "read -r state name < " + last + " || exit 0; id=4711; node=gpu01\n" + ROW);
        for (String command : new String[] {"scancel", "sinfo", "sacct", "sstat"}) {
            cluster.command(command, say);
        }
        cluster.command("scontrol", say + "case $* in *hostnames*) echo gpu01;; *) echo 'JobId=4711 JobName=x';; esac");
        return new PlayedSlurm(cluster);
    }

    /** The directory of all jobs. */
    public String base() {
        return cluster.base.toString();
    }

    @Override
    public Backend open(Target target) {
        return new SlurmBackend((SlurmTarget) target, cluster.host());
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public Class<? extends Target> targetType() {
        return real.targetType();
    }

    @Override
    public Class<? extends JobOptions> optionsType() {
        return real.optionsType();
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        return real.preview(target, spec, key);
    }
}
