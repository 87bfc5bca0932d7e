package io.jenkins.plugins.tao.backend.slurm.poll;

import io.jenkins.plugins.tao.backend.slurm.reply.ExitRecord;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the controller says of jobs that are in no list of {@code squeue}: {@code scontrol -o show job}, each line behind id and exit code. */
final class ControllerRows {
    /** How long Slurm may take to have a job again that a restarted controller, or a requeue, starts once more. */
    private static final Duration GAP = Duration.ofMinutes(10);

    private static final Pattern ASKED = Pattern.compile("(\\d+) (\\d+) (.*)");
    private static final Pattern ARRAY = Pattern.compile("ArrayJobId=(\\d+) ArrayTaskId=(\\S+)");
    private static final Pattern REASON = Pattern.compile(" Reason=(.*?) Dependency=");

    private final Map<String, String[]> rows = new HashMap<>();
    private final Set<String> silent = new HashSet<>();
    private final Optional<Instant> now;

    ControllerRows(SlurmSections sections) {
        now = sections.linesOf("now").stream().findFirst().flatMap(ExitRecord::epoch);
        for (String line : sections.linesOf("scontrol")) {
            Matcher asked = ASKED.matcher(line);
            if (asked.matches()) {
                read(asked.group(1), asked.group(2).equals("0"), asked.group(3));
            }
        }
    }

    private void read(String id, boolean ok, String text) {
        if (text.startsWith("JobId=")) {
            rows.put(key(text), new String[] {
                id,
                field(text, "JobState"),
                found(REASON, text),
                field(text, "NodeList"),
                field(text, "StartTime"),
                field(text, "EndTime"),
                field(text, "SubmitTime"),
                field(text, "JobName")
            });
        } else if (!ok && !text.contains("Invalid job id")) {
            silent.add(id);
        }
    }

    /** Rows as those of the queue, by id; members that wait have one for all, under the array's own. */
    Map<String, String[]> rows() {
        return rows;
    }

    /** Whether a note of an end is an end, now that Slurm knows nothing of the job: it may be a gap, and the job run again. */
    boolean ended(String id, ExitRecord note) {
        return note.certain()
                || (!silent.contains(id)
                        && now.map(time -> note.end()
                                        .map(end -> Duration.between(end, time).compareTo(GAP) >= 0)
                                        .orElse(true))
                                .orElse(true));
    }

    private static String key(String text) {
        Matcher array = ARRAY.matcher(text);
        if (!array.find()) {
            return field(text, "JobId");
        }
        return array.group(2).matches("\\d+") ? array.group(1) + "_" + array.group(2) : array.group(1);
    }

    private static String field(String text, String name) {
        return found(Pattern.compile("(?:^| )" + name + "=(\\S*)"), text);
    }

    private static String found(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? found.group(1) : "";
    }
}
