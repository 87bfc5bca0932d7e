package io.jenkins.plugins.tao.remote.shell;

import static io.jenkins.plugins.tao.job.Require.require;
import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.List;

/**
 * Reads what is new in many growing files in one script; {@link TailReply} reads its answer. At most 16 MiB in all, shared
 * out evenly among the streams that have news, so that one chatty job silences no other; the one with the most news may come last and be longer, where its bytes are
 * handed on as they come. A stream without news costs no
 * process: one {@code stat} looks at all files, one {@code awk} decides.
 */
public final class TailScript {
    static final int LEAST_BYTES = 16 * 1024;

    /** No answer holds more bytes of files that are kept until it has ended. */
    static final int ALL_BYTES = 16 * 1024 * 1024;

    /** Bytes of the one file that are handed on as they come. A script's start takes as long as 4 MiB on their way. */
    static final int LONG_BYTES = 256 * 1024 * 1024;

    /** Set for a process that watches few jobs in little memory: fewer bytes in one answer. */
    private static final String SMALLER = "tao.tail.bytes";

    /** So that one look takes seconds, whatever the number of new files: the rest have more for the next. */
    private static final int MOST_FILES = 4000;

    private static final String PROGRAM = OwnFile.text(TailScript.class, "tail.sh");

    private TailScript() {}

    /**
     * One stream to read on.
     *
     * @param directory absolute, on one line
     * @param patterns files below it, of which the newest is read; {@code *} and {@code ?} match as in a shell
     * @param from where the last read ended
     * @param sinceEpochSecond files last written before this do not count; 0 for no limit
     */
    public record Request(String directory, List<String> patterns, Position from, long sinceEpochSecond) {
        public Request {
            patterns = List.copyOf(patterns);
            require(directory.startsWith("/") && oneLine(directory), "'%s' is not an absolute directory", directory);
            require(!patterns.isEmpty(), "a stream needs at least one file to look for");
            patterns.forEach(pattern -> require(oneLine(pattern), "'%s' is not a file pattern", pattern));
        }

        private static boolean oneLine(String text) {
            return text.indexOf('\n') < 0;
        }
    }

    /**
     * The script for all {@code requests}; the answer numbers them from 0 in this order.
     *
     * @param handedOn whether the last entry's bytes are handed on as they come
     */
    static String render(List<Request> requests, boolean handedOn) {
        return render(requests, MOST_FILES, handedOn);
    }

    /** The same for another number of files that one answer holds bytes of. */
    static String render(List<Request> requests, int mostFiles, boolean handedOn) {
        StringBuilder script =
                new StringBuilder("tao_all=" + Math.min(ALL_BYTES, Integer.getInteger(SMALLER, ALL_BYTES))
                        + "; tao_least=" + LEAST_BYTES + "; tao_most=" + mostFiles + "; tao_long="
                        + (handedOn ? LONG_BYTES : 0) + "\n");
        script.append("tao_requests() { d=\n");
        String directory = "";
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            if (!request.directory().equals(directory)) {
                directory = request.directory();
                script.append("d=").append(quote(directory)).append('\n');
            }
            append(i, request, script);
        }
        return script.append("}\n").append(PROGRAM).toString();
    }

    private static void append(int number, Request request, StringBuilder script) {
        script.append("w ").append(number).append(' ').append(request.sinceEpochSecond());
        script.append(' ').append(request.from().byteOffset());
        script.append(' ').append(quote(before(request)));
        for (String pattern : request.patterns()) {
            script.append(" \"$d\"/").append(glob(pattern));
        }
        script.append('\n');
    }

    /** What was read before, as short as can be: {@code :inode} of the only file, a path below the directory, or a path. */
    private static String before(Request request) {
        String file = request.from().file();
        String only = request.directory() + "/" + request.patterns().get(0) + ":";
        if (request.patterns().size() == 1 && file.startsWith(only)) {
            return file.substring(only.length() - 1);
        }
        String prefix = request.directory() + "/";
        return file.startsWith(prefix) ? file.substring(prefix.length()) : file;
    }

    /** Quotes all but {@code *} and {@code ?}. */
    static String glob(String pattern) {
        StringBuilder text = new StringBuilder();
        int start = 0;
        for (int at = 0; at <= pattern.length(); at++) {
            if (at == pattern.length() || pattern.charAt(at) == '*' || pattern.charAt(at) == '?') {
                text.append(at > start ? quote(pattern.substring(start, at)) : "");
                text.append(at < pattern.length() ? pattern.charAt(at) : "");
                start = at + 1;
            }
        }
        return text.toString();
    }
}
