package io.jenkins.plugins.tao.gate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.criteria.Words;
import java.util.List;

/** A report as text, CSV, JSON and Markdown; pure. */
public record GateTable(GateReport report) {
    private static final List<String> HEADS = List.of("gate", "answer", "effect", "value", "limit", "evidence");

    /** Lines for a terminal or a log. */
    public String text() {
        StringBuilder text = new StringBuilder("gates of " + report.night() + ": " + report.word() + "\n");
        report.findings()
                .forEach(finding -> text.append("  ")
                        .append(
                                finding.effect() == Effect.NOTE
                                        ? finding.call().words()
                                        : finding.effect().name())
                        .append("  ")
                        .append(finding.title())
                        .append("\n    ")
                        .append(finding.sentence())
                        .append('\n'));
        return text.toString();
    }

    /** RFC 4180. */
    public String csv() {
        return Table.csv(HEADS, rows());
    }

    /** A table for a merge request or a digest. */
    public String markdown() {
        return "**" + report.night() + ": " + report.word() + "**\n\n" + Table.markdown(HEADS, rows());
    }

    /** An object with the findings; keys are only added. */
    public String json() {
        ObjectNode root = JsonNodeFactory.instance
                .objectNode()
                .put("night", report.night())
                .put("result", report.word())
                .put("effect", report.effect().name());
        var list = root.putArray("findings");
        for (Finding finding : report.findings()) {
            ObjectNode node = list.addObject()
                    .put("gate", finding.title())
                    .put("kpi", finding.criterion().metric())
                    .put("answer", finding.call().name())
                    .put("effect", finding.effect().name())
                    .put("evidence", finding.sentence());
            if (!finding.subject().training().isEmpty()) {
                node.put("training", finding.subject().training());
                finding.subject().runs().forEach(node.putArray("runs")::add);
            }
            finding.value().ifPresent(value -> node.put("value", value));
            finding.limit().ifPresent(value -> node.put("limit", value));
            finding.since().ifPresent(since -> node.put("since", since));
            finding.standing().phase().ifPresent(phase -> node.put("phase", phase.name()));
            if (!finding.standing().lastGood().isEmpty()) {
                node.put("lastGood", finding.standing().lastGood());
            }
        }
        return root.toPrettyString() + "\n";
    }

    private List<List<String>> rows() {
        return report.findings().stream()
                .map(finding -> List.of(
                        finding.title(),
                        finding.call().words(),
                        finding.effect().name(),
                        Words.number(finding.value()),
                        Words.number(finding.limit()),
                        finding.sentence()))
                .toList();
    }
}
