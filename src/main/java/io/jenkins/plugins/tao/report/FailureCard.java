package io.jenkins.plugins.tao.report;

import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.record.FirstError;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a person needs after a failure: cause, first error with its place, evidence, what was tried, next step. One text for a page, an artifact
 * and a log, in Markdown that reads as text; from the record alone, so that an old build has it too. Pure.
 */
public final class FailureCard {
    /** The name of the file beside the record. */
    public static final String FILE = "failure.md";

    private static final String CUT = "…";
    /** The log that a line is from, and the marks of its rank. */
    private static final Pattern BEFORE_LINE = Pattern.compile(
            "^(?:main\\.(?:err|out): |log_streams: )?(?:(?:\\[[\\w ]{1,12}]:?|\\d{1,6}:(?=\\s)) ?){0,3}");

    private final RunRecord run;

    private FailureCard(RunRecord run) {
        this.run = run;
    }

    /** The card of a run that failed or got lost; empty for any other. */
    public static Optional<String> of(RunRecord run) {
        return run.outcome().equals("failed") || run.outcome().equals("lost")
                ? Optional.of(new FailureCard(run).text())
                : Optional.empty();
    }

    private String text() {
        StringBuilder text = new StringBuilder("# " + title() + " " + run.outcome() + "\n\n");
        line(text, "Cause", cause());
        line(text, "Why", why());
        run.firstError().ifPresent(error -> error(text, error));
        evidence().ifPresent(said -> line(text, "Evidence", said));
        line(text, "Next step", next());
        line(text, "Target", place());
        facts().forEach(fact -> text.append("  - ").append(fact).append('\n'));
        line(text, "Tried", tried());
        line(text, "Files", run.text("resultsDir").orElse(""));
        return text.toString();
    }

    /** A build may have many jobs of one work: the id tells them apart, and the values of the cell say what it tried. */
    private String title() {
        Set<String> more = new LinkedHashSet<>();
        more.add(run.workName());
        run.origin().fact(RunOrigin.CELL).ifPresent(more::add);
        more.add(run.label());
        more.remove(run.id());
        more.remove(run.jobName());
        return run.id() + (more.isEmpty() ? "" : " (" + String.join(", ", more) + ")");
    }

    private static void line(StringBuilder text, String what, String said) {
        if (!said.isBlank()) {
            text.append("- **").append(what).append("**: ").append(said.strip()).append('\n');
        }
    }

    private static void error(StringBuilder text, FirstError error) {
        line(text, "First error", error.text() + " (" + error.place() + ")");
        if (!error.context().isEmpty()) {
            text.append('\n');
            error.context().forEach(line -> text.append("      ").append(line).append('\n'));
            text.append('\n');
        }
    }

    private String cause() {
        String name = run.text("outcome/cause").orElse("");
        String fault = Digest.fault(run).words();
        String code = run.text("outcome/exitCode")
                .map(number -> ", exit code " + number)
                .orElse("");
        return name.isEmpty() ? run.outcome() : name + " (fault: " + fault + ")" + code;
    }

    private String why() {
        String detail = run.text("outcome/detail").orElse("");
        String diagnosis = run.text("outcome/diagnosis").orElse("");
        return detail.contains(diagnosis) ? detail : detail + " " + diagnosis;
    }

    /** The line that decided on the cause, where it is not the first error, which stands above. */
    private Optional<String> evidence() {
        Optional<String> first = run.firstError().map(FirstError::text);
        return run.text("outcome/evidence")
                .filter(line -> first.map(error -> !isSame(error, line)).orElse(true));
    }

    /** Each of the two is cut at a length of its own, and then ends in an ellipsis. */
    private static boolean isSame(String one, String other) {
        return one.equals(other)
                || (one.endsWith(CUT) && other.startsWith(one.substring(0, one.length() - CUT.length())))
                || (other.endsWith(CUT) && one.startsWith(other.substring(0, other.length() - CUT.length())));
    }

    /** Ranks write the same lines, and the first error stands above with its own: each line is shown once. */
    private List<String> facts() {
        Set<String> shown = new HashSet<>();
        run.firstError().ifPresent(error -> error.context().forEach(line -> shown.add(bare(line))));
        return run.texts("outcome/facts").stream()
                .filter(fact -> shown.add(bare(fact)))
                .toList();
    }

    private static String bare(String line) {
        return BEFORE_LINE.matcher(line).replaceFirst("").strip();
    }

    private String place() {
        List<String> nodes = run.texts("machines/nodes");
        String gpus = run.text("machines/gpus")
                .filter(count -> !count.equals("0"))
                .map(count -> ", GPUs a node: " + count)
                .orElse("");
        return run.text("target").orElse("") + (nodes.isEmpty() ? "" : ", on " + String.join(", ", nodes)) + gpus;
    }

    private String tried() {
        List<String> attempts = new ArrayList<>();
        for (Map<String, String> attempt : run.attempts()) {
            attempts.add("attempt " + (attempts.size() + 1) + " ended by " + attempt.getOrDefault("cause", "?") + ": "
                    + attempt.getOrDefault("detail", ""));
        }
        return attempts.isEmpty()
                ? "once; no new attempt was started"
                : String.join(" ", attempts) + " This was attempt " + (attempts.size() + 1) + ".";
    }

    private String next() {
        return run.text("outcome/remedy")
                .or(() -> run.text("outcome/cause").flatMap(Cause::named).map(Cause::remedy))
                .orElse("Look at the end of the log, and at what the target itself says of the job.");
    }
}
