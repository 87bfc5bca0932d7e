package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the scripts of {@link BoxScript} answer. Pure. */
final class BoxReply {
    private static final Pattern STARTED = Pattern.compile("(?m)^started (\\d{1,15})$");
    private static final Pattern JOB =
            Pattern.compile("job (\\d{1,9}) (\\d+|-) ([01]) (\\d{1,15}|-) (\\d{1,3}|-) (\\d{1,15}|-) (\\S+).*");

    private BoxReply() {}

    /** When an attempt started, as its wrapper wrote it down. */
    static Instant started(String text) throws Unreadable {
        Matcher match = STARTED.matcher(text);
        if (!match.find()) {
            throw new Unreadable("The answer to a submission has no start", text, "Submit again; it finds the job.");
        }
        return Instant.ofEpochSecond(Long.parseLong(match.group(1)));
    }

    /** One look at {@code jobs}, in the order in which they were asked after. */
    static Map<JobHandle, JobStatus> poll(String text, List<JobHandle> jobs) throws Unreadable {
        if (!text.endsWith("poll-end\n")) {
            throw new Unreadable("The states of the jobs broke off", text, "They are asked for again.");
        }
        Map<JobHandle, JobStatus> found = new LinkedHashMap<>();
        text.lines().map(JOB::matcher).filter(Matcher::matches).forEach(line -> {
            int number = Integer.parseInt(line.group(1));
            if (number < jobs.size()) {
                found.put(jobs.get(number), status(line));
            }
        });
        return found;
    }

    private static JobStatus status(Matcher line) {
        boolean started = !line.group(2).equals("-");
        boolean exited = !line.group(5).equals("-");
        Set<String> flags = new HashSet<>(List.of(line.group(7).split(",", -1)));
        if (exited) {
            flags.remove("reboot"); // a reboot after the end is none of the job's business
        }
        JobStatus status;
        if (exited) {
            int code = Integer.parseInt(line.group(5));
            status = end(flags).orElseGet(() -> exit(code)).withExitCode(code);
        } else if (line.group(3).equals("1")) {
            status = JobStatus.live(JobState.RUNNING, "RUNNING");
        } else if (!started && !flags.contains("cancel")) {
            status = JobStatus.live(JobState.PENDING, "STAGED");
        } else {
            status = end(flags)
                    .orElseGet(() -> JobStatus.ended(Ending.UNKNOWN, "GONE")
                            .withReason("the process is gone and left no exit record"));
        }
        return status.withTimes(time(line.group(4)), time(line.group(6))).withRuns(started ? 1 : 0);
    }

    private static JobStatus exit(int code) {
        return JobStatus.ended(code == 0 ? Ending.COMPLETED : Ending.FAILED, "EXITED");
    }

    /** What the marks beside the exit record tell. */
    private static Optional<JobStatus> end(Set<String> flags) {
        if (flags.contains("cancel")) {
            return Optional.of(JobStatus.ended(Ending.CANCELLED, "CANCELLED"));
        }
        if (flags.contains("time-limit")) {
            return Optional.of(JobStatus.ended(Ending.TIME_LIMIT, "TIME_LIMIT"));
        }
        if (flags.contains("reboot")) {
            return Optional.of(JobStatus.ended(Ending.NODE_FAILURE, "GONE").withReason("reboot"));
        }
        return Optional.empty();
    }

    private static Optional<Instant> time(String epoch) {
        return epoch.equals("-") ? Optional.empty() : Optional.of(Instant.ofEpochSecond(Long.parseLong(epoch)));
    }
}
