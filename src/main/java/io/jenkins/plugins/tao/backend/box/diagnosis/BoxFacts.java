package io.jenkins.plugins.tao.backend.box.diagnosis;

import io.jenkins.plugins.tao.job.Durations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code diagnose.sh} found, in words: a line is {@code name: value}. What a box could not tell is left out. Pure. */
final class BoxFacts {
    private static final double KIB_PER_GIB = 1024.0 * 1024;
    private static final Pattern FACT = Pattern.compile("(death: [a-z-]++|[a-z.]++(?: [a-z]++)*+:)(?: (.*+))?");
    private static final Pattern APP = Pattern.compile("app (\\S+) (\\d+) (\\d+) (.*)");
    private static final Pattern OPEN = Pattern.compile("open (\\d+) (\\d+) (.*)");

    private BoxFacts() {}

    /** Each fact as a person reads it, in the same order. */
    static List<String> words(List<String> raw) {
        return raw.stream().flatMap(line -> words(line).stream()).toList();
    }

    private static Optional<String> words(String line) {
        Matcher fact = FACT.matcher(line);
        if (!fact.matches()) {
            return Optional.of(line);
        }
        String value = fact.group(2) == null ? "" : fact.group(2).strip();
        String[] parts = value.split(" +");
        return switch (fact.group(1)) {
            case "exit record:" -> Optional.of(exit(parts));
            case "death: boot" -> restart(parts);
            case "death: uptime" -> uptime(value);
            case "death: oom" -> kills(parts);
            case "death: container-oom" ->
                Optional.of("container: its engine says that it was killed for lack of memory");
            case "death: signal" -> Optional.of("signal to the job: " + signal(parts));
            case "death: kernel" -> Optional.of("kernel log: " + value);
            case "death: gpu" -> Optional.of("nvidia-smi: " + value);
            case "room:" -> room("free below the base directory: ", parts);
            case "results room:" -> room("free for results: ", parts);
            case "gpus:" -> Optional.of("GPUs of the job: " + value);
            case "gpu health:" -> Optional.of(health(value.split(", *", -1)).orElse(line));
            case "gpu user:" -> user(value);
            case "gpu verdict:" -> Optional.of("finding: " + value);
            case "left over:" -> Optional.of("still running: the processes " + value);
            case "launch:" -> Optional.of("not started: " + value);
            case "fills the disk:" -> Optional.of(large(value).orElse(line));
            default -> Optional.of(line);
        };
    }

    private static String exit(String[] parts) {
        if (parts.length < 3 || !(parts[1] + parts[2]).matches("\\d{2,30}")) {
            return "exit code: none was noted";
        }
        long seconds = Long.parseLong(parts[2]) - Long.parseLong(parts[1]);
        return "exit code: " + parts[0] + ", after " + Durations.words(Duration.ofSeconds(seconds));
    }

    private static Optional<String> restart(String[] boots) {
        boolean other = boots.length == 2 && !boots[0].equals("-") && !boots[0].equals(boots[1]);
        return other ? Optional.of("machine: it was rebooted since the job began") : Optional.empty();
    }

    private static Optional<String> uptime(String text) {
        return text.matches("\\d{1,12}(\\.\\d+)?")
                ? Optional.of("machine up for: " + Durations.words(Duration.ofSeconds((long) Double.parseDouble(text))))
                : Optional.empty();
    }

    /** A count that the machine does not keep is not told as none. */
    private static Optional<String> kills(String[] counts) {
        if (counts.length != 2 || !counts[0].matches("\\d{1,15}") || !counts[1].matches("\\d{1,15}")) {
            return Optional.empty();
        }
        long killed = Math.max(0, Long.parseLong(counts[1]) - Long.parseLong(counts[0]));
        return Optional.of("killed for lack of memory since the job began: "
                + (killed == 0 ? "no process" : killed == 1 ? "1 process" : killed + " processes"));
    }

    private static String signal(String[] parts) {
        String name = parts[0].startsWith("SIG") ? parts[0] : "SIG" + parts[0];
        try {
            return parts.length < 2 ? name : name + " at " + Instant.ofEpochSecond(Long.parseLong(parts[1]));
        } catch (NumberFormatException | DateTimeException e) {
            return name;
        }
    }

    private static Optional<String> room(String name, String[] parts) {
        if (!parts[0].matches("\\d{1,18}")) {
            return Optional.empty();
        }
        String inodes = parts.length > 1 && parts[1].matches("\\d{1,18}") ? ", " + parts[1] + " inodes" : "";
        return Optional.of(name + gib(parts[0]) + inodes);
    }

    private static String gib(String kib) {
        return String.format(Locale.ROOT, "%.1f GiB", Long.parseLong(kib) / KIB_PER_GIB);
    }

    private static Optional<String> health(String[] columns) {
        return columns.length != 7
                ? Optional.empty()
                : Optional.of("GPU " + columns[0] + ": " + columns[1] + " % busy, " + columns[2] + " of " + columns[3]
                        + " MHz, " + columns[4] + " of " + columns[5] + " W, " + columns[6] + " °C");
    }

    private static Optional<String> user(String value) {
        Matcher app = APP.matcher(value);
        if (app.matches()) {
            return Optional.of("on GPU " + app.group(1) + ": process " + app.group(2) + " (" + app.group(4) + ") uses "
                    + app.group(3) + " MiB");
        }
        Matcher open = OPEN.matcher(value);
        return open.matches()
                ? Optional.of("on GPU " + open.group(1) + ": process " + open.group(2) + " (" + open.group(3)
                        + ") has it open")
                : Optional.empty();
    }

    /** A directory with its size in KiB before it, as du tells it. */
    static Optional<String> large(String value) {
        String[] parts = value.split("\\s+", 2);
        return parts.length == 2 && parts[0].matches("\\d{1,18}")
                ? Optional.of("large directory: " + gib(parts[0]) + " in " + parts[1])
                : Optional.empty();
    }
}
