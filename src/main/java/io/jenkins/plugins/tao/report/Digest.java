package io.jenkins.plugins.tao.report;

import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.Table;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import org.apache.commons.text.WordUtils;

/** What a night was, for a mail, a chat or a page: what ran, what failed and by whose fault, what got worse and better, what it took. Pure. */
public final class Digest {
    private static final int MOST_WAITS = 3;
    private static final int MOST_ROWS = 50;
    private static final int COLUMNS = 80;
    private static final Set<GateResult> GOOD = Set.of(GateResult.PASS, GateResult.NOT_CONFIRMED);
    private static final List<String> RUN_HEADS = List.of("run", "target", "outcome", "why");
    private static final List<String> GATE_HEADS = List.of("run", "gate", "answer", "evidence");

    private final String title;
    private final String address;
    private final List<RunRecord> runs;
    private final List<PastVerdict> verdicts;

    /** The digest of {@code runs} and of what was said of them. */
    public Digest(String title, List<RunRecord> runs, List<PastVerdict> verdicts) {
        this(title, "", runs, verdicts);
    }

    /** The same with the address of the page that says more; empty for none. */
    public Digest(String title, String address, List<RunRecord> runs, List<PastVerdict> verdicts) {
        this.title = title;
        this.address = address;
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

    /** Lines of at most 80 columns for a terminal, a log, a chat or a mail: what to look at first, then the sums. */
    public String text() {
        StringBuilder text = new StringBuilder(wrapped("", headline()));
        if (!address.isEmpty()) {
            text.append(address).append('\n');
        }
        for (List<String> run : runRows()) {
            String place = run.get(1).isEmpty() ? "" : " on " + run.get(1);
            entry(text, run.get(0) + place + ": " + run.get(2), run.get(3));
        }
        gateRows().forEach(gate -> entry(text, gate.get(1) + ": " + gate.get(2), gate.get(3)));
        text.append('\n');
        facts().forEach(fact -> text.append(wrapped("", fact)));
        return text.toString();
    }

    private static void entry(StringBuilder text, String head, String evidence) {
        text.append('\n').append(wrapped("", head));
        if (!evidence.isBlank()) {
            text.append(wrapped("  ", evidence));
        }
    }

    private static String wrapped(String indent, String words) {
        return indent + WordUtils.wrap(words.replaceAll("\\s+", " ").strip(), COLUMNS - 2, "\n  ", false) + "\n";
    }

    /** GitHub's Markdown. */
    public String markdown() {
        StringBuilder text = new StringBuilder("## " + headline() + "\n\n");
        if (!address.isEmpty()) {
            text.append('<').append(address).append(">\n\n");
        }
        if (!unfinished().isEmpty()) {
            text.append(Table.markdown(RUN_HEADS, runRows())).append('\n');
        }
        if (!told().isEmpty()) {
            text.append(Table.markdown(GATE_HEADS, gateRows())).append('\n');
        }
        facts().forEach(fact -> text.append("- ").append(fact).append('\n'));
        return text.toString();
    }

    /** A fragment of HTML without styles and scripts; every text is escaped. */
    public String html() {
        StringBuilder html = new StringBuilder("<h2>" + escaped(headline()) + "</h2>\n");
        if (!address.isEmpty()) {
            String link = escaped(address);
            html.append("<p><a href=\"" + link + "\">" + link + "</a></p>\n");
        }
        if (!unfinished().isEmpty()) {
            table(html, RUN_HEADS, runRows());
        }
        if (!told().isEmpty()) {
            table(html, GATE_HEADS, gateRows());
        }
        html.append("<ul>\n");
        facts().forEach(fact -> html.append("<li>").append(escaped(fact)).append("</li>\n"));
        return html.append("</ul>\n").toString();
    }

    /** The title and what a person asks first: whether anything got worse, and whether everything ran. */
    private String headline() {
        List<String> words = new ArrayList<>();
        add(words, " worse", verdict -> verdict.call().bad());
        long ended = runs.stream().filter(RunRecord::succeeded).count();
        if (ended < runs.size()) {
            String which = runs.size() == 1 ? "the job" : (runs.size() - ended) + " of " + runs.size() + " jobs";
            words.add(which + " did not succeed");
        } else {
            words.add(runs.isEmpty() ? "no job left a record" : Sentences.count(ended, "job") + " succeeded");
        }
        add(words, " suspect", verdict -> verdict.call() == GateResult.SUSPECT);
        add(words, " without a verdict", verdict -> verdict.call() == GateResult.NO_VERDICT);
        add(words, " better", verdict -> verdict.call() == GateResult.BETTER);
        add(words, " as usual", verdict -> GOOD.contains(verdict.call()));
        return title + ": " + String.join(", ", words);
    }

    /** Adds of how many trainings the worst answer is such, unless it is of none. */
    private void add(List<String> words, String answer, Predicate<PastVerdict> which) {
        Map<List<Object>, PastVerdict> worst = new HashMap<>();
        verdicts.forEach(verdict -> worst.merge(
                List.of(verdict.night(), verdict.url(), verdict.runs().stream().findFirst()),
                verdict,
                BinaryOperator.maxBy(Comparator.comparingInt(PastVerdict::badness))));
        long trainings = worst.values().stream().filter(which).count();
        if (trainings > 0) {
            words.add(Sentences.count(trainings, "training") + answer);
        }
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
        facts.add("GPU hours: " + gpuHours());
        facts.add("longest waits: " + waits());
        return facts;
    }

    private String ran() {
        if (runs.isEmpty()) {
            return "nothing left a record";
        }
        List<RunRecord> failed =
                runs.stream().filter(run -> run.outcome().equals("failed")).toList();
        List<String> words = new ArrayList<>();
        words.add(Sentences.count(runs.size(), "job") + ": "
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
        double hours =
                runs.stream().mapToDouble(run -> run.knownGpuHours().orElse(0)).sum();
        boolean partly = runs.stream().anyMatch(RunRecord::knowsGpuTimePartly);
        long unknown =
                runs.stream().filter(run -> Measure.GPU_HOURS.of(run).isEmpty()).count();
        String left = unknown == 0 ? "" : ", not known of " + Sentences.count(unknown, "job");
        return unknown == runs.size() && unknown > 0 && !partly
                ? "not known"
                : (partly ? "at least " : "") + String.format(Locale.ROOT, "%.2f", hours) + left;
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
                .filter(verdict -> !GOOD.contains(verdict.call()))
                .sorted(Comparator.comparing(verdict -> !verdict.call().bad()))
                .limit(MOST_ROWS)
                .toList();
    }

    private List<List<String>> gateRows() {
        return told().stream()
                .map(verdict -> List.of(verdict.night(), question(verdict), verdict.words(), verdict.sentence()))
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
