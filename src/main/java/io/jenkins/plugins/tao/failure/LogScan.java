package io.jenkins.plugins.tao.failure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Looks for the first error of a log, with the lines around it and its place, line by line: a log may be of any size. What a program wrote
 * as its own error goes before what only says that something failed, and that before what follows from it.
 */
public final class LogScan {
    private static final String TRACEBACK = "Traceback (most recent call last)";
    private static final String FRAME = "  File \"";
    /** What ends a traceback: the name of an exception. */
    private static final Pattern EXCEPTION =
            Pattern.compile("^[A-Za-z_][\\w.]*(?:Exit|Interrupt)?(?:\\(.*|:\\s.*|:|)$");
    /** An exception by its class. */
    private static final Pattern CLASS = Pattern.compile("^[\\w.]+(?:Error|Exception)\\b");
    /** Slurm's launcher writes into the middle of what its tasks write. */
    private static final Pattern LAUNCHER = Pattern.compile("^(?:srun|slurmstepd(?:-\\S+)?): ");
    /** A launcher's word that a process failed; why it did stands before it. */
    private static final Pattern EPILOGUE =
            Pattern.compile("(?i)exited with exit code|exits with return code|exitcode: ");

    /** The summary of a launcher, which says less than an error far above. */
    private static final Pattern SUMMARY =
            Pattern.compile("Execution status: |\\b(?:CalledProcessError|ChildFailedError|ProcessRaisedException)\\b");

    /** What stands before the traceback of an error that did not reach the program: of a thread, of a clean-up, of a logger. */
    private static final Pattern ASIDE =
            Pattern.compile("^(?:Exception (?:ignored |in thread )|--- Logging error ---)");

    private static final int BEFORE = 3;
    private static final int AFTER = 4;
    private static final int MOST_CONTEXT = 24;
    private static final int MOST_WRITERS = 1024;
    private static final int MOST_MARKS = 256;
    private static final int LONGEST_TRACEBACK = 2000;
    private static final int LONGEST = 300;

    private final String file;
    private final Deque<String> before = new ArrayDeque<>();
    private final Map<String, Open> tracebacks = new HashMap<>();
    private String lastOrdinary = "";
    private Optional<String> aside = Optional.empty();
    private boolean stops;
    private final Set<String> marks = new LinkedHashSet<>();
    private final Map<String, Long> workOf = new HashMap<>();
    private String candidate = "";
    private long number;
    private long work;
    private int steps;
    private Open best = new Open();

    /** Of the log {@code file}, named as people find it. */
    public LogScan(String file) {
        this.file = file;
    }

    /** What the last lines of a log show. */
    static Optional<Found> of(List<String> lines) {
        LogScan scan = new LogScan("");
        lines.forEach(scan::line);
        return scan.found();
    }

    /**
     * A line that was found.
     *
     * @param file the log
     * @param line its number, from 1
     * @param rank the rank that wrote it, where the log tells
     * @param text the error: of a traceback the exception at its end
     * @param context the lines around it, the error among them, each once
     * @param kind how much the line tells
     * @param near whether the log ends near it; else the program went on with its work
     */
    public record Found(
            String file, long line, OptionalInt rank, String text, List<String> context, LineKind kind, boolean near) {
        public Found {
            context = List.copyOf(context);
        }

        /** This one, or {@code other} where that tells more. */
        public Found or(Found other) {
            return other.kind.compareTo(kind) > 0 ? other : this;
        }
    }

    /** An error that is being taken down. */
    private static final class Open {
        private long line;
        private long work;
        private long own;
        private String writer = "";
        private OptionalInt rank = OptionalInt.empty();
        private String text = "";
        private LineKind kind = LineKind.ORDINARY;
        private final List<String> context = new ArrayList<>();
        private final Set<String> taken = new HashSet<>();
        private int after = AFTER;
        private boolean aside;

        boolean begun() {
            return line > 0;
        }

        /** Ranks without marks write the same lines: each is shown once. */
        void take(String whole, String bare) {
            if (context.size() < MOST_CONTEXT && (bare.isBlank() || taken.add(bare))) {
                context.add(whole);
            }
        }
    }

    /** Takes the next line. */
    public void line(String whole) {
        number++;
        LogLine read = withoutMark(LogLine.of(whole));
        String line = cut(LogLine.shown(whole));
        String text = cut(read.text());
        LineKind kind = kind(text);
        Open traceback = tracebacks.get(read.writer());
        if (traceback != null) {
            follow(traceback, line, text, kind);
        } else if (text.contains(TRACEBACK) && kind != LineKind.QUOTED) {
            begin(read, line, text);
        } else if (kind.compareTo(LineKind.UNKNOWN) >= 0 && !explains(read, kind)) {
            offer(opened(read, line, text), text, kind);
        } else if (best.begun() && best.after > 0 && best.writer.equals(read.writer())) {
            best.after--;
            best.take(line, text);
        }
        if (!text.isBlank()) {
            boolean begins = ASIDE.matcher(text).find();
            aside = begins ? Optional.of(read.writer()) : aside.filter(other -> !other.equals(read.writer()));
        }
        if (workOf.size() < MOST_WRITERS || workOf.containsKey(read.writer())) {
            workOf.merge(read.writer(), kind.isWork() ? 1L : 0L, Long::sum);
        }
        if (kind.isWork()) {
            work++;
            if (read.writer().equals(best.writer) && ReadLine.STEP.matcher(text).find()) {
                steps++;
            }
            lastOrdinary = text.isBlank() || text.startsWith("tao: ") ? lastOrdinary : text;
        }
        before.addLast(line);
        if (before.size() > BEFORE) {
            before.removeFirst();
        }
    }

    /**
     * Two lines of a traceback that begin alike show an unknown mark, of a pod or of a launcher. The lines after them are read without it.
     */
    private LogLine withoutMark(LogLine read) {
        LogLine bare = marks.stream()
                .map(read::without)
                .filter(other -> !other.equals(read))
                .findFirst()
                .orElse(read);
        int end = bare.text().indexOf(TRACEBACK);
        if (end > 0) {
            candidate = LineKind.QUOTED.fits(bare.text()) ? "" : bare.text().substring(0, end);
        } else if (!candidate.isBlank() && bare.text().startsWith(candidate + FRAME) && marks.size() < MOST_MARKS) {
            marks.add(candidate);
            LogLine marked = bare.without(candidate);
            candidate = "";
            Open open = tracebacks.remove(bare.writer());
            if (open != null) {
                open.writer = marked.writer();
                tracebacks.put(open.writer, open);
            }
            return marked;
        }
        return bare;
    }

    /** Whether a line only explains an error of NCCL above it, which ends with NCCL's own last error. */
    private boolean explains(LogLine read, LineKind kind) {
        return kind == LineKind.NAMED
                && best.kind == LineKind.OWN
                && best.text.contains("NCCL error")
                && !CLASS.matcher(read.text()).find();
    }

    private LineKind kind(String text) {
        LineKind kind = FailureRules.own().kind(text);
        boolean killed =
                stops && kind == LineKind.ENDED && LAUNCHER.matcher(text).find();
        stops |= ReadLine.STOPS.matcher(text).find();
        return killed ? LineKind.CONSEQUENCE : kind;
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    private Open opened(LogLine read, String line, String text) {
        Open open = new Open();
        open.line = number;
        open.writer = read.writer();
        open.rank = read.rank();
        before.forEach(open.context::add);
        open.take(line, text);
        return open;
    }

    private void begin(LogLine read, String line, String text) {
        if (tracebacks.size() >= MOST_WRITERS) {
            tracebacks.clear();
        }
        Open open = opened(read, line, text);
        open.aside = aside.equals(Optional.of(read.writer()));
        tracebacks.put(read.writer(), open);
        if (!best.begun()) {
            offer(open, text.strip(), LineKind.ERROR); // it may be cut before its end
        }
    }

    private void follow(Open open, String line, String text, LineKind kind) {
        if (number - open.line > LONGEST_TRACEBACK) {
            tracebacks.remove(open.writer); // its end was cut
        }
        boolean inside = text.isBlank() || Character.isWhitespace(text.charAt(0)) || text.contains(TRACEBACK);
        boolean between = kind == LineKind.DETAIL || LAUNCHER.matcher(text).find();
        if (!inside && (between || !EXCEPTION.matcher(text).matches())) {
            return;
        }
        open.take(line, text);
        if (!inside) {
            tracebacks.remove(open.writer);
            offer(open, text, open.aside ? LineKind.UNKNOWN : ofTraceback(kind));
        }
    }

    /** The kind of the exception at the end of a traceback, whose last line alone is of {@code kind}. */
    private static LineKind ofTraceback(LineKind kind) {
        return switch (kind) {
            case HARMLESS, CONSEQUENCE -> LineKind.CONSEQUENCE;
            case ENDED, NAMED -> kind;
            default -> LineKind.OWN;
        };
    }

    /** The first of its kind stays, if the program did not go on with its work after it. */
    private void offer(Open open, String text, LineKind kind) {
        boolean later = outlived()
                && (kind.compareTo(LineKind.ENDED) >= 0
                        || !SUMMARY.matcher(text).find());
        later |= steps >= ReadLine.STEPS && kind.compareTo(LineKind.OWN) >= 0 && open.writer.equals(best.writer);
        open.text = text;
        open.kind = kind;
        open.work = work;
        open.own = workOf.getOrDefault(open.writer, 0L);
        if (kind == LineKind.CONSEQUENCE && EPILOGUE.matcher(text).find() && !lastOrdinary.isEmpty()) {
            open.text = lastOrdinary;
        }
        if (!best.begun() || best == open || later || kind.compareTo(best.kind) > 0) {
            best = open;
            steps = 0;
        }
    }

    /** Whether the program went on with its work after the best so far. */
    private boolean outlived() {
        long own = workOf.getOrDefault(best.writer, 0L) - best.own;
        return !ReadLine.near(own, work - best.work, workOf.size());
    }

    /** The first error of the log so far. */
    public Optional<Found> found() {
        return best.begun()
                ? Optional.of(
                        new Found(file, best.line, best.rank, best.text.strip(), best.context, best.kind, !outlived()))
                : Optional.empty();
    }
}
