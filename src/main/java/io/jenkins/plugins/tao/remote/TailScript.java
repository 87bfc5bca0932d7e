package io.jenkins.plugins.tao.remote;

import static io.jenkins.plugins.tao.job.Require.require;
import static io.jenkins.plugins.tao.remote.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.Position;
import java.util.List;

/**
 * Reads what is new in many growing files in one script; {@link TailReply} reads its answer. At most 256 KiB a stream
 * and about 4 MiB in all, shared out evenly, so that one chatty job silences no other.
 */
public final class TailScript {
    private static final int STREAM_BYTES = 256 * 1024;
    private static final int LEAST_BYTES = 16 * 1024;
    private static final int ALL_BYTES = 4 * 1024 * 1024;

    /**
     * Picks the newest file, reads the rest of the file it read before if there is any, notices a replaced or cut file.
     * {@code test -nt} is not POSIX, but dash, bash, ksh and busybox have it; {@code stat -c} is of GNU and busybox.
     */
    private static final String FUNCTION = """
            LC_ALL=C; export LC_ALL
            tao_look() { tao_stat=$(stat -L -c '%i %s %Y' -- "$1" 2>/dev/null) || return 1
              tao_inode=${tao_stat%% *}; tao_mtime=${tao_stat##* }; tao_size=${tao_stat#* }; tao_size=${tao_size% *}; }
            tao_tail() { tao_n=$1; tao_since=$2; tao_was=$3; tao_at=$4; shift 4; tao_file=; tao_new=0
              for tao_f do [ -f "$tao_f" ] || continue
                if [ -z "$tao_file" ] || [ "$tao_f" -nt "$tao_file" ]; then tao_file=$tao_f; fi; done
              tao_old=${tao_was%:*}
              if [ -n "$tao_old" ] && [ "$tao_old" != "$tao_file" ] && [ -f "$tao_old" ] && tao_look "$tao_old" &&
                [ "$tao_old:$tao_inode" = "$tao_was" ] && [ "$tao_size" -gt "$tao_at" ]; then tao_file=$tao_old; fi
              [ -n "$tao_file" ] && tao_look "$tao_file" && [ "$tao_mtime" -ge "$tao_since" ] || return 0
              if [ -n "$tao_was" ] && [ "$tao_file:$tao_inode" != "$tao_was" ] || [ "$tao_size" -lt "$tao_at" ]; then
                tao_at=0; tao_new=1; fi
              tao_len=$((tao_size - tao_at)); [ "$tao_len" -le "$tao_most" ] || tao_len=$tao_most
              [ "$tao_len" -le "$tao_left" ] || tao_len=$tao_left
              [ "$tao_len" -gt 0 ] || [ "$tao_new" = 1 ] || return 0
              tao_left=$((tao_left - tao_len))
              printf 'tail %s %s %s %s %s %s\\n' \
                "$tao_n" "$tao_new" "$tao_at" "$tao_len" "$tao_size" "$tao_file:$tao_inode"
              [ "$tao_len" = 0 ] || tail -c "+$((tao_at + 1))" -- "$tao_file" | head -c "$tao_len"; echo; }
            """;

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

    /** The script for all {@code requests}; the answer numbers them from 0 in this order. */
    public static String render(List<Request> requests) {
        int most = Math.max(LEAST_BYTES, Math.min(STREAM_BYTES, ALL_BYTES / Math.max(1, requests.size())));
        StringBuilder script = new StringBuilder(FUNCTION);
        script.append("tao_left=")
                .append(ALL_BYTES)
                .append("; tao_most=")
                .append(most)
                .append('\n');
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            script.append("tao_tail ").append(i).append(' ').append(request.sinceEpochSecond());
            script.append(' ').append(quote(request.from().file()));
            script.append(' ').append(request.from().byteOffset());
            for (String pattern : request.patterns()) {
                script.append(' ').append(quote(request.directory() + "/")).append(glob(pattern));
            }
            script.append('\n');
        }
        return script.append("echo tail-end\n").toString();
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
