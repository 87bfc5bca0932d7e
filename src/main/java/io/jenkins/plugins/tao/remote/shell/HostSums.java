package io.jenkins.plugins.tao.remote.shell;

import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The SHA-256 of files as the host tells them. */
public final class HostSums {
    private static final Pattern LINE = Pattern.compile("(\\\\?)([0-9a-f]{64}) [ *](.+)");
    private static final String TOOL = OwnFile.text(HostSums.class, "sums.sh");
    /** What standard error keeps, less some room for the words of other programs. */
    private static final int ROOM = 48 * 1024;

    private static final int DIGITS_AND_ENDS = 72;

    private HostSums() {}

    /** Finds the tool of the host and names it $tao_sum. */
    public static String tool() {
        return TOOL;
    }

    /** Tells those of the arguments, on standard output. */
    public static String script() {
        return TOOL + "$tao_sum \"$@\"\n";
    }

    /** Sends the arguments as a tar stream and tells their sums beside it, on standard error, where there is room for all of them. */
    public static String besideTar(ShellWords.Portion portion) {
        long length = portion.names().stream()
                .mapToLong(name -> name.length() + DIGITS_AND_ENDS)
                .sum();
        return length > ROOM
                ? "tar -cf - \"$@\"\n"
                : TOOL + "$tao_sum \"$@\" >&2 &\ntar -cf - \"$@\"\ntao_code=$?\nwait\nexit \"$tao_code\"\n";
    }

    /** Reads the lines that are sums, by path. */
    public static Map<String, String> parse(String text) {
        Map<String, String> sums = new HashMap<>();
        text.lines().map(LINE::matcher).filter(Matcher::matches).forEach(line -> sums.put(path(line), line.group(2)));
        return sums;
    }

    /** A name with a backslash is marked by sha256sum with another one before the line. */
    private static String path(Matcher line) {
        String name = line.group(1).isEmpty() ? line.group(3) : line.group(3).replace("\\\\", "\\");
        return name.replaceFirst("^\\./", "");
    }
}
