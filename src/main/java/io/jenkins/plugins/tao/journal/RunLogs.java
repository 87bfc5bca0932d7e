package io.jenkins.plugins.tao.journal;

import io.jenkins.plugins.tao.failure.LogScan;
import io.jenkins.plugins.tao.record.FirstError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks through the logs that a failed run left for its first error, within bounds. */
final class RunLogs {
    private static final Pattern LOG = Pattern.compile("(.*/)?[^/]*(\\.(log|out|err|txt)|stdout|stderr)[^/]*");
    private static final Pattern FIRST_RANK = Pattern.compile("failed first on rank (\\d{1,5})\\b");
    private static final int MOST_LOGS = 64;
    /** Of one log: some million lines. */
    private static final long MOST_CHARACTERS = 128L << 20;

    private final Path home;
    private final OptionalInt firstRank;

    /** Below {@code home}; {@code events} tell which rank failed first, if that is known. */
    RunLogs(Path home, List<String> events) {
        this.home = home;
        firstRank = events.stream()
                .map(FIRST_RANK::matcher)
                .filter(Matcher::find)
                .mapToInt(rank -> Integer.parseInt(rank.group(1)))
                .findFirst();
    }

    /** The first error of the rank that failed first, else of the first log of those that tell most. */
    Optional<FirstError> firstError(List<Path> files) throws IOException {
        List<LogScan.Found> found = new ArrayList<>();
        List<Path> logs = files.stream()
                .filter(file -> LOG.matcher(name(file)).matches())
                .limit(MOST_LOGS)
                .toList();
        for (Path log : logs) {
            LogScan scan = new LogScan(name(log));
            BoundedLines.each(log, MOST_CHARACTERS, scan::line);
            scan.found().ifPresent(found::add);
        }
        Predicate<LogScan.Found> ofFirst =
                error -> firstRank.isPresent() && error.rank().equals(firstRank);
        return found.stream()
                .filter(ofFirst)
                .findFirst()
                .or(() -> found.stream().reduce(LogScan.Found::or))
                .map(error -> new FirstError(error.file(), error.line(), error.rank(), error.text(), error.context()));
    }

    private String name(Path file) {
        return home.relativize(file).toString().replace('\\', '/');
    }

    /** Whether these events tell of a failure. */
    static boolean failed(List<String> events) {
        return events.stream().anyMatch(line -> line.contains("\"outcome\":\"failed\""));
    }
}
