package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Outcome.Lost;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.status.LauncherLines;
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
final class Tracker {
    /** How long a backend that answers may not know a job: accounting lags behind, directories appear late. */
    static final Duration UNKNOWN_TO_BACKEND = Duration.ofMinutes(10);

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
    private JobStatus status = JobStatus.live(JobState.UNCLEAR, "");
    private String word;
    private int runs;
    private Instant since;
    private Instant lastWord;
    private Optional<Instant> absentSince = Optional.empty();
    private Optional<Instant> endSeen = Optional.empty();
    private Optional<Instant> doneSeen = Optional.empty();
    private Stall stall;
    private final Set<String> noticed = new HashSet<>();

    Tracker(WatchRecord record, Instant now) {
        handle = record.handle();
        attempts = new ArrayList<>(record.attempts());
        word = record.word();
        runs = record.runs();
        since = record.since();
        lastWord = now;
        stall = new Stall(now);
        statusBase = record.positions().getOrDefault(Stream.STATUS, Position.START);
        statusPosition = statusBase;
        record.positions().forEach((stream, at) -> {
            if (stream != Stream.STATUS) {
                logs.put(stream, new StreamReader(at));
            }
        });
    }

    JobHandle handle() {
        return handle;
    }

    JobStatus status() {
        return status;
    }

    Progress progress() {
        return statusReader.progress();
    }

    List<Attempt> attempts() {
        return List.copyOf(attempts);
    }

    Instant since() {
        return since;
    }

    Instant lastWord() {
        return lastWord;
    }

    boolean ended() {
        return endSeen.isPresent();
    }

    Instant endSeen() {
        return status.endedAt().or(() -> endSeen).orElse(lastWord);
    }

    /** What the backend said of the job. */
    List<JobEvent> seen(JobStatus now, Instant at) {
        List<JobEvent> events = new ArrayList<>();
        lastWord = at;
        absentSince = Optional.empty();
        Optional<JobEvent> stalled = stall.look(now, at);
        if (now.runs() > runs && runs > 0) {
            forgetRun();
        }
        boolean sameReason = status.reason().equals(now.reason()) || now.state() != JobState.PENDING;
        if (!now.nativeState().equals(word)
                || (!sameReason && !status.nativeState().isEmpty())) {
            events.add(new JobEvent.StatusChanged(word, now, inState(at)));
            since = now.nativeState().equals(word) ? since : at;
            word = now.nativeState();
        }
        now.notices().stream().filter(noticed::add).map(JobEvent.Notice::new).forEach(events::add);
        runs = Math.max(runs, now.runs());
        status = now;
        if (now.state() != JobState.ENDED) {
            endSeen = Optional.empty();
            warnIfHanging(at, events);
            stalled.filter(event -> doneSeen.isEmpty()).ifPresent(events::add);
        } else if (endSeen.isEmpty()) {
            endSeen = Optional.of(at);
        }
        return events;
    }

    /** The submission was timed by the backend's clock, which may be ahead of ours. */
    private Duration inState(Instant at) {
        return at.isAfter(since) ? Duration.between(since, at) : Duration.ZERO;
    }

    /** The backend answered and does not know the job; gives the outcome once that has lasted. */
    Optional<Outcome> absent(Instant at) {
        Instant from = absentSince.orElse(at);
        absentSince = Optional.of(from);
        boolean tooLong = Duration.between(from, at).compareTo(UNKNOWN_TO_BACKEND) >= 0;
        return tooLong ? Optional.of(new Lost(lastWord)) : Optional.empty();
    }

    /** Where to read on; nothing while the job waits. */
    Map<StreamRef, Position> wanted() {
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
    List<JobEvent> read(Stream stream, Tail tail) {
        stall.heard();
        if (stream == Stream.STATUS) {
            return readStatus(tail);
        }
        List<String> lines = logs.computeIfAbsent(stream, key -> new StreamReader(Position.START))
                .take(tail);
        lines.forEach(line -> launcher = launcher.after(line));
        return lines.isEmpty() ? List.of() : List.of(new JobEvent.Lines(stream, lines));
    }

    private List<JobEvent> readStatus(Tail tail) {
        if (tail.restarted()) {
            statusReader.restart();
            statusBase = Position.START;
        }
        statusPosition = tail.next();
        return statusReader
                .feed(tail.bytes())
                .<List<JobEvent>>map(now -> List.of(new JobEvent.Advanced(now)))
                .orElse(List.of());
    }

    /** Gives lines that never got their end. */
    List<JobEvent> drain() {
        List<JobEvent> events = new ArrayList<>();
        logs.forEach((stream, reader) -> {
            List<String> rest = reader.flush();
            rest.forEach(line -> launcher = launcher.after(line));
            if (!rest.isEmpty()) {
                events.add(new JobEvent.Lines(stream, rest));
            }
        });
        return events;
    }

    /** How the job ended, once that can be told. */
    Optional<Outcome> outcome(Optional<String> cancelledBy, Instant at) {
        return endSeen.flatMap(end -> new Verdict(
                        status,
                        statusReader.progress(),
                        statusReader.saysWorkDone(),
                        launcher,
                        cancelledBy,
                        Duration.between(end, at))
                .outcome());
    }

    /** Goes on with the next attempt. */
    JobEvent.AttemptStarted next(Failed failure, JobHandle next, Instant at) {
        Attempt ended = new Attempt(handle.attempt(), handle.nativeId(), failure.cause(), failure.detail(), at);
        attempts.add(ended);
        handle = next;
        forgetRun();
        logs.clear();
        status = JobStatus.live(JobState.PENDING, "");
        word = "";
        runs = 0;
        since = at;
        endSeen = Optional.empty();
        stall = new Stall(at);
        return new JobEvent.AttemptStarted(ended, next);
    }

    /** What to keep for the next process; it reads this run's {@code status.json} anew, for its last word counts. */
    WatchRecord record(Optional<String> cancelledBy) {
        Map<Stream, Position> positions = new EnumMap<>(Stream.class);
        logs.forEach((stream, reader) -> positions.put(stream, reader.told()));
        positions.put(Stream.STATUS, statusBase);
        return new WatchRecord(handle, positions, attempts, cancelledBy, word, since, runs);
    }

    private void forgetRun() {
        statusBase = statusPosition;
        statusReader = new StatusReader();
        launcher = LauncherLines.NONE;
        doneSeen = Optional.empty();
    }

    private void warnIfHanging(Instant at, List<JobEvent> events) {
        if (!progress().status().equals("SUCCESS")) {
            return;
        }
        if (doneSeen.isEmpty()) {
            doneSeen = Optional.of(at);
        } else if (Duration.between(doneSeen.get(), at).compareTo(HANGING) >= 0) {
            doneSeen = Optional.of(Instant.MAX);
            events.add(
                    new JobEvent.Notice(
                            "status.json says SUCCESS since " + HANGING.toMinutes()
                                    + " minutes, yet the job still runs: it may hang while ending. Cancel it if nothing more is expected."));
        }
    }
}
