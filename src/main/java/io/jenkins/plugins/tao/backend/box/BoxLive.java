package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.LiveJobs.Found;
import io.jenkins.plugins.tao.backend.LiveJobs.Look;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jobs of a box that have not ended, by the folders of its jobs. Pure. */
final class BoxLive {
    private static final String PROGRAM = OwnFile.text(BoxLive.class, "live.sh");
    private static final Pattern JOB =
            Pattern.compile("live ([A-Za-z0-9][A-Za-z0-9._-]{0,62}) (\\d{1,6}) (\\d{1,15}) (\\S+) (\\S+) (/.*)");

    private BoxLive() {}

    /** Follows the functions of leases. */
    static String render(BoxPlace place) {
        return BoxScript.BOX + "tao_base=" + quote(place.base()) + "\n" + PROGRAM;
    }

    static Look parse(BoxPlace place, String text) throws Unreadable {
        if (!text.endsWith("live-end\n")) {
            throw new Unreadable("The list of jobs on " + place.name() + " broke off", text, "It is asked for again.");
        }
        List<Found> jobs = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        for (String line : text.lines().toList()) {
            Matcher job = JOB.matcher(line);
            if (job.matches()) {
                jobs.add(found(place, job));
            } else if (line.startsWith("live ")) {
                gaps.add(gap(place, line.split(" ", 3)[1]));
            }
        }
        return new Look(jobs, gaps);
    }

    private static String gap(BoxPlace place, String what) {
        return what.startsWith("/")
                ? "The directory " + what + " cannot be read, so no job below it is known. A first job makes it."
                : "Of job " + what + " the notes below " + place.base() + "/jobs are not complete: look at it there.";
    }

    private static Found found(BoxPlace place, Matcher job) {
        JobKey key = new JobKey(job.group(1));
        int attempt = Integer.parseInt(job.group(2));
        JobHandle handle = new JobHandle(
                place.name(),
                place.type(),
                key,
                attempt,
                key + "." + attempt,
                BoxLayout.job(place.base(), key),
                job.group(6),
                Instant.ofEpochSecond(Long.parseLong(job.group(3))));
        return new Found(handle, job.group(5), Optional.of(job.group(4)).filter(holder -> !holder.equals("-")));
    }
}
