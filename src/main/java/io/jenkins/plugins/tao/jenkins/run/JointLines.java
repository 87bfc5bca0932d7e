package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.monitor.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the jobs of one build on one target have in common, said together: lines of jobs that wait are gathered for some
 * seconds, and what holds for the target is said once. What a running job says is its own and never waits here.
 */
final class JointLines {
    static final Duration GATHER = Duration.ofSeconds(3);
    static final Duration STILL_AGAIN = Duration.ofMinutes(4);
    private static final int NAMED = 3;

    private final String target;
    private final Ticker ticker;
    private final Executor executor;
    private final Map<String, Line> changed = new LinkedHashMap<>();
    private final Map<String, Line> still = new LinkedHashMap<>();
    private final Map<String, Instant> said = new HashMap<>();
    private Instant stillSaid = Instant.MIN;

    /** Lines about {@code target}, gathered by {@code ticker} and written by {@code executor}. */
    JointLines(String target, Ticker ticker, Executor executor) {
        this.target = target;
        this.ticker = ticker;
        this.executor = executor;
    }

    private record Line(String words, Consumer<String> log) {}

    /** A job waits in another way than before. */
    synchronized void waits(String job, String words, Consumer<String> log) {
        moved(job);
        if (changed.isEmpty()) {
            later(GATHER, this::sayChanged);
        }
        changed.put(job, new Line(words, log));
    }

    /** Where a job stands of which nothing else was said for long. */
    synchronized void still(String job, String where, Consumer<String> log) {
        if (still.isEmpty()) {
            Duration since = stillSaid.equals(Instant.MIN) ? STILL_AGAIN : Duration.between(stillSaid, ticker.now());
            Duration left = STILL_AGAIN.minus(since);
            later(left.compareTo(GATHER) > 0 ? left : GATHER, this::sayStill);
        }
        still.put(job, new Line(where, log));
    }

    /** A job does no longer what it was said to do: says first what is gathered of it. */
    synchronized void moved(String job) {
        still.remove(job);
        Optional.ofNullable(changed.remove(job)).ifPresent(line -> line.log().accept(job + " " + line.words()));
    }

    /** Whether {@code what} was not said of the target in the last {@code time}; then it is to be said now. */
    synchronized boolean first(String what, Duration time) {
        Instant now = ticker.now();
        Instant before = said.get(what);
        if (before != null && Duration.between(before, now).compareTo(time) < 0) {
            return false;
        }
        said.put(what, now);
        return true;
    }

    /** Lets {@code what} be said again at once. */
    synchronized void again(String what) {
        said.keySet().removeIf(key -> key.startsWith(what));
    }

    private void later(Duration delay, Runnable task) {
        ticker.after(delay, () -> executor.execute(task));
    }

    private synchronized void sayChanged() {
        groups(changed, Line::words)
                .forEach((words, jobs) -> say(changed, jobs, " ", target + ": " + jobs.size() + " jobs " + words));
        changed.clear();
    }

    private synchronized void sayStill() {
        if (still.isEmpty()) {
            return;
        }
        stillSaid = ticker.now();
        groups(still, line -> line.words().split(" ", 2)[0])
                .forEach((word, jobs) -> say(
                        still,
                        jobs,
                        " still ",
                        target + ": " + jobs.size() + " jobs still " + word + ", such as " + jobs.get(0) + " "
                                + words(still, jobs.get(0))));
        still.clear();
    }

    private static Map<String, List<String>> groups(Map<String, Line> lines, Function<Line, String> by) {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        lines.forEach((job, line) ->
                groups.computeIfAbsent(by.apply(line), key -> new ArrayList<>()).add(job));
        return groups;
    }

    private static void say(Map<String, Line> lines, List<String> jobs, String verb, String together) {
        Consumer<String> log = line(lines, jobs.get(jobs.size() - 1)).log();
        if (jobs.size() <= NAMED) {
            jobs.forEach(job -> line(lines, job).log().accept(job + verb + words(lines, job)));
        } else {
            log.accept(together + ": " + names(jobs));
        }
    }

    private static String words(Map<String, Line> lines, String job) {
        return line(lines, job).words();
    }

    private static Line line(Map<String, Line> lines, String job) {
        return lines.getOrDefault(job, new Line("", text -> {}));
    }

    /** {@code dgx/1, dgx/2, dgx/3 and 1997 more}. */
    static String names(List<String> jobs) {
        String first = jobs.stream().limit(NAMED).collect(Collectors.joining(", "));
        return jobs.size() <= NAMED ? first : first + " and " + (jobs.size() - NAMED) + " more";
    }
}
