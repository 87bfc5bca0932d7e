package io.jenkins.plugins.tao.placing;

import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.journal.RecordJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Who has a turn on one target and who waits for one; pure. Whoever asked first goes first: a small job does not pass a large one,
 * else the large one might never go. Only a job that its folder's limit keeps is passed, by jobs outside that folder.
 *
 * @param held the jobs that count
 * @param waiting the jobs that wait, in their order
 * @param sent when turns were given, as seconds since 1970, as far as a rate looks back
 */
record TurnList(List<Held> held, List<Asker> waiting, List<Long> sent) {
    static final TurnList EMPTY = new TurnList(List.of(), List.of(), List.of());

    /** A place whose owner has not asked for this long is passed over until it asks again: its program may be gone. */
    static final Duration QUIET = Duration.ofMinutes(3);

    /** Each change of the list is a write that survives a crash: that somebody asked again is noted seldom. */
    private static final long SEEN_SECONDS = 60;

    private static final Duration SOONEST = Duration.ofSeconds(10);
    private static final Duration LATEST = Duration.ofMinutes(1);
    private static final int LONGEST_RATE = 1000;

    TurnList {
        held = List.copyOf(held);
        waiting = List.copyOf(waiting);
        sent = List.copyOf(sent);
    }

    /**
     * A job that counts.
     *
     * @param token finds it on its target; empty while it is being sent
     * @param at when it got its turn, as seconds since 1970
     * @param missing since when its target answers and does not know it; 0 while it does
     * @param folder of the job; empty for none, and where an earlier version noted none
     */
    record Held(String key, int gpus, String token, long at, long missing, String folder) {
        Held {
            folder = kept(folder);
        }

        Held with(String newToken, long newMissing) {
            return new Held(key, gpus, newToken, at, newMissing, folder);
        }
    }

    /**
     * A job that waits.
     *
     * @param since when it asked first, as seconds since 1970
     * @param seen when it asked last
     */
    record Asker(String key, int gpus, long since, long seen, String folder) {
        Asker {
            folder = kept(folder);
        }
    }

    private static String kept(@Nullable String folder) {
        return Objects.requireNonNullElse(folder, "");
    }

    /** What was answered, and the list after it. */
    record Asked(Turn turn, TurnList after) {}

    /** Asks for a turn; whoever has one already keeps it. */
    Asked ask(Limits limits, Ask job, Instant now) {
        long second = now.getEpochSecond();
        Optional<Held> own =
                held.stream().filter(one -> one.key().equals(job.key())).findFirst();
        if (own.isPresent()) {
            return new Asked(Turn.now(Instant.ofEpochSecond(own.get().at())), this);
        }
        Asker asker = asker(job, second);
        List<Asker> queue = queue(asker);
        long place = 1
                + queue.stream()
                        .takeWhile(one -> !one.key().equals(job.key()))
                        .filter(one -> second - one.seen() < QUIET.toSeconds())
                        .filter(one -> full(limits.coveringOnly(one.folder(), job.folder()), one.gpus())
                                .isEmpty())
                        .count();
        List<Limit> covering = limits.covering(job.folder());
        Optional<String> reason = place > 1
                ? behindOthers(covering, job.gpus())
                : full(covering, job.gpus()).or(() -> tooFast(limits, second));
        if (place == 1 && reason.isEmpty()) {
            List<Held> more = new ArrayList<>(held);
            more.add(new Held(job.key(), job.gpus(), "", second, 0, job.folder()));
            queue.removeIf(one -> one.key().equals(job.key()));
            return new Asked(
                    Turn.now(Instant.ofEpochSecond(asker.since())), new TurnList(more, queue, sentWith(second)));
        }
        String why = Sentences.ordinal(place) + " in the queue of target " + limits.target()
                + reason.map(known -> ": " + known).orElse("");
        return new Asked(
                new Turn(false, why, Instant.ofEpochSecond(asker.since()), again(place)),
                new TurnList(held, queue, sent));
    }

    private Optional<String> behindOthers(List<Limit> limits, int gpus) {
        return limits.stream()
                .filter(limit -> full(limit, gpus).isPresent())
                .findFirst()
                .or(() -> limits.stream().findFirst())
                .map(this::state);
    }

    private Asker asker(Ask job, long second) {
        return waiting.stream()
                .filter(one -> one.key().equals(job.key()))
                .findFirst()
                .map(one -> second - one.seen() < SEEN_SECONDS
                        ? one
                        : new Asker(job.key(), job.gpus(), one.since(), second, job.folder()))
                .orElse(new Asker(job.key(), job.gpus(), second, second, job.folder()));
    }

    private static Duration again(long place) {
        Duration time = SOONEST.plusSeconds(place / 5);
        return time.compareTo(LATEST) < 0 ? time : LATEST;
    }

    private List<Asker> queue(Asker asker) {
        List<Asker> queue = new ArrayList<>(waiting);
        int at = -1;
        for (int i = 0; i < queue.size(); i++) {
            at = queue.get(i).key().equals(asker.key()) ? i : at;
        }
        if (at < 0) {
            queue.add(asker);
        } else {
            queue.set(at, asker);
        }
        return queue;
    }

    private List<Long> sentWith(long second) {
        List<Long> times = new ArrayList<>(sent);
        times.add(second);
        return times.subList(Math.max(0, times.size() - LONGEST_RATE), times.size());
    }

    /** Which of {@code limits} keeps a job that is first from being sent. One that is larger than a limit goes when nobody else is there. */
    private Optional<String> full(List<Limit> limits, int gpus) {
        return limits.stream().flatMap(limit -> full(limit, gpus).stream()).findFirst();
    }

    private Optional<String> full(Limit limit, int gpus) {
        boolean jobs = limit.jobs().isPresent() && count(limit) >= limit.jobs().getAsInt();
        int used = used(limit);
        boolean cards = limit.gpus().isPresent()
                && gpus > 0
                && used > 0
                && used + gpus > limit.gpus().getAsInt();
        return jobs || cards
                ? Optional.of(state(limit) + (cards ? ", and this job asks for " + gpus : ""))
                : Optional.empty();
    }

    private Optional<String> tooFast(Limits limits, long second) {
        return limits.rate()
                .filter(rate -> since(second - rate.time().toSeconds()) >= rate.jobs())
                .map(rate -> "no more than " + rate + " are sent");
    }

    private long since(long second) {
        return sent.stream().filter(time -> time > second).count();
    }

    private long count(Limit limit) {
        return held.stream().filter(job -> limit.covers(job.folder())).count();
    }

    private int used(Limit limit) {
        return held.stream()
                .filter(job -> limit.covers(job.folder()))
                .mapToInt(Held::gpus)
                .sum();
    }

    private String state(Limit limit) {
        List<String> words = new ArrayList<>();
        amount(limit.gpus()).ifPresent(most -> words.add(used(limit) + " of " + most + " GPUs in use"));
        amount(limit.jobs()).ifPresent(most -> words.add(count(limit) + " of " + most + " jobs there"));
        limit.rate().filter(rate -> words.isEmpty()).ifPresent(rate -> words.add("no more than " + rate + " are sent"));
        String state = words.isEmpty() ? "its own limits are reached" : String.join(", ", words);
        return limit.folder().map(name -> "folder " + name + ": " + state).orElse(state);
    }

    private static Optional<Integer> amount(OptionalInt number) {
        return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
    }

    /** The job was sent. */
    TurnList taken(String key, String token) {
        return changed(key, job -> job.with(token, job.missing()));
    }

    /** The job has ended, was not sent, or is wanted no more. */
    TurnList without(String key) {
        return new TurnList(
                held.stream().filter(job -> !job.key().equals(key)).toList(),
                waiting.stream().filter(job -> !job.key().equals(key)).toList(),
                sent);
    }

    /** The target answers and does not know the job; after ten minutes it counts no more, as it counts as lost then. */
    TurnList missing(String key, Instant now) {
        Optional<Held> job = held.stream().filter(one -> one.key().equals(key)).findFirst();
        if (job.isEmpty()) {
            return this;
        }
        long second = now.getEpochSecond();
        long from = job.get().missing() == 0 ? second : job.get().missing();
        return second - from >= Duration.ofMinutes(10).toSeconds() ? without(key) : marked(key, from);
    }

    /** The target knows the job. */
    TurnList seen(String key) {
        return marked(key, 0);
    }

    private TurnList marked(String key, long missing) {
        return changed(key, job -> job.with(job.token(), missing));
    }

    private TurnList changed(String key, UnaryOperator<Held> change) {
        return new TurnList(
                held.stream()
                        .map(job -> job.key().equals(key) ? change.apply(job) : job)
                        .toList(),
                waiting,
                sent);
    }

    String render() {
        return RecordJson.line(this);
    }

    static TurnList parse(String text) {
        return RecordJson.parse("list of turns; move it away when no job waits", text, TurnList.class, known -> {});
    }

    /** How long a job may be on its way without a word of its program until it counts no more. */
    TurnList forgetting(Instant now) {
        long day = Duration.ofDays(1).toSeconds();
        return new TurnList(
                held.stream()
                        .filter(job -> !job.token().isEmpty() || now.getEpochSecond() - job.at() < day)
                        .toList(),
                waiting.stream()
                        .filter(one -> now.getEpochSecond() - one.seen() < day)
                        .toList(),
                sent);
    }
}
