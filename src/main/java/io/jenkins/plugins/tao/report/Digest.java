package io.jenkins.plugins.tao.report;

import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.Table;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/** What a night was, for a mail, a chat or a page: what ran, what failed and by whose fault, what got worse and better, what it took. Pure. */
public final class Digest {
    private static final int MOST_WAITS = 3;
    private static final int MOST_ROWS = 50;
    private static final List<String> RUN_HEADS = List.of("run", "target", "outcome", "why");
    private static final List<String> GATE_HEADS = List.of("run", "gate", "answer", "evidence");

    private final String title;
    private final List<RunRecord> runs;
    private final List<PastVerdict> verdicts;

    /** The digest of {@code runs} and of what was said of them. */
    public Digest(String title, List<RunRecord> runs, List<PastVerdict> verdicts) {
        this.title = title;
        this.runs = List.copyOf(runs);
        Map<List<Object>, PastVerdict> newest = new LinkedHashMap<>();
        verdicts.forEach(verdict -> newest.put(asked(verdict), verdict));
        this.verdicts = List.copyOf(newest.values());
    }

    /** Training and question: a gate that is asked after each seed has a newer answer each time. */
    private static List<Object> asked(PastVerdict verdict) {
        String gate = verdict.gate();
        return List.of(
                verdict.night(),
                verdict.url(),
                verdict.runs().stream().findFirst(),
                gate.substring(gate.lastIndexOf(": ") + 1).strip());
    }

    /** Whose fault a failure was, as far as its cause tells. */
    static Outcome.Fault fault(RunRecord run) {
        return run.text("outcome/cause")
                .flatMap(Outcome.Cause::named)
                .map(Outcome.Cause::fault)
                .orElse(Outcome.Fault.NOT_KNOWN);
    }

    /** Lines for a terminal, a log or a mail. */
    public String text() {
        StringBuilder text = new StringBuilder(title + "\n");
        facts().forEach(fact -> text.append("  ").append(fact).append('\n'));
        if (!unfinished().isEmpty()) {
            text.append('\n').append(Table.text(RUN_HEADS, runRows()));
        }
        if (!told().isEmpty()) {
            text.append('\n').append(Table.text(GATE_HEADS, gateRows()));
        }
        return text.toString();
    }

    /** GitHub's Markdown. */
    public String markdown() {
        StringBuilder text = new StringBuilder("## " + title + "\n\n");
        facts().forEach(fact -> text.append("- ").append(fact).append('\n'));
        if (!unfinished().isEmpty()) {
            text.append('\n').append(Table.markdown(RUN_HEADS, runRows()));
        }
        if (!told().isEmpty()) {
            text.append('\n').append(Table.markdown(GATE_HEADS, gateRows()));
        }
        return text.toString();
    }

    /** A fragment of HTML without styles and scripts; every text is escaped. */
    public String html() {
        StringBuilder html = new StringBuilder("<h2>" + escaped(title) + "</h2>\n<ul>\n");
        facts().forEach(fact -> html.append("<li>").append(escaped(fact)).append("</li>\n"));
        html.append("</ul>\n");
        if (!unfinished().isEmpty()) {
            table(html, RUN_HEADS, runRows());
        }
        if (!told().isEmpty()) {
            table(html, GATE_HEADS, gateRows());
        }
        return html.toString();
    }

    private static void table(StringBuilder html, List<String> heads, List<List<String>> rows) {
        html.append("<table>\n<tr>");
        heads.forEach(head -> html.append("<th>").append(escaped(head)).append("</th>"));
        html.append("</tr>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            row.forEach(cell -> html.append("<td>").append(escaped(cell)).append("</td>"));
            html.append("</tr>\n");
        }
        html.append("</table>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private List<String> facts() {
        List<String> facts = new ArrayList<>();
        facts.add("ran: " + ran());
        facts.add("worse: " + count(verdict -> verdict.call().bad()) + ", suspect: "
                + count(verdict -> verdict.call() == GateResult.SUSPECT) + ", better: "
                + count(verdict -> verdict.call() == GateResult.BETTER) + ", as usual: "
                + count(verdict -> verdict.call() == GateResult.PASS || verdict.call() == GateResult.NOT_CONFIRMED)
                + ", without a verdict: " + count(verdict -> verdict.call() == GateResult.NO_VERDICT));
        facts.add("GPU hours: " + gpuHours());
        facts.add("longest waits: " + waits());
        return facts;
    }

    /** Of how many trainings the worst answer is such. */
    private long count(Predicate<PastVerdict> which) {
        Map<List<Object>, PastVerdict> worst = new HashMap<>();
        verdicts.forEach(verdict -> worst.merge(
                List.of(verdict.night(), verdict.url(), verdict.runs().stream().findFirst()),
                verdict,
                BinaryOperator.maxBy(Comparator.comparingInt(Digest::badness))));
        return worst.values().stream().filter(which).count();
    }

    private static int badness(PastVerdict verdict) {
        GateResult call = verdict.call();
        return call.bad()
                ? 4
                : call == GateResult.SUSPECT
                        ? 3
                        : call == GateResult.NO_VERDICT ? 2 : call == GateResult.BETTER ? 1 : 0;
    }

    private String ran() {
        if (runs.isEmpty()) {
            return "nothing left a record";
        }
        List<RunRecord> failed =
                runs.stream().filter(run -> run.outcome().equals("failed")).toList();
        List<String> words = new ArrayList<>();
        words.add(runs.size() + (runs.size() == 1 ? " job: " : " jobs: ")
                + runs.stream().filter(RunRecord::succeeded).count() + " succeeded");
        if (!failed.isEmpty()) {
            List<String> faults = new ArrayList<>();
            for (Outcome.Fault fault : Outcome.Fault.values()) {
                long count = failed.stream().filter(run -> fault(run) == fault).count();
                if (count > 0) {
                    faults.add(count + " " + fault.words());
                }
            }
            words.add(failed.size() + " failed (" + String.join(", ", faults) + ")");
        }
        for (String word : List.of("cancelled", "lost")) {
            long count = runs.stream().filter(run -> run.outcome().equals(word)).count();
            if (count > 0) {
                words.add(count + " " + word);
            }
        }
        return String.join(", ", words);
    }

    /** The sum of what is known, and of how many jobs it is not. */
    private String gpuHours() {
        double sum = 0;
        int unknown = 0;
        for (RunRecord run : runs) {
            OptionalDouble hours = Measure.GPU_HOURS.of(run);
            sum += hours.orElse(0);
            unknown += hours.isEmpty() ? 1 : 0;
        }
        String left = unknown == 0 ? "" : ", not known of " + unknown + (unknown == 1 ? " job" : " jobs");
        return unknown == runs.size() && unknown > 0 ? "not known" : String.format(Locale.ROOT, "%.2f", sum) + left;
    }

    private String waits() {
        List<RunRecord> waited = runs.stream()
                .filter(run -> Measure.QUEUE_WAIT.of(run).isPresent())
                .sorted(Comparator.comparingDouble(
                        run -> -Measure.QUEUE_WAIT.of(run).orElse(0)))
                .limit(MOST_WAITS)
                .toList();
        return waited.isEmpty()
                ? "not known"
                : String.join(
                        ", ",
                        waited.stream()
                                .map(run -> Durations.words(Duration.ofSeconds((long)
                                                Measure.QUEUE_WAIT.of(run).orElse(0)))
                                        + " (" + run.workName() + ", " + run.label() + ")")
                                .toList());
    }

    private List<RunRecord> unfinished() {
        return runs.stream().filter(run -> !run.succeeded()).limit(MOST_ROWS).toList();
    }

    private List<List<String>> runRows() {
        return unfinished().stream()
                .map(run -> List.of(
                        run.workName() + " " + run.label(),
                        run.text("target").orElse(""),
                        run.outcome().equals("failed") ? "failed (" + fault(run).words() + ")" : run.outcome(),
                        why(run)))
                .toList();
    }

    private static String why(RunRecord run) {
        String cause = run.text("outcome/cause").map(text -> text + ", ").orElse("");
        return cause
                + run.text("outcome/detail")
                        .or(() -> run.text("outcome/diagnosis"))
                        .orElse("");
    }

    /** The bad ones first, then what else a person should look at. */
    private List<PastVerdict> told() {
        return verdicts.stream()
                .filter(verdict -> verdict.call() != GateResult.PASS && verdict.call() != GateResult.NOT_CONFIRMED)
                .sorted(Comparator.comparing(verdict -> !verdict.call().bad()))
                .limit(MOST_ROWS)
                .toList();
    }

    private List<List<String>> gateRows() {
        return told().stream()
                .map(verdict -> List.of(
                        verdict.night(), question(verdict), verdict.call().words(), verdict.sentence()))
                .toList();
    }

    /** The gate with its training; where a build has several, its title names it. */
    private String question(PastVerdict verdict) {
        return runs.stream()
                .filter(run ->
                        verdict.runs().contains(run.id()) && !verdict.gate().contains(": "))
                .findFirst()
                .map(run -> run.workName() + ": " + verdict.gate())
                .orElse(verdict.gate());
    }
}
