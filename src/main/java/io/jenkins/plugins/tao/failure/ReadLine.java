package io.jenkins.plugins.tao.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A line of the end of a log, as rules look at it.
 *
 * @param whole as it is to be seen there, cut to a length
 * @param text without the marks of its rank
 * @param near whether it is near the end: what stands further up, the program has outlived
 * @param kind what it is, whatever rules say
 */
record ReadLine(String whole, String text, boolean near, LineKind kind) {
    /** So many lines of ordinary work of its writer behind a line, or of each on average, and it is not near the end any more. */
    private static final int FAR = 100;
    /** So many steps of a training behind an error, and a later error of the same writer is the one that ended it. */
    static final int STEPS = 3;

    static final Pattern STEP = Pattern.compile("(?i)\\b(?:epoch|step|iter(?:ation)?)s?\\b\\W{0,3}\\d|\\d%\\|");
    /** Slurm ends the tasks of a step: those that it kills from here on did not fail by themselves. */
    static final Pattern STOPS = Pattern.compile(
            "^srun: (?:Terminating|Force Terminated|Job step aborted)|^slurmstepd\\S*: error: \\*\\*\\* ");

    /** Whether a line is near the end that its writer lets {@code own} and all {@code writers} together {@code all} lines of work follow. */
    static boolean near(long own, long all, int writers) {
        return own <= FAR && all <= (long) FAR * Math.max(1, writers);
    }

    /** Reads the lines of one log, without those that only quote an error. */
    static List<ReadLine> of(List<String> log) {
        List<ReadLine> lines = new ArrayList<>();
        List<LogLine> read = log.stream().map(LogLine::of).toList();
        int writers = (int) read.stream().map(LogLine::writer).distinct().count();
        Map<String, Integer> work = new HashMap<>();
        Set<String> failed = new HashSet<>();
        int all = 0;
        for (int i = log.size() - 1; i >= 0; i--) {
            String whole = LogLine.shown(log.get(i));
            String text = read.get(i).text();
            LineKind kind = LineKind.of(text);
            String writer = read.get(i).writer();
            lines.add(new ReadLine(whole, text, near(work.getOrDefault(writer, 0), all, writers), kind));
            if (kind.isWork()) {
                boolean step = failed.contains(writer) && STEP.matcher(text).find();
                work.merge(writer, step ? FAR / STEPS + 1 : 1, Integer::sum);
                all++;
            } else if (kind == LineKind.OWN) {
                failed.add(writer);
            }
        }
        Collections.reverse(lines);
        boolean stops = false;
        for (Iterator<ReadLine> it = lines.iterator(); it.hasNext(); ) {
            ReadLine line = it.next();
            boolean stopped =
                    stops && line.kind() == LineKind.ENDED && line.text().startsWith("srun: ");
            if (stopped || LineKind.QUOTED.fits(line.text())) {
                it.remove();
            }
            stops |= STOPS.matcher(line.text()).find();
        }
        return lines;
    }
}
