package io.jenkins.plugins.tao.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import lombok.With;

/**
 * A finding as it is kept beside the records, for digests, test results and pages.
 *
 * @param night the night that was judged, such as {@code #204}
 * @param url the address of the build below Jenkins' own; empty in a terminal
 * @param runs the ids of the runs that were judged
 * @param gate the question in words
 * @param call the answer
 * @param effect what it does to the build
 * @param sentence the evidence
 * @param value tonight's number
 * @param limit what it must not be worse than
 */
public record PastVerdict(
        String night,
        String url,
        List<String> runs,
        @With String gate,
        GateResult call,
        Effect effect,
        String sentence,
        OptionalDouble value,
        OptionalDouble limit) {
    private static final JsonMapper JSON = new JsonMapper();

    public PastVerdict {
        runs = List.copyOf(runs);
    }

    /** The findings of {@code report} about {@code tonight}. */
    public static List<PastVerdict> of(GateReport report, List<RunRecord> tonight) {
        String url = tonight.stream()
                .flatMap(run -> run.origin().fact(RunOrigin.URL).stream())
                .findFirst()
                .orElse("");
        List<String> ids = tonight.stream().map(RunRecord::id).toList();
        return report.findings().stream()
                .map(finding -> new PastVerdict(
                        report.night(),
                        url,
                        finding.subject().runs().isEmpty()
                                ? ids
                                : finding.subject().runs(),
                        finding.title(),
                        finding.call(),
                        finding.effect(),
                        finding.sentence(),
                        finding.value(),
                        finding.limit()))
                .toList();
    }

    /** One that judged nothing, because runs are lacking. */
    public static PastVerdict lacking(String night, String url, String gate, Effect effect, String sentence) {
        return new PastVerdict(
                night,
                url,
                List.of(),
                gate,
                GateResult.NO_VERDICT,
                effect,
                sentence,
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    /** How bad the answer is; 0 for one that is as it should be. */
    public int badness() {
        return call.bad()
                ? 4
                : List.of(GateResult.BETTER, GateResult.NO_VERDICT, GateResult.SUSPECT)
                                .indexOf(call)
                        + 1;
    }

    /** The answer, and what it does to a build: {@code regression (failure)}. */
    public String words() {
        return effect == Effect.NOTE
                ? call.words()
                : call.words() + " (" + effect.name().toLowerCase(Locale.ROOT) + ")";
    }

    /** As one line of JSON. */
    public String line() {
        ObjectNode node = JSON.createObjectNode().put("schema", 1).put("night", night);
        if (!url.isEmpty()) {
            node.put("url", url);
        }
        runs.forEach(node.putArray("runs")::add);
        node.put("gate", gate)
                .put("answer", call.name())
                .put("effect", effect.name())
                .put("evidence", sentence);
        value.ifPresent(number -> node.put("value", number));
        limit.ifPresent(number -> node.put("limit", number));
        return node.toString();
    }

    /** Reads what {@link #line} wrote; empty for half a line and for answers of a newer version. */
    public static Optional<PastVerdict> parse(String line) {
        try {
            JsonNode node = JSON.readTree(line);
            if (!node.path("gate").isTextual()) {
                return Optional.empty();
            }
            List<String> runs = new ArrayList<>();
            node.path("runs").forEach(run -> runs.add(run.asText()));
            return Optional.of(new PastVerdict(
                    node.path("night").asText(),
                    node.path("url").asText(),
                    runs,
                    node.path("gate").asText(),
                    GateResult.valueOf(node.path("answer").asText()),
                    Effect.valueOf(node.path("effect").asText()),
                    node.path("evidence").asText(),
                    number(node.path("value")),
                    number(node.path("limit"))));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static OptionalDouble number(JsonNode node) {
        return node.isNumber() ? OptionalDouble.of(node.doubleValue()) : OptionalDouble.empty();
    }
}
