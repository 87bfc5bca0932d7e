package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.kohsuke.stapler.export.Exported;
import org.kohsuke.stapler.export.ExportedBean;

/** What one gate said of a build, as its pages show it. Never changed. */
@ExportedBean(defaultVisibility = 2)
public final class GateAnswer {
    private static final JsonMapper JSON = new JsonMapper();
    /** Parts of a key. */
    static final int CRITERION = 0;

    static final int RUN = 1;

    private static final Set<String> BAD = Set.of("regression", "slow regression", "failed");
    private static final Set<String> GOOD = Set.of("pass", "better than usual", "pass (not confirmed)");

    private final String gate;
    private final String answer;
    private final String evidence;
    private final String training;
    private final String key;

    /**
     * An answer.
     *
     * @param gate the question, such as {@code val_mAP at least 0.42}
     * @param answer the word, such as {@code no verdict}
     * @param evidence the sentence
     * @param training the training that was asked, such as {@code dino train}; empty for the only one of the build
     * @param key what was asked: a mark of the criterion, the first run that was judged, and the step that asks, split by slashes
     */
    public GateAnswer(String gate, String answer, String evidence, String training, String key) {
        this.training = training;
        this.key = key;
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

    /** The training that was asked; empty for the only one of the build. */
    @Exported
    public String getTraining() {
        return training;
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
        return new GateAnswer(title, answer, evidence, training, key);
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
                .put("training", training)
                .put("key", key)
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
                            node.path("evidence").asText(),
                            node.path("training").asText(),
                            node.path("key").asText()))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
