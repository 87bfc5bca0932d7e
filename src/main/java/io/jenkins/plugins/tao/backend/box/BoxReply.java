package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.box.diagnosis.BoxDeath;
import io.jenkins.plugins.tao.backend.box.options.BoxRules;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads what the scripts of {@link BoxScript} answer. Pure. */
public final class BoxReply {
    private static final Pattern STARTED = Pattern.compile("(?m)^started (\\d{1,15})$");
    private static final Pattern JOB = Pattern.compile(
            "job (\\d{1,9}) (\\w+) (\\d{1,15}|-) (\\d{1,15}|-) (\\d{1,3}|-) (\\d{1,15}|-) (\\S+) (\\S+) (\\S+) ?(.*)");
    private static final Pattern JOB_LINE = Pattern.compile("job (\\d{1,9}) .*");
    private static final Pattern FACT = Pattern.compile("fact (\\d{1,9}) (.+)");
    private static final Pattern ROOM = Pattern.compile("(?m)^room (\\d{1,18}) (\\d{1,18})$");
    private static final String LAUNCH = "launch ";
    private static final String ASKED = "asked ";
    private static final String LEFT = "left ";
    private static final int MOST_NAMED = 8;
    private static final long KIB_PER_GIB = 1024 * 1024;

    private final BoxPlace place;
    private final String text;
    private final Map<Integer, List<String>> facts = new HashMap<>();

    private BoxReply(BoxPlace place, String text) {
        this.place = place;
        this.text = text;
        text.lines()
                .map(FACT::matcher)
                .filter(Matcher::matches)
                .forEach(line -> facts.computeIfAbsent(Integer.valueOf(line.group(1)), key -> new ArrayList<>())
                        .add(line.group(2)));
    }

    /** When an attempt was taken, as its wrapper wrote it down. */
    static Instant started(String text) throws Unreadable {
        Matcher match = STARTED.matcher(text);
        if (!match.find()) {
            throw new Unreadable("The answer to a submission has no start", text, "Submit again; it finds the job.");
        }
        return Instant.ofEpochSecond(Long.parseLong(match.group(1)));
    }

    /** One look at {@code jobs}, in the order in which they were asked after. */
    public static Map<JobHandle, JobStatus> poll(BoxPlace place, String text, List<JobHandle> jobs) throws Unreadable {
        if (!text.endsWith("poll-end\n")) {
            throw new Unreadable("The states of the jobs broke off", text, "They are asked for again.");
        }
        BoxReply reply = new BoxReply(place, text);
        Map<JobHandle, JobStatus> found = new LinkedHashMap<>();
        text.lines().map(JOB_LINE::matcher).filter(Matcher::matches).forEach(line -> {
            int number = Integer.parseInt(line.group(1));
            if (number < jobs.size()) {
                found.put(jobs.get(number), reply.status(number, line.group()));
            }
        });
        return found;
    }

    /** What such a look told of leases. */
    static List<String> leases(String text) {
        return text.lines()
                .filter(line -> line.startsWith(BoxScript.LEASE))
                .map(line -> line.substring(BoxScript.LEASE.length()))
                .toList();
    }

    /** A job whose notes cannot be read is there all the same: only one without a line is unknown to the place. */
    private JobStatus status(int number, String text) {
        Matcher line = JOB.matcher(text);
        return line.matches()
                ? status(number, line)
                : JobStatus.live(JobState.UNCLEAR, "UNREADABLE")
                        .withReason("the notes of this job cannot be read: " + text);
    }

    private JobStatus status(int number, Matcher line) {
        OptionalInt code =
                line.group(5).equals("-") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(line.group(5)));
        Set<String> flags = Set.of(line.group(7).replaceFirst("^,", "").split(",", -1));
        JobStatus status = live(line)
                .filter(live -> code.isEmpty())
                .orElseGet(() -> ended(code, flags, facts.getOrDefault(number, List.of())));
        // a job that is ended in the queue has one time for both
        boolean withdrawn = flags.contains("cancel") && line.group(4).equals(line.group(6));
        boolean begun = !withdrawn && !line.group(4).equals("-");
        return status.withNodes(status.state() == JobState.PENDING ? List.of() : List.of(place.name()))
                .withTimes(begun ? time(line.group(4)) : Optional.empty(), time(line.group(6)))
                .withRuns(begun ? 1 : 0);
    }

    private Optional<JobStatus> live(Matcher line) {
        String gpus = line.group(8).equals("-") ? "" : "GPU " + line.group(8);
        return switch (line.group(2)) {
            case "alive", "away" -> Optional.of(staged(line.group(9), line.group(10), gpus));
            case "orphan" ->
                Optional.of(JobStatus.live(JobState.RUNNING, "ORPHANED")
                        .withReason("its wrapper is gone, its command still runs; the exit code will not be known"));
            case "staged" ->
                line.group(7).contains("cancel")
                        ? Optional.empty()
                        : Optional.of(JobStatus.live(JobState.PENDING, "STAGED"));
            default -> Optional.empty();
        };
    }

    private JobStatus staged(String stage, String why, String gpus) {
        return switch (stage) {
            case "QUEUED" -> JobStatus.live(JobState.PENDING, "QUEUED").withReason(why);
            case "PREPARING" -> JobStatus.live(JobState.RUNNING, "PREPARING").withReason(why);
            case "RUNNING" -> running(gpus);
            case "AWAY" ->
                JobStatus.live(JobState.UNCLEAR, "ENGINE_AWAY")
                        .withReason("the container engine does not answer, so whether the container runs is not known; "
                                + why);
            default -> JobStatus.live(JobState.PENDING, "STARTING");
        };
    }

    /** A disk that runs full is a word of its own, so that it is told once, when it begins. */
    private JobStatus running(String gpus) {
        Matcher room = ROOM.matcher(text);
        if (room.find()) {
            long gib = Long.parseLong(room.group(1)) / KIB_PER_GIB;
            long inodes = Long.parseLong(room.group(2));
            BoxRules rules = place.settings().rules();
            if (gib < rules.diskFloor() || (inodes > 0 && inodes < rules.inodeFloor())) {
                return JobStatus.live(JobState.RUNNING, "DISK_LOW")
                        .withReason("only " + gib + " GiB and " + inodes + " inodes are left below " + place.base()
                                + "; on the command line, tao box largest " + place.name() + " shows what fills it");
            }
        }
        return JobStatus.live(JobState.RUNNING, "RUNNING").withReason(gpus);
    }

    private JobStatus ended(OptionalInt code, Set<String> flags, List<String> facts) {
        JobStatus status;
        if (flags.contains("cancel")) {
            status = JobStatus.ended(Ending.CANCELLED, "CANCELLED").withReason(asker(facts));
        } else if (flags.contains("time-limit")) {
            status = JobStatus.ended(Ending.TIME_LIMIT, "TIME_LIMIT");
        } else {
            status = neverStarted(facts).orElseGet(() -> byItself(code, facts));
        }
        status = left(facts).map(status::withNotice).orElse(status);
        return code.isPresent() ? status.withExitCode(code.getAsInt()) : status;
    }

    /** Who asked for its end; empty where that is not noted. */
    private static String asker(List<String> facts) {
        return facts.stream()
                .filter(fact -> fact.startsWith(ASKED))
                .map(fact -> fact.substring(ASKED.length()).strip())
                .findFirst()
                .orElse("");
    }

    /** A job whose command was not started, in the words of what refused it. */
    private static Optional<JobStatus> neverStarted(List<String> facts) {
        return facts.stream()
                .filter(fact -> fact.startsWith(LAUNCH))
                .map(fact -> JobStatus.ended(Ending.LAUNCH_FAILURE, "NOT_STARTED")
                        .withReason(fact.substring(LAUNCH.length()).strip().replaceFirst("\\.$", "")))
                .findFirst();
    }

    /** What outlives a job that has ended: lines of a pid and a name. */
    private Optional<String> left(List<String> facts) {
        List<String[]> processes = facts.stream()
                .filter(fact -> fact.startsWith(LEFT))
                .map(fact -> fact.substring(LEFT.length()).split(" ", 2))
                .toList();
        if (processes.isEmpty()) {
            return Optional.empty();
        }
        String names = processes.stream()
                .limit(MOST_NAMED)
                .map(process -> process[0] + (process.length > 1 ? " (" + process[1] + ")" : ""))
                .collect(Collectors.joining(", "));
        String pids = processes.stream().map(process -> process[0]).collect(Collectors.joining(" "));
        return Optional.of("The command has ended, and " + processes.size() + " of its processes still ran on '"
                + place.name() + "': " + names + ". They may hold a GPU; end them there with: kill " + pids);
    }

    private static JobStatus byItself(OptionalInt code, List<String> facts) {
        Optional<BoxDeath> death = code.isPresent() && facts.isEmpty() ? Optional.empty() : BoxDeath.of(facts, code);
        if (death.isPresent()) {
            return JobStatus.ended(death.get().ending(), code.isPresent() ? "EXITED" : "GONE")
                    .withReason(death.get().what());
        }
        return JobStatus.ended(code.orElse(1) == 0 ? Ending.COMPLETED : Ending.FAILED, "EXITED");
    }

    private static Optional<Instant> time(String epoch) {
        return epoch.equals("-") ? Optional.empty() : Optional.of(Instant.ofEpochSecond(Long.parseLong(epoch)));
    }
}
