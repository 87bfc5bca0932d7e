package io.jenkins.plugins.tao.backend.slurm.poll;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.MemberFold;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.reply.ExitRecord;
import io.jenkins.plugins.tao.backend.slurm.reply.NodeList;
import io.jenkins.plugins.tao.backend.slurm.reply.PendingReason;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmRefusal;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmState;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.FirstFailure;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outlook;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads what {@code poll.sh} answered: {@code squeue} first, {@code sacct} for what that no longer knows, and the notes of
 * our own frame, which alone tell the command's exit code: {@code sacct} of 22.05 and 24.11 prints 137 as 9.
 */
public final class SlurmReply {
    static final String SEPARATOR = "\u001f";
    /** Stands for Slurm's word for a state when it has none any more. */
    private static final String FORGOTTEN = "GONE";

    /** How long Slurm may take to have a job again that a restarted controller, or a requeue, starts once more. */
    private static final Duration GAP = Duration.ofMinutes(10);

    private static final int QUEUE_FIELDS = 8;
    private static final int PAST_FIELDS = 7;
    private static final Pattern BRACKETS = Pattern.compile("_\\[.*");
    private static final Pattern CANCELLED_BY = Pattern.compile("CANCELLED by (\\S+)");
    private static final Pattern MEMBER = Pattern.compile("\\d+_(\\d{1,7})");

    private final Map<String, String[]> queue = new HashMap<>();
    private final Map<String, String[]> past = new HashMap<>();
    private final Map<String, String> users = new HashMap<>();
    private final Map<String, ExitRecord> records = new HashMap<>();
    private final AccountedRuns history;
    private final Optional<Instant> now;
    /** Ids of which the controller, asked once more, did not say whether it knows them. */
    private final List<String> silent;

    private SlurmReply(SlurmSections sections) {
        now = sections.linesOf("now").stream().findFirst().flatMap(ExitRecord::epoch);
        silent = sections.linesOf("again").stream().map(String::strip).toList();
        rows(sections.linesOf("again"), QUEUE_FIELDS, queue);
        sections.part("squeue").ifPresent(part -> rows(part.lines(), QUEUE_FIELDS, queue));
        rows(sections.linesOf("sacct"), PAST_FIELDS, past);
        sections.linesOf("users").stream()
                .map(line -> line.split(" ", 2))
                .filter(user -> user.length == 2)
                .forEach(user -> users.put(user[0], user[1].strip()));
        sections.linesOf("records").forEach(this::record);
        history = new AccountedRuns(sections.linesOf("runs"));
    }

    /**
     * The state of each job that the answer tells something of.
     *
     * @throws Unreachable if the controller did not answer
     * @throws Unreadable if the answer breaks off
     */
    public static Map<JobHandle, JobStatus> parse(String target, String text, Collection<JobHandle> jobs)
            throws BackendException {
        return read(target, text).statuses(jobs);
    }

    /**
     * Reads an answer; see {@link #parse}.
     *
     * @throws Unreachable if the controller did not answer
     * @throws Unreadable if the answer breaks off
     */
    public static SlurmReply read(String target, String text) throws BackendException {
        SlurmSections sections = SlurmSections.parse(text);
        SlurmSections.Section squeue = sections.part("squeue").orElse(null);
        if (squeue == null || !sections.complete()) {
            throw new Unreadable("Slurm on " + target + " gave an answer that breaks off", text, "Waiting may help.");
        }
        if (!squeue.ok() && !squeue.text().contains("Invalid job id")) {
            throw SlurmRefusal.ofQuery(target, "squeue", squeue.text());
        }
        return new SlurmReply(sections);
    }

    public Map<JobHandle, JobStatus> statuses(Collection<JobHandle> jobs) {
        Map<JobHandle, JobStatus> found = new LinkedHashMap<>();
        for (JobHandle job : jobs) {
            Optional<ArrayId> array = ArrayId.of(job);
            Optional<JobStatus> status = array.isPresent()
                    ? MemberFold.of(array.get().array().members(), members(job), completedBefore(job, array.get()))
                            .status()
                    : status(job, note(job)).map(last -> history.counted(job, last));
            status.ifPresent(known -> found.put(job, known));
        }
        return found;
    }

    /** The members of those jobs that are arrays. */
    public Map<JobHandle, Map<Integer, JobStatus>> membersOf(Collection<JobHandle> jobs) {
        return jobs.stream()
                .filter(job -> ArrayId.of(job).isPresent())
                .collect(Collectors.toUnmodifiableMap(job -> job, this::members));
    }

    /** What is known of each member of an array, by index; nothing of another job. */
    public Map<Integer, JobStatus> members(JobHandle job) {
        Map<Integer, JobStatus> found = new TreeMap<>();
        ArrayId.of(job).ifPresent(array -> {
            Optional<ExitRecord> whole = note(job);
            for (int index : array.array().members()) {
                JobHandle member = array.member(job, index);
                status(member, note(member).or(() -> whole))
                        .map(last -> history.counted(member, last))
                        .or(() -> rest(member, array.id(), whole))
                        .ifPresent(status -> found.put(index, status));
            }
        });
        return found;
    }

    /**
     * Members that never started have one row for all, under the array's own id. While they wait it names them in brackets;
     * once they are cancelled it names none, and is true of those alone of which there is no other word.
     */
    private Optional<JobStatus> rest(JobHandle member, String array, Optional<ExitRecord> note) {
        String[] now = queue.get(array);
        if (now != null && isOurs(member, now[QUEUE_FIELDS - 1])) {
            return Optional.of(converted(member, queued(now), note));
        }
        String[] then = past.get(array);
        return then != null && isOurs(member, then[PAST_FIELDS - 1]) && SlurmState.of(then[1]) == JobState.ENDED
                ? Optional.of(converted(member, accounted(then), note))
                : Optional.empty();
    }

    /** Members that earlier attempts completed, as their notes tell. */
    private Set<Integer> completedBefore(JobHandle job, ArrayId array) {
        String head = SlurmLayout.of(job).records(job.key());
        Set<Integer> completed = new TreeSet<>();
        records.forEach((path, note) -> {
            Matcher member = MEMBER.matcher(path.startsWith(head) ? path.substring(head.length()) : "");
            if (member.matches() && note.completed()) {
                completed.add(Integer.valueOf(member.group(1)));
            }
        });
        array.array().members().forEach(completed::remove);
        return completed;
    }

    /** The records, by path, of commands that ended well, in lines {@code PATH:run=…}. */
    static Set<String> completed(List<String> lines) {
        SlurmReply notes = new SlurmReply(new SlurmSections(Map.of()));
        lines.forEach(notes::record);
        notes.records.values().removeIf(note -> !note.completed());
        return notes.records.keySet();
    }

    private Optional<ExitRecord> note(JobHandle job) {
        return Optional.ofNullable(records.get(SlurmLayout.of(job).record(job)));
    }

    private Optional<JobStatus> status(JobHandle job, Optional<ExitRecord> note) {
        String[] now = queue.get(job.nativeId());
        if (now != null && isOurs(job, now[QUEUE_FIELDS - 1])) {
            JobStatus status = converted(job, withCanceller(queued(now), job), note);
            return Optional.of(withNote(withoutWait(status), started(note)));
        }
        String[] then = past.get(job.nativeId());
        if (then != null && isOurs(job, then[PAST_FIELDS - 1]) && SlurmState.of(then[1]) == JobState.ENDED) {
            JobStatus status = withCanceller(accounted(then), job);
            return Optional.of(withNote(converted(job, status, note), started(note)));
        }
        return note.filter(ExitRecord::ended)
                .map(record -> isEnd(job, record)
                        ? withNote(recorded(record), note)
                        : JobStatus.live(JobState.UNCLEAR, FORGOTTEN)
                                .withReason("in no list of Slurm for now, and its last run was interrupted"));
    }

    /** Whether a note of an end is one now that Slurm has the job in no list: that may be a gap, after which the job runs again. */
    private boolean isEnd(JobHandle job, ExitRecord note) {
        Instant since = note.end().orElse(Instant.EPOCH);
        return note.certain()
                || (!silent.contains(job.nativeId().replaceFirst("_.*", ""))
                        && now.map(time -> !time.isBefore(since.plus(GAP))).orElse(true));
    }

    /** Who cancelled it, which accounting alone tells; a reason of the scheduler's own stays, one to wait does not. */
    private JobStatus withCanceller(JobStatus status, JobHandle job) {
        String[] then = past.get(job.nativeId());
        boolean cancelled = isCancelled(status)
                && status.reason().map(PendingReason::isWait).orElse(true);
        if (!cancelled || then == null || !isOurs(job, then[PAST_FIELDS - 1]) || !then[1].startsWith("CANCELLED")) {
            return status;
        }
        Matcher by = CANCELLED_BY.matcher(then[1]);
        if (!by.find()) {
            return status.withReason("the scheduler");
        }
        String who = by.group(1); // a name by REST, a number by sacct
        String name = users.getOrDefault(who, who.matches("\\d+") ? "" : who);
        return status.withReason((name.isEmpty() ? "the user with id " + who : name) + " (scancel)");
    }

    /** What a job waited for before it was cancelled is no reason of its end. */
    private static JobStatus withoutWait(JobStatus status) {
        return isCancelled(status) && status.reason().map(PendingReason::isWait).orElse(false)
                ? status.withReason("")
                : status;
    }

    private static boolean isCancelled(JobStatus status) {
        return status.ending().equals(Optional.of(Ending.CANCELLED));
    }

    /** An id alone proves nothing: a controller that lost its last seconds gives it to another job. */
    private static boolean isOurs(JobHandle job, String name) {
        return name.equals(SlurmLayout.jobName(job.key()));
    }

    private static Optional<ExitRecord> started(Optional<ExitRecord> note) {
        return note.filter(record -> record.conversion().isEmpty());
    }

    /** A job that Slurm dropped before its first run because its image was not converted has failed; nobody cancelled it. */
    private static JobStatus converted(JobHandle job, JobStatus status, Optional<ExitRecord> note) {
        Optional<String> id = note.flatMap(ExitRecord::conversion);
        String reason = status.reason().orElse("");
        if (id.isEmpty()) {
            return status;
        }
        String log = SlurmLayout.of(job).conversionLog(id.get());
        if (status.state() == JobState.PENDING && reason.startsWith("Dependency:")) {
            return status.withReason(reason + "; its image is being converted by job " + id.get()
                    + ", 5 to 30 minutes are usual: see " + log);
        }
        boolean dropped = reason.startsWith("DependencyNeverSatisfied")
                || ((reason.isEmpty() || reason.equals("the scheduler"))
                        && status.nativeState().equals("CANCELLED"));
        return isCancelled(status) && dropped && status.nodes().isEmpty()
                ? JobStatus.ended(Ending.LAUNCH_FAILURE, status.nativeState())
                        .withReason(
                                "image conversion failed (job " + id.get() + "): see " + log
                                        + "; where its time limit ended it, set a longer conversionTimeout or use a smaller image; a .sqsh file made before needs none")
                        .withTimes(Optional.empty(), status.endedAt())
                : status;
    }

    /** A job that was cancelled before it had nodes has the time of its end for a start, which it did not have. */
    private static JobStatus queued(String[] row) {
        String state = row[1];
        String reason = row[2].equals("None") ? "" : row[2];
        JobState meaning = SlurmState.of(state);
        boolean waits = meaning == JobState.PENDING;
        JobStatus status = meaning == JobState.ENDED
                ? JobStatus.ended(SlurmState.ending(state, wasLaunched(reason)), state)
                : JobStatus.live(meaning, state);
        JobStatus told = status.withReason(waits ? PendingReason.explain(reason) : reason)
                .withNodes(NodeList.parse(row[3]))
                .withTimes(
                        waits || (meaning == JobState.ENDED && row[3].isBlank())
                                ? Optional.empty()
                                : ExitRecord.epoch(row[4]),
                        meaning == JobState.ENDED ? ExitRecord.epoch(row[5]) : Optional.empty());
        boolean never = PendingReason.of(reason).map(PendingReason::never).orElse(false);
        Optional<Instant> start = PendingReason.isHeld(reason) ? Optional.empty() : ExitRecord.epoch(row[4]);
        return waits ? told.withOutlook(new Outlook(never, start)) : told;
    }

    private static boolean wasLaunched(String reason) {
        return !reason.startsWith("JobLaunchFailure")
                && !reason.startsWith("RaisedSignal:53")
                && !reason.startsWith("BadConstraints");
    }

    private static JobStatus accounted(String[] row) {
        boolean placed = !row[5].isBlank() && !row[5].startsWith("None");
        boolean launched = !row[2].equals("0:53") && !row[5].startsWith("None");
        return JobStatus.ended(SlurmState.ending(row[1], launched), row[1])
                .withNodes(NodeList.parse(row[5]))
                .withTimes(placed ? ExitRecord.epoch(row[3]) : Optional.empty(), ExitRecord.epoch(row[4]));
    }

    /** Slurm has forgotten the job and there is no accounting: our own note is all there is. */
    private static JobStatus recorded(ExitRecord record) {
        OptionalInt code = record.ownCode(Optional.empty());
        if (record.lostNode()) {
            return JobStatus.ended(Ending.NODE_FAILURE, FORGOTTEN)
                    .withReason("no longer known to Slurm; a rank began and noted no end")
                    .withNodes(record.decisive().stream()
                            .map(ExitRecord.Rank::node)
                            .toList())
                    .withTimes(record.start(), record.end());
        }
        Ending ending = code.isEmpty() ? Ending.UNKNOWN : code.getAsInt() == 0 ? Ending.COMPLETED : Ending.FAILED;
        return JobStatus.ended(ending, FORGOTTEN)
                .withReason("no longer known to Slurm; its own exit record decides")
                .withTimes(record.start(), record.end());
    }

    private static JobStatus withNote(JobStatus status, Optional<ExitRecord> note) {
        if (note.isEmpty()) {
            return status;
        }
        ExitRecord record = note.get();
        JobStatus counted = unlaunched(status, record).withRuns(record.run() + 1);
        if (status.startedAt().isEmpty() && status.state() != JobState.PENDING) {
            counted = counted.withTimes(record.start(), status.endedAt());
        }
        return status.state() == JobState.ENDED ? withEnd(counted, record) : counted;
    }

    /** The command of a job that failed may never have begun: that is no failure of the program. */
    private static JobStatus unlaunched(JobStatus status, ExitRecord record) {
        boolean failed = status.ending()
                .filter(ending -> ending == Ending.FAILED || ending == Ending.UNKNOWN)
                .isPresent();
        return record.unlaunched()
                .filter(ending -> failed)
                .map(ending -> JobStatus.ended(ending, status.nativeState())
                        .withReason("srun could not launch the command; see the end of main.err")
                        .withNodes(status.nodes())
                        .withTimes(status.startedAt(), status.endedAt()))
                .orElse(status);
    }

    private static JobStatus withEnd(JobStatus status, ExitRecord record) {
        boolean forgotten = status.nativeState().equals(FORGOTTEN);
        OptionalInt code = record.ownCode(forgotten ? Optional.empty() : status.ending());
        JobStatus told = code.isPresent() ? status.withExitCode(code.getAsInt()) : status;
        if (record.interruption().isPresent()) {
            told = told.withInterruption(record.interruption().get());
        }
        return record.decisive().isPresent() && record.ranks() > 1 && code.isPresent() && code.getAsInt() != 0
                ? told.withFirstFailure(new FirstFailure(
                        record.decisive().get().rank(), record.decisive().get().node()))
                : told;
    }

    private static void rows(Iterable<String> lines, int fields, Map<String, String[]> into) {
        for (String line : lines) {
            String[] row = line.split(SEPARATOR, fields);
            if (row.length == fields) {
                into.put(BRACKETS.matcher(row[0].strip()).replaceFirst(""), row);
            }
        }
    }

    private void record(String line) {
        int colon = line.indexOf(":run=");
        if (colon > 0) {
            records.put(line.substring(0, colon), ExitRecord.parse(line.substring(colon + 1)));
        }
    }
}
