package io.jenkins.plugins.tao.failure;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A line of a log without what stands before it: the marks of the rank that wrote it, the time of a container's log, colours.
 *
 * @param writer the marks, by which the lines of one rank belong together; empty for a log of one process
 * @param rank the rank that the outermost mark names
 * @param text what the program wrote, with its indent
 */
record LogLine(String writer, OptionalInt rank, String text) {
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");
    /** What a progress bar has drawn where the line of an error follows without a break. */
    private static final Pattern BAR =
            Pattern.compile("^.{0,300}?\\d%\\|[^|]{0,300}\\|[^\\[]{0,80}\\[[^\\]]{0,200}\\](?=\\S)");
    /** Of containers' logs, of loggers and of a journal; what has a colon behind its time, such as TensorFlow's lines, keeps it. */
    private static final Pattern TIME = Pattern.compile(
            "^(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}(?=\\[\\d)|(?:\\[?(?:\\d{4}[-/]\\d\\d[-/]\\d\\d[T ])?\\d\\d:\\d\\d:\\d\\d"
                    + "(?:[.,]\\d{1,9})?(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d))?\\]?"
                    + "|[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\S+ [\\w./-]+(?:\\[\\d+\\])?:) (?:std(?:out|err) [FP] )?)");

    private static final String NAME =
            "(?:(?:rank|default|worker|trainer|local[_ ]rank|proc(?:ess)?|gpu|node|task|pod|role)[ _:=#-]{0,2})";
    /** What torchrun, srun --label, mpirun, DeepSpeed, Ray and our own gangs put before the line of a rank. */
    private static final Pattern MARK = Pattern.compile("^ {0,6}(?i:"
            + "\\[(?:[\\w.-]+@)?\\d{1,6},(\\d{1,6})](?:<std(?:err|out|diag)>)?:?"
            + "|\\[" + NAME + "?(\\d{1,6})(?:[/|:]\\d{1,6})?](?:<std(?:err|out|diag)>)?:?"
            + "|" + NAME + "(\\d{1,6}) ?[:|](?=\\s|$)"
            + "|(\\d{1,6}):(?=\\s|$)"
            + "|\\((?:[\\w.<>-]+ )?pid=\\d+[^)]{0,80}\\)"
            + "|\\(" + NAME + "(\\d{1,6})\\) ?:?(?=\\s|$)"
            + "|[a-z][\\w.-]{0,60}-(\\d{1,4}) {1,20}\\|(?=\\s|$)"
            + ") ?");
    /** A host before lines that only a program writes, as pdsh and kubectl put it, and the bar before a group's exceptions. */
    private static final Pattern HOST = Pattern.compile(
            "^(?![\\w.]*(?:Error|Exception|Warning):)(?:\\[[A-Za-z][\\w./-]{0,100}]:?|(?:[A-Za-z][\\w./-]{0,100}|\\d+(?:\\.\\d+){3}):| {2,20}\\|) "
                    + "(?=Traceback \\(|  File \"|\\[rank\\d|[\\w.]*(?:Error|Exception): )");

    private static final int MOST_MARKS = 6;
    private static final int LONGEST = 4000;

    /** This line without {@code mark} before it, where it has that one. */
    LogLine without(String mark) {
        return text.startsWith(mark) ? new LogLine(writer + mark, rank, text.substring(mark.length())) : this;
    }

    /** Reads a line as it stands in a log. */
    static LogLine of(String whole) {
        String text = COLOUR.matcher(shown(whole)).replaceAll("");
        text = text.contains("%|") ? BAR.matcher(text).replaceFirst("") : text;
        StringBuilder writer = new StringBuilder();
        OptionalInt rank = OptionalInt.empty();
        for (int i = 0; i < MOST_MARKS; i++) {
            Matcher time = TIME.matcher(text);
            Matcher mark = MARK.matcher(text);
            Matcher host = HOST.matcher(text);
            if (time.find()) {
                text = text.substring(time.end());
            } else if (mark.find()) {
                rank = rank.isPresent() ? rank : number(mark);
                writer.append(mark.group());
                text = text.substring(mark.end());
            } else if (host.find()) {
                writer.append(host.group());
                text = text.substring(host.end());
            } else {
                break;
            }
        }
        return new LogLine(writer.toString(), rank, text.stripTrailing());
    }

    /** What is to be seen of {@code whole}, cut to a length: a progress bar writes a line over and over. */
    static String shown(String whole) {
        String line = whole.indexOf('\r') < 0 ? whole : whole.stripTrailing();
        String last = line.substring(line.lastIndexOf('\r') + 1);
        return last.length() <= LONGEST ? last : last.substring(0, LONGEST);
    }

    private static OptionalInt number(Matcher mark) {
        return IntStream.rangeClosed(1, mark.groupCount())
                .filter(i -> mark.group(i) != null)
                .map(i -> Integer.parseInt(mark.group(i)))
                .findFirst();
    }
}
