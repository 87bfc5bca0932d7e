package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.Finding;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.criteria.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import lombok.Getter;
import lombok.RequiredArgsConstructor;
import org.kohsuke.stapler.export.Exported;
import org.kohsuke.stapler.export.ExportedBean;

/** What one gate said of a build, as its pages show it. Never changed. */
@ExportedBean(defaultVisibility = 2)
@RequiredArgsConstructor
public final class GateAnswer {
    private static final JsonMapper JSON = new JsonMapper();
    /** Parts of a key. */
    static final int CRITERION = 0;

    static final int RUN = 1;

    private static final Set<String> BAD = Set.of("regression", "slow regression", "failed");
    private static final Set<String> GOOD = Set.of("pass", "better than usual", "pass (not confirmed)");

    /** The question, such as {@code val_mAP at least 0.42}. */
    @Getter(onMethod_ = @Exported)
    private final String gate;

    /** The word, such as {@code no verdict}. */
    @Getter(onMethod_ = @Exported)
    private final String answer;

    /** The sentence. */
    @Getter(onMethod_ = @Exported)
    private final String evidence;

    /** The training that was asked, such as {@code dino train}; empty for the only one of the build. */
    @Getter(onMethod_ = @Exported)
    private final String training;

    /** What was asked: a mark of the criterion, the first run that was judged, and the step that asks, split by slashes. */
    private final String key;
    /** What it does to the build; empty where an older version did not keep it. */
    private final Optional<Effect> effect;

    private final Figures figures;

    /**
     * The numbers of an answer, in the metric's unit.
     *
     * @param metric the curve that they are values of; empty where they are other numbers, such as a count of epochs
     * @param value that of the build; empty where it has none
     * @param usual the usual value; empty while too little is known, and for a gate that compares with one value
     * @param limit what it must not be worse than; empty where there is none
     * @param unit the unit after a space; empty where none is known
     * @param since the build with which the regression began, such as {@code about #12}; empty for none
     * @param curve the values of the last builds, the newest last
     */
    public record Figures(
            String metric,
            OptionalDouble value,
            OptionalDouble usual,
            OptionalDouble limit,
            String unit,
            String since,
            List<Double> curve) {
        /** Those of an answer that has no numbers. */
        public static final Figures NONE = new Figures(
                "", OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), "", "", List.of());

        private static final int MOST = 30;

        public Figures {
            curve = List.copyOf(curve);
        }

        /** Those of a finding, with the last thirty values of its series. */
        public static Figures of(Finding finding) {
            List<Double> series =
                    finding.series().stream().map(Finding.Mark::value).toList();
            Optional<Finding.Usual> usual = finding.standing().usual();
            return new Figures(
                    finding.criterion().reading().ofMetric()
                            ? finding.criterion().metric()
                            : "",
                    finding.value(),
                    usual.isEmpty()
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(usual.get().mean()),
                    finding.limit(),
                    finding.criterion().unit(),
                    finding.since().orElse("").replaceFirst("^since ", "").replaceFirst(" \\(.*", ""),
                    series.subList(Math.max(0, series.size() - MOST), series.size()));
        }
    }

    /** {@code FAILURE}, {@code UNSTABLE} or {@code NOTE}: what the answer does to the build; empty where it is not known. */
    @Exported
    public String getEffect() {
        return effect.map(Effect::name).orElse("");
    }

    /** What an answer that is not good does to the build, in words; empty for a good one. */
    public String getEffectWords() {
        if (getKind().equals("succeeded")) {
            return "";
        }
        return effect.map(known -> switch (known) {
                    case FAILURE -> Messages.Gate_fails();
                    case UNSTABLE -> Messages.Gate_unstable();
                    case NOTE -> Messages.Gate_note();
                })
                .orElse("");
    }

    /** The value of the build with its unit; empty where it has none. */
    public String getValue() {
        return text(figures.value(), figures.usual());
    }

    /** The usual value with its unit; empty where it is not known. */
    public String getUsual() {
        return text(figures.usual(), figures.value());
    }

    /** What the value must not be worse than, with its unit; empty where there is no limit. */
    public String getLimit() {
        return text(figures.limit(), figures.value());
    }

    Figures figures() {
        return figures;
    }

    /** The build with which the regression began; empty where none lasts. */
    @Exported
    public String getSince() {
        return figures.since();
    }

    private String text(OptionalDouble number, OptionalDouble beside) {
        return number.isEmpty()
                ? ""
                : Words.apart(number.getAsDouble(), beside.orElse(number.getAsDouble())) + figures.unit();
    }

    /** The last builds as a small picture. */
    public GateCurve getCurve() {
        return new GateCurve(figures.curve(), figures.limit());
    }

    /** What a later answer must share to take the place of this one. Older versions kept no step. */
    List<String> question() {
        return key.contains("/") ? List.of(key) : List.of(gate, training, key);
    }

    /** A part of the key; empty where an older version kept none. */
    String keyPart(int part) {
        String[] parts = key.split("/", -1);
        return part < parts.length ? parts[part] : "";
    }

    /** The same with another title. */
    GateAnswer named(String title) {
        return new GateAnswer(title, answer, evidence, training, key, effect, figures);
    }

    /** {@code failed}, {@code succeeded} or {@code lost}: the colours of {@link JobKind}. */
    public String getKind() {
        return BAD.contains(answer) ? "failed" : GOOD.contains(answer) ? "succeeded" : "lost";
    }

    String line() {
        ObjectNode line = JSON.createObjectNode()
                .put("gate", gate)
                .put("answer", answer)
                .put("evidence", evidence)
                .put("training", training)
                .put("key", key)
                .put("metric", figures.metric())
                .put("unit", figures.unit())
                .put("since", figures.since());
        effect.ifPresent(known -> line.put("effect", known.name()));
        figures.value().ifPresent(value -> line.put("value", value));
        figures.usual().ifPresent(usual -> line.put("usual", usual));
        figures.limit().ifPresent(limit -> line.put("limit", limit));
        figures.curve().forEach(line.putArray("curve")::add);
        return line.toString();
    }

    /** Reads what {@link #line} wrote; empty where the line is cut or another thing. */
    static Optional<GateAnswer> parse(String line) {
        try {
            JsonNode node = JSON.readTree(line);
            return node.path("gate").isTextual()
                    ? Optional.of(new GateAnswer(
                            node.path("gate").asText(),
                            node.path("answer").asText(),
                            node.path("evidence").asText(),
                            node.path("training").asText(),
                            node.path("key").asText(),
                            Stream.of(Effect.values())
                                    .filter(effect -> effect.name()
                                            .equals(node.path("effect").asText()))
                                    .findFirst(),
                            figures(node)))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static Figures figures(JsonNode node) {
        List<Double> curve = new ArrayList<>();
        node.path("curve").forEach(value -> curve.add(value.asDouble()));
        return new Figures(
                node.path("metric").asText(),
                number(node.path("value")),
                number(node.path("usual")),
                number(node.path("limit")),
                node.path("unit").asText(),
                node.path("since").asText(),
                curve);
    }

    private static OptionalDouble number(JsonNode node) {
        return node.isNumber() ? OptionalDouble.of(node.doubleValue()) : OptionalDouble.empty();
    }
}
