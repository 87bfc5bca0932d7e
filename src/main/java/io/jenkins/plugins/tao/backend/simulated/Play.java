package io.jenkins.plugins.tao.backend.simulated;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outlook;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One attempt as it is played, from its submission to its end: known in advance, and looked at as of an instant. Pure.
 *
 * @param attempt which
 * @param waitsFor why it waits
 * @param outlook what is expected of it while it waits
 * @param nodes the machines it gets
 * @param startsAt when its command starts; empty if never
 * @param end its own end; empty if never
 * @param moments what it writes, in order
 * @param epochsAt when each epoch that it trains ends
 * @param firstEpoch the first of these, from 0
 */
record Play(
        PlayAttempt attempt,
        String waitsFor,
        Outlook outlook,
        List<String> nodes,
        Optional<Instant> startsAt,
        Optional<End> end,
        List<Moment> moments,
        List<Instant> epochsAt,
        int firstEpoch) {

    /** Some text that appears in a stream at an instant. */
    record Moment(Instant at, Stream stream, String text) {}

    /** How it ends by itself. */
    record End(Instant at, Ending ending, String word, OptionalInt exitCode, String reason) {}

    /** All attempts of a job: each goes on where the one before it was, as from a checkpoint. */
    static List<Play> all(PlayRequest request, List<PlayAttempt> attempts) {
        List<Play> plays = new ArrayList<>();
        int epoch = 0;
        for (PlayAttempt attempt : attempts) {
            Play play = new PlayWriter(request, attempt, epoch).write();
            plays.add(play);
            epoch = play.firstEpoch + play.epochsBy(Instant.MAX);
        }
        return plays;
    }

    /** Whether its end was asked for before it came by itself. */
    private Optional<Instant> cutAt() {
        return attempt.cancelledAt()
                .filter(cancelled ->
                        end.map(own -> cancelled.isBefore(own.at())).orElse(true));
    }

    private Instant seenUntil(Instant now) {
        return cutAt().filter(cut -> cut.isBefore(now)).orElse(now);
    }

    private int epochsBy(Instant now) {
        Instant until = seenUntil(now);
        return (int) epochsAt.stream().filter(at -> !at.isAfter(until)).count();
    }

    /** The epochs whose checkpoint lies there at {@code now}, from 0. */
    List<Integer> epochsDone(Instant now) {
        List<Integer> epochs = new ArrayList<>();
        for (int i = 0; i < epochsBy(now); i++) {
            epochs.add(firstEpoch + i);
        }
        return epochs;
    }

    /** What a stream holds at {@code now}. */
    String text(Stream stream, Instant now) {
        Instant until = seenUntil(now);
        StringBuilder text = new StringBuilder();
        for (Moment moment : moments) {
            if (moment.stream() == stream && !moment.at().isAfter(until)) {
                text.append(moment.text()).append('\n');
            }
        }
        return text.toString();
    }

    /** How it looks at {@code now}. */
    JobStatus status(Instant now) {
        Optional<Instant> cut = cutAt().filter(at -> !at.isAfter(now));
        if (cut.isPresent()) {
            return JobStatus.ended(Ending.CANCELLED, "CANCELLED")
                    .withTimes(begunBy(cut.get()), cut)
                    .withNodes(begunBy(cut.get()).isPresent() ? nodes : List.of())
                    .withRuns(begunBy(cut.get()).isPresent() ? 1 : 0);
        }
        Optional<End> ended = end.filter(own -> !own.at().isAfter(now));
        if (ended.isPresent()) {
            return ended(ended.get());
        }
        return begunBy(now).isPresent()
                ? JobStatus.live(JobState.RUNNING, "RUNNING")
                        .withNodes(nodes)
                        .withTimes(startsAt, Optional.empty())
                        .withRuns(1)
                : JobStatus.live(JobState.PENDING, "PENDING")
                        .withReason(waitsFor)
                        .withOutlook(outlook);
    }

    private JobStatus ended(End own) {
        JobStatus status = JobStatus.ended(own.ending(), own.word())
                .withReason(own.reason())
                .withNodes(nodes)
                .withTimes(startsAt, Optional.of(own.at()))
                .withRuns(1);
        return own.exitCode().isPresent() ? status.withExitCode(own.exitCode().getAsInt()) : status;
    }

    private Optional<Instant> begunBy(Instant now) {
        return startsAt.filter(at -> !at.isAfter(now));
    }
}
