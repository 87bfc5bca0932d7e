package io.jenkins.plugins.tao.failure;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the last lines of a failed job's log tell of the cause: the one place that knows which failures are the machines'
 * and may be tried again. The rules are data, {@code failure-rules.txt}, after those of the site; without a match the program is to
 * blame, and an unreadable or empty log is no reason to try again.
 */
public final class FailureRules {
    private static final String NEVER_RAN = "The command did not run.";
    private static final int LONGEST_EVIDENCE = 200;
    private static final int MOST_RULES = 500;

    private static final FailureRule ANY_ERROR = FailureRule.parse(
            "PROGRAM /./ The program itself ended with an error. => Look at the first error and its traceback.");

    private static final FailureRules OWN =
            new FailureRules(parse(OwnFile.text(FailureRules.class, "failure-rules.txt")));

    private final List<FailureRule> rules;

    private FailureRules(List<FailureRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** The rules that come with this version. */
    public static FailureRules own() {
        return OWN;
    }

    /**
     * These rules after those of a site, one a line; blank lines and those that begin with {@code #} are none.
     *
     * @throws IllegalArgumentException naming the line that is wrong
     */
    public FailureRules after(String site) {
        return new FailureRules(
                Stream.concat(parse(site).stream(), rules.stream()).toList());
    }

    private static List<FailureRule> parse(String text) {
        List<FailureRule> rules = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            try {
                rules.add(FailureRule.parse(line));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
            }
        }
        require(rules.size() <= MOST_RULES, "there are %d rules; %d are the most", rules.size(), MOST_RULES);
        return rules;
    }

    /**
     * A rule and the line that shows it.
     *
     * @param rule the rule
     * @param line the line
     */
    public record Match(FailureRule rule, String line) {
        /** Whether a rule names it; else it is an error of the program that none knows. */
        public boolean isNamed() {
            return !rule.equals(ANY_ERROR);
        }
    }

    /**
     * What the ends of a job's logs show: the first rule that an error shows, else the first error of a program that failed by itself, else
     * the first rule that a sentence shows, else the first hint. A line that only warns gives a hint.
     *
     * @param gpus whether the job asked for GPUs, or may have
     * @param logs the last lines of each of its logs
     */
    public Optional<Match> match(String backend, boolean gpus, List<List<String>> logs) {
        List<ReadLine> lines = logs.stream()
                .flatMap(log -> ReadLine.of(log).stream())
                .distinct()
                .toList();
        Map<Boolean, List<FailureRule>> holding = rules.stream()
                .filter(rule -> rule.holdsFor(backend, gpus))
                .collect(Collectors.partitioningBy(FailureRule::isHint));
        List<ReadLine> serious =
                lines.stream().filter(line -> line.kind() != LineKind.HARMLESS).toList();
        List<FailureRule> sure = holding.getOrDefault(false, List.of());
        return first(sure, serious, FailureRules::states)
                .or(() -> own(logs, true))
                .or(() -> first(sure, serious, FailureRule::shownBy))
                .or(() -> first(holding.getOrDefault(true, List.of()), lines, FailureRule::shownBy))
                .or(() -> first(sure, lines, FailureRule::shownBy))
                .or(() -> own(logs, false));
    }

    /** Whether a line states what {@code rule} names, and no sentence speaks of it. What a site wrote holds for every line. */
    private static boolean states(FailureRule rule, ReadLine line) {
        return rule.shownBy(line)
                && (!line.kind().isWork()
                        || rule.pattern().matcher(line.text()).lookingAt()
                        || !OWN.rules.contains(rule));
    }

    private static Optional<Match> first(
            List<FailureRule> rules, List<ReadLine> lines, BiPredicate<FailureRule, ReadLine> shows) {
        for (FailureRule rule : rules) {
            Optional<ReadLine> line =
                    lines.stream().filter(each -> shows.test(rule, each)).findFirst();
            if (line.isPresent()) {
                return Optional.of(new Match(rule, line.get().whole()));
            }
        }
        return Optional.empty();
    }

    /** An error that no rule names is the program's, where it does not follow from another's. */
    private static Optional<Match> own(List<List<String>> logs, boolean near) {
        return logs.stream()
                .map(LogScan::of)
                .flatMap(Optional::stream)
                .filter(found -> found.kind().compareTo(LineKind.OWN) >= 0 && found.near() == near)
                .map(found -> new Match(ANY_ERROR, found.text()))
                .findFirst();
    }

    /** What a line without marks tells: what a rule names is an error of its own, what a hint names is none. */
    LineKind kind(String text) {
        LineKind kind = LineKind.of(text);
        if (kind.compareTo(LineKind.UNKNOWN) < 0) {
            return kind;
        }
        LineKind hinted = kind == LineKind.ENDED ? kind : LineKind.CONSEQUENCE;
        return rules.stream()
                .filter(rule -> rule.shows(text))
                .map(rule -> rule.isHint()
                                || !kind.isWork()
                                || rule.pattern().matcher(text).lookingAt()
                        ? kind(rule, hinted)
                        : LineKind.ERROR)
                .max(Comparator.naturalOrder())
                .orElse(kind == LineKind.UNKNOWN ? LineKind.ORDINARY : kind);
    }

    private static LineKind kind(FailureRule rule, LineKind hinted) {
        if (rule.isHint()) {
            return hinted;
        }
        return rule.cause() == Cause.PROGRAM ? LineKind.OWN : LineKind.NAMED;
    }

    /** Each rule of a site that a line of {@code sample} shows, for the person who writes them. */
    public static List<Match> tried(String site, String sample) {
        List<ReadLine> lines = ReadLine.of(sample.lines().toList());
        return parse(site).stream()
                .map(rule -> first(List.of(rule), lines, FailureRule::shownBy))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The rules of {@code backend} alone whose pattern begins so, in their order. */
    public List<FailureRule> beginningWith(String beginning, String backend) {
        return rules.stream()
                .filter(rule -> rule.backend().equals(backend)
                        && rule.pattern().pattern().startsWith(beginning))
                .toList();
    }

    /** How many rules there are. */
    public int size() {
        return rules.size();
    }

    /**
     * The same failure, with the cause that the job's logs show and the line that shows it. Of a command that could not be launched they may
     * tell what it lacked, and no other cause.
     *
     * @param gpus whether the job asked for GPUs, or may have
     * @param logs the last lines of each of its logs
     */
    public Failed explain(Failed failure, String backend, boolean gpus, List<List<String>> logs) {
        if (failure.cause() != Cause.PROGRAM && failure.cause() != Cause.LAUNCH) {
            return failure;
        }
        return match(backend, gpus, logs)
                .filter(match ->
                        failure.cause() == Cause.PROGRAM || match.rule().cause() == Cause.LAUNCH)
                .map(match -> explained(failure, match))
                .orElse(failure);
    }

    private static Failed explained(Failed failure, Match match) {
        FailureRule rule = match.rule();
        String what = rule.cause() == Cause.LAUNCH ? NEVER_RAN : failure.detail();
        return new Failed(rule.cause(), what + " " + rule.sentence(), rule.remedy(), cut(match.line()));
    }

    private static String cut(String line) {
        String text = line.strip();
        return text.length() <= LONGEST_EVIDENCE ? text : text.substring(0, LONGEST_EVIDENCE) + "…";
    }
}
