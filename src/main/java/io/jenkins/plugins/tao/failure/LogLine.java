package io.jenkins.plugins.tao.failure;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a log without what stands before it: the marks of the rank that wrote it, the time of a container's log, colours.
 *
 * @param writer the marks, by which the lines of one rank belong together; empty for a log of one process
 * @param rank the rank that the outermost mark names
 * @param text what the program wrote, with its indent
 */
record LogLine(String writer, OptionalInt rank, String text) {
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");
    private static final Pattern TIME =
            Pattern.compile("^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+(?:Z|[+-]\\d\\d:?\\d\\d) (?:std(?:out|err) [FP] )?");

    private static final String NAME =
            "(?:(?:rank|default|worker|trainer|local[_ ]rank|proc(?:ess)?|gpu|node|task|pod|role)[ _:=#-]?)";
    /** What torchrun, srun --label, mpirun, DeepSpeed, Ray and our own gangs put before the line of a rank. */
    private static final Pattern MARK = Pattern.compile("^ {0,6}(?i:"
            + "\\[\\d{1,6},(\\d{1,6})](?:<std(?:err|out|diag)>)?:?"
            + "|\\[" + NAME + "?(\\d{1,6})(?:[/|:]\\d{1,6})?](?:<std(?:err|out|diag)>)?:?"
            + "|" + NAME + "(\\d{1,6}) ?[:|](?=\\s|$)"
            + "|(\\d{1,6}):(?=\\s|$)"
            + "|\\((?:[\\w.<>-]+ )?pid=\\d+[^)]{0,80}\\)"
            + ") ?");
    /** A host before lines that only a program writes, as pdsh and kubectl put it. */
    private static final Pattern HOST = Pattern.compile(
            "^(?!\\w*(?:Error|Exception|Warning):)(?:\\[[A-Za-z][\\w./-]{0,100}]:?|[A-Za-z][\\w./-]{0,100}:) "
                    + "(?=Traceback \\(|  File \"|\\[rank\\d|[\\w.]*(?:Error|Exception): )");

    private static final int MOST_MARKS = 4;
    private static final int LONGEST = 4000;

    /** Reads a line as it stands in a log. */
    static LogLine of(String whole) {
        String text = whole.length() <= LONGEST ? whole : whole.substring(0, LONGEST);
        if (text.indexOf('\r') >= 0) {
            String shown = text.stripTrailing(); // of a line that a progress bar wrote over, the last
            text = shown.substring(shown.lastIndexOf('\r') + 1);
        }
        text = TIME.matcher(COLOUR.matcher(text).replaceAll("")).replaceFirst("");
        StringBuilder writer = new StringBuilder();
        OptionalInt rank = OptionalInt.empty();
        for (int i = 0; i < MOST_MARKS; i++) {
            Matcher mark = MARK.matcher(text);
            Matcher host = HOST.matcher(text);
            if (mark.find()) {
                rank = rank.isPresent() ? rank : number(mark);
                writer.append(mark.group());
                text = text.substring(mark.end());
            } else if (host.find()) {
                writer.append(host.group());
                text = text.substring(host.end());
            }
        }
        return new LogLine(writer.toString(), rank, text.stripTrailing());
    }

    private static OptionalInt number(Matcher mark) {
        for (int i = 1; i <= mark.groupCount(); i++) {
            if (mark.group(i) != null) {
                return OptionalInt.of(Integer.parseInt(mark.group(i)));
            }
        }
        return OptionalInt.empty();
    }
}
