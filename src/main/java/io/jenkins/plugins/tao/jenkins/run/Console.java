package io.jenkins.plugins.tao.jenkins.run;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decides which lines of a job's log the log of a build shows. The archive has all of them. */
final class Console {
    /** What stands before a line: of several nodes or pods, of torchrun, {@code srun -l}, and programs that name their rank. */
    private static final Pattern RANK = Pattern.compile(
            "^(?:\\[(\\d{1,5})](?= )|\\[(?:default|rank|trainer)[ _]?(\\d{1,5})]:?|(\\d{1,5}):(?=\\s)|\\[?rank[ =:](\\d{1,5})]?:?)\\s*",
            Pattern.CASE_INSENSITIVE);

    private static final int REMEMBERED = 200;

    private final long mostBytes;
    private final boolean foldRanks;
    private final Map<String, String> shownBy = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > REMEMBERED;
        }
    };
    private long bytes;
    private boolean full;

    /**
     * A console of one job.
     *
     * @param mostBytes how much is shown
     * @param foldRanks whether a line that several ranks write is shown for the first of them alone
     */
    Console(long mostBytes, boolean foldRanks) {
        this.mostBytes = mostBytes;
        this.foldRanks = foldRanks;
    }

    /** Those of {@code lines} that are shown. */
    List<String> shown(List<String> lines) {
        List<String> shown = new ArrayList<>();
        for (String line : lines) {
            if (!full && !(foldRanks && isOfAnotherRank(line))) {
                take(line, shown);
            }
        }
        return shown;
    }

    private void take(String line, List<String> shown) {
        bytes += line.getBytes(StandardCharsets.UTF_8).length + 1L;
        if (bytes > mostBytes) {
            full = true;
            shown.add(
                    "[tao] the limit of the log is reached: the rest is in the archive of the build, once the job has ended");
        } else {
            shown.add(line);
        }
    }

    /** Whether lines were left out at the end. */
    boolean isFull() {
        return full;
    }

    private boolean isOfAnotherRank(String line) {
        Matcher rank = RANK.matcher(line);
        if (!rank.find()) {
            return false;
        }
        String first = shownBy.putIfAbsent(line.substring(rank.end()), rank.group());
        return first != null && !first.equals(rank.group());
    }
}
