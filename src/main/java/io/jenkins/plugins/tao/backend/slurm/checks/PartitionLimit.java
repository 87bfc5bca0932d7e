package io.jenkins.plugins.tao.backend.slurm.checks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the partitions of a cluster and their longest wall times from {@code sinfo -h -o '%P|%l|%a'}, where a star marks the
 * one that jobs without a partition get.
 */
final class PartitionLimit {
    private static final Pattern TIME = Pattern.compile("(?:(\\d+)-)?(?:(\\d+):)?(\\d+):(\\d+)");

    private PartitionLimit() {}

    /** Each partition with its limit, empty for {@code infinite}; in the order of the answer. */
    static Map<String, Optional<Duration>> parse(List<String> lines) {
        Map<String, Optional<Duration>> limits = new LinkedHashMap<>();
        for (String line : lines) {
            String[] fields = line.split("\\|", -1);
            if (fields.length >= 2) {
                limits.putIfAbsent(name(fields[0]), time(fields[1].strip()));
            }
        }
        return limits;
    }

    /** The partition that jobs get which name none; empty when the answer tells none. */
    static Optional<String> usual(List<String> lines) {
        return lines.stream()
                .map(line -> line.split("\\|", -1)[0].strip())
                .filter(name -> name.endsWith("*"))
                .map(PartitionLimit::name)
                .findFirst();
    }

    private static String name(String field) {
        return field.strip().replaceFirst("\\*$", "");
    }

    private static Optional<Duration> time(String text) {
        Matcher match = TIME.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofDays(number(match.group(1)))
                .plusHours(number(match.group(2)))
                .plusMinutes(number(match.group(3)))
                .plusSeconds(number(match.group(4))));
    }

    private static long number(@org.jspecify.annotations.Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
