package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.OwnFile;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the last lines of a failed job's log tell of the cause: the one place that knows which failures are the machines'
 * and may be tried again. The rules are data, {@code failure-rules.tsv}; without a match the program is to blame, and an
 * unreadable or empty log is no reason to try again.
 */
final class FailureRules {
    private static final String RULES = "failure-rules.tsv";
    private static final Pattern VARIABLE = Pattern.compile("^\\s*(export |declare -x )?[A-Za-z_][A-Za-z0-9_]*=");
    private static final int LONGEST_EVIDENCE = 200;

    private final List<Rule> rules;

    private FailureRules(List<Rule> rules) {
        this.rules = rules;
    }

    private record Rule(Cause cause, Pattern pattern, String meaning) {}

    /** The rules that come with this version. */
    static FailureRules load() {
        return new FailureRules(OwnFile.text(FailureRules.class, RULES)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(FailureRules::rule)
                .toList());
    }

    private static Rule rule(String line) {
        String[] columns = line.split("\t", 3);
        return new Rule(Cause.valueOf(columns[0]), Pattern.compile(columns[1]), columns[2]);
    }

    /** The same failure, with the cause that {@code lines} show and the line that shows it. */
    Failed explain(Failed failure, List<String> lines) {
        if (failure.cause() != Cause.PROGRAM) {
            return failure;
        }
        for (Rule rule : rules) {
            Optional<String> evidence = lines.stream()
                    .filter(line -> !VARIABLE.matcher(line).find())
                    .filter(line -> rule.pattern().matcher(line).find())
                    .findFirst();
            if (evidence.isPresent()) {
                return new Failed(
                        rule.cause(),
                        failure.detail() + " " + rule.meaning() + " The log says: " + cut(evidence.get()));
            }
        }
        return failure;
    }

    private static String cut(String line) {
        String text = line.strip();
        return text.length() <= LONGEST_EVIDENCE ? text : text.substring(0, LONGEST_EVIDENCE) + "…";
    }
}
