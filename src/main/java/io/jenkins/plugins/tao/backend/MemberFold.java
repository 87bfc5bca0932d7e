package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outlook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/**
 * What the members of a job that has many amount to, each with an ending of its own. The whole lives as long as one of them does, has succeeded when all have with exit
 * code 0, and is tried again only when machines alone are to blame: the worst ending of a member is the whole's.
 */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class MemberFold {
    /** Stands in the reason of a member that waits in vain. */
    public static final String NEVER = "will never start";

    private static final String UNPROVEN = " left no exit record";

    /** The endings that decide, the most telling first: programs before people before the unknown before machines. */
    private static final List<Ending> WORST_FIRST = List.of(
            Ending.FAILED,
            Ending.OUT_OF_MEMORY,
            Ending.TIME_LIMIT,
            Ending.DEADLINE,
            Ending.LAUNCH_FAILURE,
            Ending.NOT_STARTED,
            Ending.CANCELLED,
            Ending.KILLED,
            Ending.UNKNOWN,
            Ending.NODE_FAILURE,
            Ending.BOOT_FAILURE,
            Ending.PREEMPTED);

    /** These strike a program from outside: not when it had ended well before. */
    private static final Set<Ending> MACHINES = Set.of(Ending.NODE_FAILURE, Ending.BOOT_FAILURE, Ending.PREEMPTED);

    private static final List<JobState> LIVELIEST_FIRST =
            List.of(JobState.RUNNING, JobState.PAUSED, JobState.UNCLEAR, JobState.PENDING);

    /** More nodes than these are of no use to a reader. */
    private static final int NODES = 64;

    private final List<MemberStatus> members;
    private final int before;

    /**
     * Folds one look.
     *
     * @param indices of the members of this attempt, in order
     * @param known what is known of the members, by index; one without an entry is in nobody's memory
     * @param before the members that earlier attempts completed
     */
    public static MemberFold of(Collection<Integer> indices, Map<Integer, JobStatus> known, Set<Integer> before) {
        List<MemberStatus> members = indices.stream()
                .map(index -> new MemberStatus(
                        index, Optional.ofNullable(known.get(index)).map(MemberFold::told)))
                .toList();
        return new MemberFold(members, before.size());
    }

    private static JobStatus told(JobStatus status) {
        Ending ending = status.ending().orElse(Ending.UNKNOWN);
        if (ending == Ending.COMPLETED && status.interruption().isPresent()) {
            return as(JobStatus.ended(Ending.FAILED, "INTERRUPTED"), status);
        }
        int code = status.exitCode().orElse(ending == Ending.COMPLETED ? 0 : 1);
        if (MACHINES.contains(ending) && code == 0) {
            return as(JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0), status);
        }
        return ending == Ending.COMPLETED && code != 0
                ? as(JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(code), status)
                : status;
    }

    private static JobStatus as(JobStatus ended, JobStatus status) {
        JobStatus timed = ended.withNodes(status.nodes()).withTimes(status.startedAt(), status.endedAt());
        return status.ran().map(timed::withRan).orElse(timed);
    }

    /** The indices of the members that ended badly, in order. */
    public List<Integer> failed() {
        return bad().stream().map(MemberStatus::index).toList();
    }

    /** The whole; empty when nothing is known of any member. */
    public Optional<JobStatus> status() {
        if (members.stream().noneMatch(MemberStatus::isKnown)) {
            return Optional.empty();
        }
        JobStatus whole = members.stream().anyMatch(MemberStatus::lives) ? live() : ended();
        for (String notice : new MemberNotices(members, before).render()) {
            whole = whole.withNotice(notice);
        }
        return Optional.of(whole);
    }

    private JobStatus live() {
        boolean begun = members.stream().anyMatch(member -> member.hasEnded() || member.hasStarted());
        MemberStatus liveliest = members.stream()
                .filter(MemberStatus::lives)
                .min(Comparator.comparingInt(member -> LIVELIEST_FIRST.indexOf(member.state())))
                .orElseThrow();
        if (liveliest.state() == JobState.PENDING && !begun) {
            return JobStatus.live(JobState.PENDING, liveliest.word())
                    .withReason(whyItWaits())
                    .withOutlook(outlook());
        }
        boolean between = liveliest.state() == JobState.PENDING;
        return JobStatus.live(between ? JobState.RUNNING : liveliest.state(), between ? "RUNNING" : liveliest.word())
                .withReason(progress())
                .withNodes(nodes(MemberStatus::lives))
                .withTimes(earliest(JobStatus::startedAt), Optional.empty())
                .withRuns(1);
    }

    /** The whole starts with its first member, and never when all of them wait in vain. */
    private Outlook outlook() {
        List<Outlook> each = members.stream()
                .flatMap(member -> member.status().stream())
                .map(JobStatus::outlook)
                .toList();
        return new Outlook(
                !each.isEmpty() && each.stream().allMatch(Outlook::never),
                each.stream().flatMap(one -> one.start().stream()).min(Comparator.naturalOrder()));
    }

    /** That members wait for each other is no reason when another is to be had. */
    private String whyItWaits() {
        List<String> reasons = members.stream()
                .flatMap(member -> member.status().stream())
                .flatMap(status -> status.reason().stream())
                .toList();
        return reasons.stream()
                .filter(reason -> !reason.startsWith("JobArrayTaskLimit"))
                .findFirst()
                .or(() -> reasons.stream().findFirst())
                .orElse("");
    }

    private String progress() {
        long ended = before + members.stream().filter(MemberStatus::hasEnded).count();
        List<MemberStatus> bad = bad();
        String rest = members.stream().anyMatch(member -> member.state() == JobState.PENDING)
                        && members.stream().noneMatch(member -> member.state() == JobState.RUNNING)
                ? "; the next waits: " + whyItWaits()
                : "";
        return ended + " of " + total() + " members have ended" + (bad.isEmpty() ? "" : ", " + bad.size() + " badly")
                + rest;
    }

    private JobStatus ended() {
        List<MemberStatus> bad = bad();
        JobStatus whole = bad.isEmpty() ? completed() : failed(bad);
        JobStatus timed =
                whole.withTimes(earliest(JobStatus::startedAt), latestEnd()).withRuns(1);
        List<Duration> ran =
                members.stream().flatMap(member -> member.ran().stream()).toList();
        int untimed = (int) members.stream().filter(member -> !member.isTimed()).count();
        return ran.isEmpty()
                ? timed
                : timed.withRan(ran.stream().reduce(Duration.ZERO, Duration::plus))
                        .withUntimed(untimed);
    }

    private JobStatus completed() {
        List<MemberStatus> unproven =
                members.stream().filter(member -> member.exitCode().isEmpty()).toList();
        JobStatus whole = JobStatus.ended(Ending.COMPLETED, "COMPLETED").withNodes(nodes(member -> true));
        return unproven.isEmpty()
                ? whole.withExitCode(0).withMembers("All " + total() + " members have completed.")
                : whole.withMembers(unproven.size() + " of " + total() + " members left no exit record: "
                        + MemberStatus.list(unproven) + ".");
    }

    private JobStatus failed(List<MemberStatus> bad) {
        boolean sure = members.stream().allMatch(MemberStatus::isKnown);
        MemberStatus worst = bad.stream()
                .min(Comparator.comparingInt(member -> WORST_FIRST.indexOf(member.ending())))
                .orElseThrow();
        boolean program = worst.ending() == Ending.FAILED;
        // While a member may only be late in telling, nothing is decided that cannot be taken back: see Verdict.
        Ending ending = sure || program ? worst.ending() : Ending.UNKNOWN;
        String text = bad.size() + " of " + total() + " members failed: " + MemberStatus.list(bad) + unproven();
        JobStatus whole = JobStatus.ended(ending, ending == worst.ending() ? worst.word() : "UNKNOWN")
                .withReason(ending == Ending.CANCELLED ? cancellers(bad) + " (" + text + ")" : "")
                .withMembers(text + ".")
                .withNodes(nodes(member -> MACHINES.contains(member.ending())));
        OptionalInt code = code(bad);
        return sure && code.isPresent() ? whole.withExitCode(code.getAsInt()) : whole;
    }

    /** Who cancelled members, each once; the scheduler where none tells. */
    private static String cancellers(List<MemberStatus> bad) {
        String names = bad.stream()
                .filter(member -> member.ending() == Ending.CANCELLED)
                .flatMap(member -> member.status().stream())
                .flatMap(status -> status.reason().stream())
                .distinct()
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "the scheduler" : names;
    }

    /** Of those that did not fail: an end without an exit record is no success. */
    private String unproven() {
        long count = members.stream()
                .filter(member -> !member.endedBadly() && member.exitCode().isEmpty())
                .count();
        return count == 0 ? "" : "; " + count + UNPROVEN;
    }

    /** That of the lowest member which failed with one that tells something. */
    private static OptionalInt code(Collection<MemberStatus> bad) {
        List<Integer> codes = bad.stream()
                .filter(member -> member.exitCode().isPresent())
                .map(member -> member.exitCode().getAsInt())
                .toList();
        return Stream.concat(codes.stream().filter(code -> code != 0), codes.stream())
                .mapToInt(Integer::intValue)
                .findFirst();
    }

    private List<MemberStatus> bad() {
        return members.stream().filter(MemberStatus::endedBadly).toList();
    }

    private int total() {
        return members.size() + before;
    }

    private List<String> nodes(Predicate<MemberStatus> which) {
        return members.stream()
                .filter(which)
                .flatMap(member -> member.status().stream())
                .flatMap(status -> status.nodes().stream())
                .distinct()
                .limit(NODES)
                .toList();
    }

    private Optional<Instant> earliest(Function<JobStatus, Optional<Instant>> time) {
        return times(time).stream().min(Comparator.naturalOrder());
    }

    private Optional<Instant> latestEnd() {
        return times(JobStatus::endedAt).stream().max(Comparator.naturalOrder());
    }

    private List<Instant> times(Function<JobStatus, Optional<Instant>> time) {
        List<Instant> times = new ArrayList<>();
        members.forEach(member -> member.status().flatMap(time).ifPresent(times::add));
        return times;
    }
}
