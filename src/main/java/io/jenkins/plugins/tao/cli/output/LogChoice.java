package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobHandle;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Option;

/** Which lines of a log. */
public final class LogChoice {
    @Option(
            names = "--rank",
            paramLabel = "N",
            description =
                    "Only the lines of this rank, from 0 on: of several nodes, pods or workers, or as torchrun marks them.")
    Optional<Integer> rank = Optional.empty();

    @Option(
            names = "--grep",
            paramLabel = "PATTERN",
            description = "Only lines in which this regular expression is found.")
    Optional<String> grep = Optional.empty();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description =
                    "Only lines from then on: 10m ago, or 2026-11-23T04:00 in UTC; by the times that the lines themselves"
                            + " say.")
    Optional<String> since = Optional.empty();

    /** For one log. */
    public LogFilter filter(JobHandle job, Instant now) throws UsageException {
        Optional<Instant> from = since.isEmpty() ? Optional.empty() : Optional.of(time(since.get(), now));
        LogFilter filter =
                new LogFilter(rank.isEmpty() ? OptionalInt.empty() : OptionalInt.of(rank.get()), pattern(), from);
        return job.backend().equals("lepton") ? filter.ofWorkers() : filter;
    }

    private Optional<Pattern> pattern() throws UsageException {
        try {
            return grep.map(Pattern::compile);
        } catch (PatternSyntaxException e) {
            throw new UsageException("--grep takes a regular expression: " + e.getDescription() + ".", e);
        }
    }

    private static Instant time(String text, Instant now) throws UsageException {
        Optional<Duration> ago = Durations.parse(text.strip());
        if (ago.isPresent()) {
            return now.minus(ago.get());
        }
        try {
            String plain = text.strip().replace(' ', 'T');
            if (plain.endsWith("Z")) {
                return Instant.parse(plain);
            }
            return (plain.contains("T")
                            ? LocalDateTime.parse(plain)
                            : LocalDate.parse(plain).atStartOfDay())
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new UsageException(
                    "--since takes " + Durations.FORM + ", or a time such as 2026-11-23T04:00; was '" + text + "'.", e);
        }
    }
}
