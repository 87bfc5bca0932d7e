package io.jenkins.plugins.tao.failure;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Pattern BEHIND_MARK = Pattern.compile("(?:^[^\"]*(?:[:\\]>|] ?|- )|^|\": ?)[\"'(<\\[]{0,2}$");

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
     * what a line says behind a colon, else the first hint, else what a sentence speaks of. A line that only warns gives a hint.
     *
     * @param gpus whether the job asked for GPUs, or may have
     * @param logs the last lines of each of its logs
     */
    public Optional<Match> match(String backend, boolean gpus, List<List<String>> logs) {
        List<ReadLine> lines = logs.stream()
                .flatMap(log -> ReadLine.of(log).stream())
                .distinct()
                .toList();
        List<FailureRule> holding =
                rules.stream().filter(rule -> rule.holdsFor(backend, gpus)).toList();
        List<Shown> shown = shown(holding, lines);
        Optional<Match> stated = first(shown, Weight.STATED);
        if (stated.isPresent()) {
            return stated;
        }
        List<LogScan.Found> errors =
                logs.stream().map(LogScan::of).flatMap(Optional::stream).toList();
        return own(errors, true, LineKind.OWN)
                .or(() -> first(shown, Weight.SAID))
                .or(() -> own(errors, true, LineKind.ERROR))
                .or(() -> first(shown, Weight.MENTIONED))
                .or(() -> own(errors, false, LineKind.OWN));
    }

    /** How surely a line that holds the words of a rule means them. */
    private enum Weight {
        /** A sentence that speaks of them, or a warning. */
        MENTIONED,
        /** Behind a colon or a mark; a hint is never more. */
        SAID,
        /** An error, a line that begins with the words, or one that a site's rule names. */
        STATED;

        static Weight of(FailureRule rule, String text, LineKind kind) {
            Matcher words = rule.pattern().matcher(text);
            boolean stated = !kind.isWork() || words.lookingAt() || !OWN.rules.contains(rule);
            boolean said = words.find(0)
                    && BEHIND_MARK.matcher(text.substring(0, words.start())).find();
            boolean warns = kind == LineKind.HARMLESS;
            if (rule.isHint()) {
                return stated || said || warns ? SAID : MENTIONED;
            }
            if (warns) {
                return MENTIONED;
            }
            return stated ? STATED : said ? SAID : MENTIONED;
        }
    }

    private record Shown(Match match, Weight weight) {}

    private static List<Shown> shown(List<FailureRule> rules, List<ReadLine> lines) {
        return rules.stream()
                .flatMap(rule -> lines.stream()
                        .filter(rule::shownBy)
                        .map(line ->
                                new Shown(new Match(rule, line.whole()), Weight.of(rule, line.text(), line.kind()))))
                .toList();
    }

    private static Optional<Match> first(List<Shown> shown, Weight least) {
        return shown.stream()
                .filter(each -> each.weight().compareTo(least) >= 0)
                .map(Shown::match)
                .findFirst();
    }

    /** An error that no rule names is the program's, where it does not follow from another's. */
    private static Optional<Match> own(List<LogScan.Found> errors, boolean near, LineKind least) {
        return errors.stream()
                .filter(found ->
                        found.kind().compareTo(least) >= 0 && found.kind() != LineKind.ENDED && found.near() == near)
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
                .map(rule -> kind(rule, Weight.of(rule, text, kind), hinted))
                .max(Comparator.naturalOrder())
                .orElse(kind == LineKind.UNKNOWN ? LineKind.ORDINARY : kind);
    }

    private static LineKind kind(FailureRule rule, Weight weight, LineKind hinted) {
        return switch (weight) {
            case MENTIONED -> LineKind.UNKNOWN;
            case SAID -> rule.isHint() ? hinted : LineKind.ERROR;
            case STATED -> rule.cause() == Cause.PROGRAM ? LineKind.OWN : LineKind.NAMED;
        };
    }

    /** Each rule of a site that a line of {@code sample} shows, for the person who writes them. */
    public static List<Match> tried(String site, String sample) {
        List<ReadLine> lines = ReadLine.of(sample.lines().toList());
        return parse(site).stream()
                .map(rule -> first(shown(List.of(rule), lines), Weight.MENTIONED))
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
