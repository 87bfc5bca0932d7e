package io.jenkins.plugins.tao.backend.slurm;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.LiveJobs.Found;
import io.jenkins.plugins.tao.backend.LiveJobs.Look;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmRefusal;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The user's jobs in the queue that were staged below one base directory, each with who holds it. Pure. */
final class SlurmLive {
    private static final String PROGRAM = OwnFile.text(SlurmLive.class, "live.sh");
    private static final Pattern JOB =
            Pattern.compile("(\\S+) ([1-9]\\d{0,5}) (\\d{1,18}) (\\d{1,15}) (\\S+) (\\S+) (\\S+) (/.*)");

    private SlurmLive() {}

    /** Follows the functions of leases. */
    static String render(String base) {
        return "base=" + quote(base) + "\n" + PROGRAM;
    }

    static Look parse(SlurmTarget target, String reply) throws BackendException {
        SlurmSections sections = SlurmSections.parse(reply);
        Optional<SlurmSections.Section> queue = sections.part("squeue");
        if (queue.isPresent() && !queue.get().ok()) {
            throw SlurmRefusal.ofQuery(target.name(), "squeue", queue.get().text());
        }
        if (queue.isEmpty() || !sections.complete()) {
            throw new Unreadable(
                    "The list of jobs on " + target.name() + " broke off", reply, "It is asked for again.");
        }
        List<Found> jobs = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        for (String line : sections.linesOf("live")) {
            Matcher job = JOB.matcher(line);
            if (job.matches()) {
                jobs.add(found(target, job));
            } else {
                gaps.add(gap(target, line.split(" ", 2)[0]));
            }
        }
        return new Look(jobs, gaps);
    }

    private static String gap(SlurmTarget target, String what) {
        return what.startsWith("/")
                ? "The directory " + what + " cannot be read, so no job below it is known. A first job makes it."
                : "Of job " + what + " the notes below " + target.baseDirectory()
                        + " are not complete: look at it with squeue.";
    }

    private static Found found(SlurmTarget target, Matcher job) {
        String members = job.group(5);
        String id = members.equals("-") ? job.group(3) : new ArrayId(job.group(3), SlurmArray.parse(members)).render();
        JobHandle handle = new JobHandle(
                target.name(),
                SlurmType.NAME,
                new JobKey(job.group(1)),
                Integer.parseInt(job.group(2)),
                id,
                target.baseDirectory(),
                job.group(8),
                Instant.ofEpochSecond(Long.parseLong(job.group(4))));
        return new Found(handle, job.group(7), Optional.of(job.group(6)).filter(holder -> !holder.equals("-")));
    }
}
