package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.failure.RunMark;
import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Lost;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.status.HookLines;
import io.jenkins.plugins.tao.status.LauncherLines;
import io.jenkins.plugins.tao.status.MachineReader;
import io.jenkins.plugins.tao.status.StatusReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns what is observed of one job into events. No I/O and no clock: the same observations give the same events. */
public final class Tracker {
    /** How long a backend that answers may not know a job: accounting lags behind, directories appear late. */
    static final Duration UNKNOWN_TO_BACKEND = Duration.ofMinutes(10);

    /** How long lists of what was just submitted may lag behind. */
    private static final Duration JUST_SUBMITTED = Duration.ofMinutes(1);

    /** How long a job may run on after its status.json said SUCCESS before a person is told. */
    static final Duration HANGING = Duration.ofMinutes(10);

    private JobHandle handle;
    private final Map<Stream, StreamReader> logs = new EnumMap<>(Stream.class);
    private final List<Attempt> attempts;
    private StatusReader statusReader = new StatusReader();
    private Position statusPosition;
    /** Where this run's lines begin: what stands before them is an earlier run's and decides nothing. */
    private Position statusBase;

    private LauncherLines launcher = LauncherLines.NONE;
    /** The run that the launcher's lines are of, once its mark was read. */
    private int launcherRun;

    private JobStatus status = JobStatus.live(JobState.UNCLEAR, "");
    private String word;
    private int runs;
    private Instant since;
    private Instant lastWord;
    private Optional<Instant> absentSince = Optional.empty();
    private Optional<Instant> endSeen = Optional.empty();
    private Optional<Instant> doneSeen = Optional.empty();
    private final Optional<Duration> stallAfter;
    private Stall stall;
    private MachineReader machine = new MachineReader();
    private final Duration idleAfter;
    private Idle idle;
    private Waiting waiting = new Waiting();
    private Forecast forecast = new Forecast();
    private EarlyCourse early;
    private final Set<String> noticed = new HashSet<>();
    private final Gaps gaps = new Gaps();

    /** Follows a job as {@code plan} says. */
    public Tracker(WatchRecord record, WatchPlan plan, Instant now) {
        stallAfter = plan.logs() ? Optional.of(plan.stallAfter()) : Optional.empty();
        idleAfter = plan.idleAfter().orElse(WatchPlan.TELL_IDLE_AFTER);
        early = new EarlyCourse(plan.endEarly());
        idle = new Idle(idleAfter);
        handle = record.handle();
        attempts = new ArrayList<>(record.attempts());
        word = record.word();
        runs = record.runs();
        since = record.since();
        lastWord = now;
        stall = new Stall(stallAfter, now);
        statusBase = record.positions().getOrDefault(Stream.STATUS, Position.START);
        statusPosition = statusBase;
        record.positions().forEach((stream, at) -> {
            if (stream != Stream.STATUS) {
                logs.put(stream, new StreamReader(at));
            }
        });
    }

    public JobHandle handle() {
        return handle;
    }

    public JobStatus status() {
        return status;
    }

    public Progress progress() {
        return statusReader.progress();
    }

    public List<Attempt> attempts() {
        return List.copyOf(attempts);
    }

    public Instant since() {
        return since;
    }

    public Instant lastWord() {
        return lastWord;
    }

    public boolean ended() {
        return endSeen.isPresent();
    }

    public Instant endSeen() {
        return status.endedAt().or(() -> endSeen).orElse(lastWord);
    }

    /** What the backend said of the job. */
    public List<JobEvent> seen(JobStatus now, Instant at) {
        List<JobEvent> events = new ArrayList<>();
        lastWord = at;
        absentSince = Optional.empty();
        Optional<JobEvent> stalled = stall.look(now, at);
        if (now.runs() > runs && runs > 0) {
            forgetRun(now.runs());
        }
        boolean sameReason = status.reason().equals(now.reason()) || now.state() != JobState.PENDING;
        if (!now.nativeState().equals(word)
                || (!sameReason && !status.nativeState().isEmpty())) {
            events.add(new JobEvent.StatusChanged(word, now, inState(at)));
            since = now.nativeState().equals(word) ? since : at;
            word = now.nativeState();
        }
        now.notices().stream().filter(noticed::add).map(JobEvent.Notice::new).forEach(events::add);
        events.addAll(waiting.look(handle, now, at));
        runs = Math.max(runs, Math.max(now.runs(), Waiting.hasBegun(now) ? 1 : 0));
        status = now;
        if (now.state() != JobState.ENDED) {
            endSeen = Optional.empty();
            warnIfHanging(at, events);
            stalled.filter(event -> doneSeen.isEmpty()).ifPresent(events::add);
            foresee(now, at).ifPresent(events::add);
        } else if (endSeen.isEmpty()) {
            endSeen = Optional.of(at);
            gaps.ended();
        }
        return events;
    }

    /** As of this look, whose files are read next: what was read since the last one is as old as that. */
    private Optional<JobEvent> foresee(JobStatus now, Instant at) {
        if (now.state() != JobState.RUNNING) {
            forecast.interrupted();
            return Optional.empty();
        }
        forecast.advanced(progress(), at);
        return forecast.look(now, handle.timeLimit(), progress());
    }

    /** The submission was timed by the backend's clock, which may be ahead of ours. */
    private Duration inState(Instant at) {
        return at.isAfter(since) ? Duration.between(since, at) : Duration.ZERO;
    }

    /** The backend answered and does not know the job: that is reported at once, but for one that was just submitted. */
    public List<JobEvent> missed(Instant at) {
        boolean fresh = Duration.between(handle.submittedAt(), at).compareTo(JUST_SUBMITTED) < 0;
        String text = "'" + handle.target() + "' answers and does not know " + handle.shortName()
                + ": it was deleted, or the target is another place now. Unless it appears within "
                + UNKNOWN_TO_BACKEND.toMinutes() + " minutes, it counts as lost.";
        return !fresh && noticed.add(text) ? List.of(new JobEvent.Notice(text)) : List.of();
    }

    /** The backend answered and does not know the job; gives the outcome once that has lasted. */
    public Optional<Outcome> absent(Instant at) {
        Instant from = absentSince.orElse(at);
        absentSince = Optional.of(from);
        boolean tooLong = Duration.between(from, at).compareTo(UNKNOWN_TO_BACKEND) >= 0;
        return tooLong ? Optional.of(new Lost(lastWord)) : Optional.empty();
    }

    /** Why the job has to be ended before its start; empty while it may wait, and once it has run. */
    public Optional<String> unstarted(Instant at) {
        return runs > 0 ? Optional.empty() : waiting.inVain(handle, status, at);
    }

    /** Whether the last look shows a job that has begun and has not ended. */
    public boolean begunAndLive() {
        return status.state() != JobState.ENDED && Waiting.hasBegun(status);
    }

    /** Why the job counts as stalled; empty while it does not, and once its training says that it is done. */
    public Optional<String> stalled() {
        return ended() || doneSeen.isPresent() ? Optional.empty() : stall.stalled();
    }

    /** Why it counts as idle: none of its GPUs has computed anything for too long. */
    public Optional<String> idle() {
        return ended() || doneSeen.isPresent() ? Optional.empty() : idle.idle();
    }

    /** Why its metrics show that nothing good can come of it. */
    public Optional<String> earlyEnd() {
        return ended() ? Optional.empty() : early.why();
    }

    /** Where to read on; nothing while the job waits. */
    public Map<StreamRef, Position> wanted() {
        Map<StreamRef, Position> wanted = new LinkedHashMap<>();
        if (status.state() != JobState.PENDING && !status.nativeState().isEmpty()) {
            for (Stream stream : Stream.values()) {
                wanted.put(new StreamRef(handle, stream), position(stream));
            }
        }
        return wanted;
    }

    private Position position(Stream stream) {
        if (stream == Stream.STATUS) {
            return statusPosition;
        }
        StreamReader reader = logs.get(stream);
        return reader == null ? Position.START : reader.next();
    }

    /** Takes new bytes of a stream. */
    public List<JobEvent> read(Stream stream, Tail tail) {
        if (tail.gap().isPresent()) {
            gaps.missed(stream, tail.gap().get());
            return List.of();
        }
        gaps.closed(stream);
        if (stream == Stream.STATUS) {
            stall.heard();
            return readStatus(tail);
        }
        String lines = logs.computeIfAbsent(stream, key -> new StreamReader(Position.START))
                .take(tail);
        if (stream == Stream.MACHINE) {
            return readMachine(lines); // no word of the job itself
        }
        stall.heard();
        return readLines(stream, lines);
    }

    /** A read that succeeded had no news of a stream, so nothing of it is missing. */
    public void readWithoutNews(Stream stream) {
        gaps.closed(stream);
    }

    /** Lines of a log, and what they say of the commands around the job's own. */
    private List<JobEvent> readLines(Stream stream, String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        List<JobEvent> events = new ArrayList<>(List.of(new JobEvent.Lines(stream, text)));
        if (LauncherLines.maySpeak(text) || text.contains("tao: ")) { // launcher and frame of the job speak seldom
            text.lines().forEach(this::heed);
            HookLines.in(text).stream()
                    .filter(noticed::add)
                    .map(JobEvent.Notice::new)
                    .forEach(events::add);
        }
        return events;
    }

    private List<JobEvent> readMachine(String lines) {
        MachineReader.Told told = machine.take(lines.lines().toList());
        List<JobEvent> events = new ArrayList<>();
        if (!told.facts().isEmpty()) {
            events.add(new JobEvent.Machine(told.facts()));
        }
        if (!told.samples().isEmpty()) {
            events.add(new JobEvent.GpusUsed(told.samples()));
            idle.take(told.samples())
                    .filter(notice -> !ended() && doneSeen.isEmpty())
                    .ifPresent(events::add);
        }
        told.ended().forEach(idle::forget);
        return events;
    }

    private void heed(String line) {
        Optional<Integer> run = RunMark.of(line);
        if (run.isPresent() && run.get() > launcherRun) {
            launcherRun = run.get();
            launcher = LauncherLines.NONE;
        } else {
            launcher = launcher.after(line);
        }
    }

    private List<JobEvent> readStatus(Tail tail) {
        if (tail.restarted()) {
            statusReader.restart();
            early = early.again();
            statusBase = Position.START;
        }
        statusPosition = tail.next();
        Optional<Progress> advanced = statusReader.feed(tail.bytes());
        early.take(statusReader.measured());
        return advanced.<List<JobEvent>>map(
                        now -> List.of(new JobEvent.Advanced(now, statusReader.measured(), statusReader.lines())))
                .orElse(List.of());
    }

    /** Whether the job has ended and is not done with, because what it wrote could not be read yet. It waits for about a minute. */
    public boolean awaitsLogs(Instant at) {
        return endSeen.map(end -> gaps.awaited(Duration.between(end, at))).orElse(false);
    }

    /** Whether the last read of a stream failed. */
    public boolean isMissing(Stream stream) {
        return gaps.isOpen(stream);
    }

    /** Gives lines that never got their end, and tells of what could never be read. */
    public List<JobEvent> drain() {
        List<JobEvent> events = new ArrayList<>();
        logs.forEach((stream, reader) -> {
            String rest = reader.flush();
            events.addAll(stream == Stream.MACHINE ? readMachine(rest) : readLines(stream, rest));
        });
        gaps.words().stream().filter(noticed::add).map(JobEvent.Notice::new).forEach(events::add);
        return events;
    }

    /** How the job ended, once that can be told. */
    public Optional<Outcome> outcome(Optional<String> cancelledBy, Instant at) {
        return endSeen.flatMap(end -> new Verdict(
                        status,
                        statusReader.progress(),
                        statusReader.saysWorkDone(),
                        statusReader.trainedNothing() && attempts.isEmpty() && runs <= 1,
                        launcher,
                        cancelledBy,
                        Duration.between(end, at))
                .outcome());
    }

    /** Goes on with the next attempt. */
    public void next(Attempt ended, JobHandle next, Instant at) {
        attempts.add(ended);
        handle = next;
        forgetRun(1);
        launcherRun = 0;
        logs.clear();
        gaps.clear();
        status = JobStatus.live(JobState.PENDING, "");
        word = "";
        runs = 0;
        since = at;
        endSeen = Optional.empty();
        stall = new Stall(stallAfter, at);
        machine = new MachineReader();
        idle = new Idle(idleAfter);
        waiting = new Waiting();
    }

    /** What to keep for the next process; it reads this run's {@code status.json} anew, for its last word counts. */
    public WatchRecord record(Optional<String> cancelledBy) {
        Map<Stream, Position> positions = new EnumMap<>(Stream.class);
        logs.forEach((stream, reader) -> positions.put(stream, reader.told()));
        positions.put(Stream.STATUS, statusBase);
        return new WatchRecord(handle, positions, attempts, cancelledBy, Optional.empty(), word, since, runs);
    }

    private void forgetRun(int begun) {
        statusBase = statusPosition;
        statusReader = new StatusReader();
        early = early.again();
        if (launcherRun < begun) {
            launcher = LauncherLines.NONE; // else the log has come to the new run already
        }
        doneSeen = Optional.empty();
        forecast = new Forecast();
    }

    private void warnIfHanging(Instant at, List<JobEvent> events) {
        if (!progress().status().equals("SUCCESS")) {
            return;
        }
        if (doneSeen.isEmpty()) {
            doneSeen = Optional.of(at);
        } else if (Duration.between(doneSeen.get(), at).compareTo(HANGING) >= 0) {
            doneSeen = Optional.of(Instant.MAX);
            events.add(new JobEvent.Notice("status.json says SUCCESS since " + HANGING.toMinutes()
                    + " minutes, yet the job still runs: it may hang while ending. Cancel it if"
                    + " nothing more is expected."));
        }
    }
}
