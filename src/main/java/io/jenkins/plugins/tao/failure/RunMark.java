package io.jenkins.plugins.tao.failure;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The line by which a job's frame tells that a run of it begins in a log that goes on: what stands before it is an earlier run's. */
public final class RunMark {
    private static final String WORDS = "tao: run ";
    private static final Pattern MARK = Pattern.compile("^" + WORDS + "(\\d{1,6}) starts here: ");

    private RunMark() {}

    /** The number of the run that begins with this line, from 2 on. */
    public static Optional<Integer> of(String line) {
        if (!line.startsWith(WORDS)) {
            return Optional.empty(); // nearly all lines
        }
        Matcher mark = MARK.matcher(line);
        return mark.find() ? Optional.of(Integer.valueOf(mark.group(1))) : Optional.empty();
    }

    /** The lines of the newest run. */
    public static List<String> newest(List<String> lines) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (of(lines.get(i)).isPresent()) {
                return lines.subList(i + 1, lines.size());
            }
        }
        return lines;
    }
}
