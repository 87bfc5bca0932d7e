package io.jenkins.plugins.tao.report;

import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.record.FirstError;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a person needs after a failure: cause, first error with its place, evidence, what was tried, next step. One text for a page, an artifact
 * and a log, in Markdown that reads as text; from the record alone, so that an old build has it too. Pure.
 */
public final class FailureCard {
    /** The name of the file beside the record. */
    public static final String FILE = "failure.md";

    private static final String CUT = "…";
    private static final int CONTEXT = 6;
    /** The log that a line is from, and the marks of its rank. */
    private static final Pattern BEFORE_LINE = Pattern.compile(
            "^(?:main\\.(?:err|out): |log_streams: )?(?:(?:\\[[\\w ]{1,12}]:?|\\d{1,6}:(?=\\s)) ?){0,3}");

    private final RunRecord run;

    private FailureCard(RunRecord run) {
        this.run = run;
    }

    /** The card of a run that failed or got lost; empty for any other. */
    public static Optional<String> of(RunRecord run) {
        return parts(run).map(FailureCard::text);
    }

    /** The same in its parts; those that are not known are empty. */
    public static Optional<FailureCard> parts(RunRecord run) {
        return run.outcome().equals("failed") || run.outcome().equals("lost")
                ? Optional.of(new FailureCard(run))
                : Optional.empty();
    }

    private String text() {
        StringBuilder text = new StringBuilder("# " + getTitle() + "\n\n");
        line(text, "Cause", getCause());
        line(text, "Why", getWhy());
        line(text, "First error", getFirstError());
        text.append(getContext().isEmpty() ? "" : "\n" + getContext().indent(CONTEXT) + "\n");
        line(text, "Evidence", getEvidence());
        line(text, "Next step", getNext());
        line(text, "Target", getPlace());
        getFacts().lines().forEach(fact -> text.append("  - ").append(fact).append('\n'));
        line(text, "Tried", getTried());
        line(text, "Files", run.text("resultsDir").orElse(""));
        return text.toString();
    }

    /** A build may have many jobs of one work: the id tells them apart, and the values of the cell say what it tried. */
    public String getTitle() {
        Set<String> more = new LinkedHashSet<>();
        more.add(run.workName());
        run.origin().fact(RunOrigin.CELL).ifPresent(more::add);
        more.add(run.label());
        more.remove(run.id());
        more.remove(run.jobName());
        return run.id() + (more.isEmpty() ? "" : " (" + String.join(", ", more) + ")") + " " + run.outcome();
    }

    private static void line(StringBuilder text, String what, String said) {
        if (!said.isBlank()) {
            text.append("- **").append(what).append("**: ").append(said.strip()).append('\n');
        }
    }

    /** The first error of any rank and its place. */
    public String getFirstError() {
        return run.firstError()
                .map(error -> error.text() + " (" + error.place() + ")")
                .orElse("");
    }

    /** The lines around the first error. */
    public String getContext() {
        return run.firstError().map(error -> String.join("\n", error.context())).orElse("");
    }

    /** Its name, whose fault that is, and the exit code. */
    public String getCause() {
        String name = run.text("outcome/cause").orElse("");
        String fault = Digest.fault(run).words();
        String code = run.text("outcome/exitCode")
                .map(number -> ", exit code " + number)
                .orElse("");
        return name.isEmpty() ? run.outcome() : name + " (fault: " + fault + ")" + code;
    }

    /** What the target and the diagnosis say. */
    public String getWhy() {
        String detail = run.text("outcome/detail").orElse("");
        String diagnosis = run.text("outcome/diagnosis").orElse("");
        String core = diagnosis.replaceFirst("\\.$", "").toLowerCase(Locale.ROOT);
        return detail.toLowerCase(Locale.ROOT).contains(core) ? detail : detail + " " + diagnosis;
    }

    /** The line that decided on the cause, where it is not the first error, which stands above. */
    public String getEvidence() {
        Optional<String> first = run.firstError().map(FirstError::text);
        return run.text("outcome/evidence")
                .filter(line -> first.map(error -> !isSame(error, line)).orElse(true))
                .orElse("");
    }

    /** Each of the two is cut at a length of its own, and then ends in an ellipsis. */
    private static boolean isSame(String one, String other) {
        return one.equals(other)
                || (one.endsWith(CUT) && other.startsWith(one.substring(0, one.length() - CUT.length())))
                || (other.endsWith(CUT) && one.startsWith(other.substring(0, other.length() - CUT.length())));
    }

    /** Ranks write the same lines, and the first error stands above with its own: each line is shown once. */
    public String getFacts() {
        Set<String> shown = new HashSet<>();
        run.firstError().ifPresent(error -> error.context().forEach(line -> shown.add(bare(line))));
        return run.texts("outcome/facts").stream()
                .filter(fact -> shown.add(bare(fact)))
                .collect(Collectors.joining("\n"));
    }

    private static String bare(String line) {
        return BEFORE_LINE.matcher(line).replaceFirst("").strip();
    }

    /** The target, its machines and GPUs. */
    public String getPlace() {
        List<String> nodes = run.texts("machines/nodes");
        String gpus = run.text("machines/gpus")
                .filter(count -> !count.equals("0"))
                .map(count -> ", GPUs a node: " + count)
                .orElse("");
        return run.text("target").orElse("") + (nodes.isEmpty() ? "" : ", on " + String.join(", ", nodes)) + gpus;
    }

    /** How the attempts before it ended. */
    public String getTried() {
        List<String> attempts = new ArrayList<>();
        for (Map<String, String> attempt : run.attempts()) {
            attempts.add("attempt " + (attempts.size() + 1) + " ended by " + attempt.getOrDefault("cause", "?") + ": "
                    + attempt.getOrDefault("detail", ""));
        }
        return attempts.isEmpty()
                ? "once; no new attempt was started"
                : String.join(" ", attempts) + " This was attempt " + (attempts.size() + 1) + ".";
    }

    /** What a person can do. */
    public String getNext() {
        return run.text("outcome/remedy")
                .or(() -> run.text("outcome/cause").flatMap(Cause::named).map(Cause::remedy))
                .orElse("Look at the end of the log, and at what the target itself says of the job.");
    }
}
