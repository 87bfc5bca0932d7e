package io.jenkins.plugins.tao.failure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks for the first error of a log, with the lines around it and its place, line by line: a log may be of any size. */
public final class LogScan {
    private static final Pattern ERROR = Pattern.compile("Traceback \\(most recent call last\\)"
            + "|(?:^|[\\s.\\]])\\w*(?:Error|Exception)\\b[:(]|CUDA error|\\bNCCL WARN\\b|Segmentation fault|\\bFATAL\\b|\\bERROR\\b"
            + "|srun: error|oom[-_]kill|NVRM: Xid|core dumped|No space left on device");
    private static final Pattern VARIABLE = Pattern.compile("^\\s*(export |declare -x )?[A-Za-z_][A-Za-z0-9_]*=");
    /** What torchrun, srun --label and mpirun put before the line of a rank. */
    private static final Pattern RANK = Pattern.compile("^(?:\\[(?:rank|default)?(\\d{1,5})\\]:? ?|(\\d{1,5}): )");

    private static final String TRACEBACK = "Traceback (most recent call last)";
    private static final int BEFORE = 3;
    private static final int AFTER = 4;
    private static final int MOST_CONTEXT = 24;
    private static final int LONGEST = 300;

    private final String file;
    private final Deque<String> before = new ArrayDeque<>();
    private long number;
    private Open open = new Open();

    /** Of the log {@code file}, named as people find it. */
    public LogScan(String file) {
        this.file = file;
    }

    /**
     * A line that was found.
     *
     * @param file the log
     * @param line its number, from 1
     * @param rank the rank that wrote it, where the log tells
     * @param text the error: of a traceback the exception at its end
     * @param context the lines around it, the error among them
     */
    public record Found(String file, long line, OptionalInt rank, String text, List<String> context) {
        public Found {
            context = List.copyOf(context);
        }
    }

    /** The error that is being taken down. */
    private static final class Open {
        private long line;
        private OptionalInt rank = OptionalInt.empty();
        private String text = "";
        private final List<String> context = new ArrayList<>();
        private int after = -1;
        private boolean inTraceback;

        boolean begun() {
            return line > 0;
        }

        boolean whole() {
            return after == 0 || context.size() >= MOST_CONTEXT;
        }
    }

    /** Takes the next line. */
    public void line(String whole) {
        number++;
        String line = whole.length() <= LONGEST ? whole : whole.substring(0, LONGEST) + "…";
        if (open.begun()) {
            follow(line);
        } else if (ERROR.matcher(line).find() && !VARIABLE.matcher(line).find()) {
            open.line = number;
            open.rank = rank(line);
            open.text = bare(line);
            open.context.addAll(before);
            open.context.add(line);
            open.inTraceback = line.contains(TRACEBACK);
            open.after = AFTER;
        } else {
            before.addLast(line);
            if (before.size() > BEFORE) {
                before.removeFirst();
            }
        }
    }

    private void follow(String line) {
        if (open.whole() || !rank(line).equals(open.rank)) {
            return;
        }
        open.context.add(line);
        String bare = bare(line);
        if (!open.inTraceback) {
            open.after--;
        } else if (!bare.isBlank() && !Character.isWhitespace(bare.charAt(0)) && !bare.startsWith(TRACEBACK)) {
            open.inTraceback = false;
            open.text = bare;
        }
    }

    private static OptionalInt rank(String line) {
        Matcher rank = RANK.matcher(line);
        if (!rank.find()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(Integer.parseInt(rank.group(1) == null ? rank.group(2) : rank.group(1)));
    }

    private static String bare(String line) {
        return RANK.matcher(line).replaceFirst("").stripTrailing();
    }

    /** The first error of the log so far. */
    public Optional<Found> found() {
        return open.begun()
                ? Optional.of(new Found(file, open.line, open.rank, open.text.strip(), open.context))
                : Optional.empty();
    }
}
