package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Optional;
import java.util.Set;
import org.kohsuke.stapler.export.Exported;
import org.kohsuke.stapler.export.ExportedBean;

/** What one gate said of a build, as its pages show it. Never changed. */
@ExportedBean(defaultVisibility = 2)
public final class GateAnswer {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Set<String> BAD = Set.of("regression", "slow regression", "failed");
    private static final Set<String> GOOD = Set.of("pass", "better than usual", "pass (not confirmed)");

    private final String gate;
    private final String answer;
    private final String evidence;

    /**
     * An answer.
     *
     * @param gate the question, such as {@code val_mAP at least 0.42}
     * @param answer the word, such as {@code no verdict}
     * @param evidence the sentence
     */
    public GateAnswer(String gate, String answer, String evidence) {
        this.gate = gate;
        this.answer = answer;
        this.evidence = evidence;
    }

    @Exported
    public String getGate() {
        return gate;
    }

    @Exported
    public String getAnswer() {
        return answer;
    }

    @Exported
    public String getEvidence() {
        return evidence;
    }

    /** {@code failed}, {@code succeeded} or {@code lost}: the colours of {@link JobKind}. */
    public String getKind() {
        return BAD.contains(answer) ? "failed" : GOOD.contains(answer) ? "succeeded" : "lost";
    }

    String line() {
        return JSON.createObjectNode()
                .put("gate", gate)
                .put("answer", answer)
                .put("evidence", evidence)
                .toString();
    }

    /** Reads what {@link #line} wrote; empty where the line is cut or another thing. */
    static Optional<GateAnswer> parse(String line) {
        try {
            JsonNode node = JSON.readTree(line);
            return node.path("gate").isTextual()
                    ? Optional.of(new GateAnswer(
                            node.path("gate").asText(),
                            node.path("answer").asText(),
                            node.path("evidence").asText()))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
