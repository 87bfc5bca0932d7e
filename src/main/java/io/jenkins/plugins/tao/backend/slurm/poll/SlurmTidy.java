package io.jenkins.plugins.tao.backend.slurm.poll;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Tidying.Tidied;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmRefusal;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.shell.CodeShell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes what was staged for jobs that ended long ago; the text follows the functions of leases. */
public final class SlurmTidy {
    private static final String PROGRAM = OwnFile.text(SlurmTidy.class, "tidy.sh");
    /** Removing takes a shared filesystem milliseconds a file; what is left over waits for the next time. */
    private static final int JOBS_AT_ONCE = 50;

    private static final Pattern JOB = Pattern.compile("(\\S+) (\\d{1,15})");

    private SlurmTidy() {}

    public static String render(String base, Duration keep, boolean dryRun) {
        return String.join(
                "\n",
                "base=" + quote(base),
                "keep=" + keep.toMinutes(),
                "most=" + JOBS_AT_ONCE,
                "dry=" + (dryRun ? "1" : ""),
                CodeShell.tidy(base + "/code", keep, dryRun),
                PROGRAM);
    }

    public static Tidied parse(String target, String reply) throws BackendException {
        SlurmSections sections = SlurmSections.parse(reply);
        if (sections.part("away").isPresent()) {
            throw SlurmRefusal.ofQuery(
                    target, "squeue", sections.part("away").get().text());
        }
        if (!sections.complete()) {
            throw new Unreadable("Tidying up on " + target + " broke off", reply, "It continues the next time.");
        }
        List<String> jobs = new ArrayList<>();
        long kibibytes = 0;
        Tidied code = CodeShell.removed(reply);
        jobs.addAll(code.jobs());
        kibibytes += code.kibibytes();
        for (String line : sections.linesOf("tidied")) {
            Matcher job = JOB.matcher(line);
            if (job.matches()) {
                jobs.add(job.group(1));
                kibibytes += Long.parseLong(job.group(2));
            }
        }
        return new Tidied(jobs, kibibytes, sections.part("more").isPresent());
    }
}
