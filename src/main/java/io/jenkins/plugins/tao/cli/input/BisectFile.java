package io.jenkins.plugins.tao.cli.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.Bisect;
import io.jenkins.plugins.tao.journal.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The file in which {@code tao bisect} keeps its answers. They are the answers of one command: another one may judge otherwise.
 *
 * @param file where it lies
 * @param command what judges a commit
 */
public record BisectFile(Path file, String command) {
    private static final JsonMapper JSON = new JsonMapper();

    /** The answers of an earlier search that are about {@code commits}. */
    public Map<String, Bisect.Answer> answers(List<String> commits) throws UsageException {
        Map<String, Bisect.Answer> answers = new LinkedHashMap<>();
        if (!Files.isRegularFile(file)) {
            return answers;
        }
        try {
            JsonNode saved = JSON.readTree(Files.readString(file));
            if (!saved.path("command").isTextual() || !saved.path("answers").isObject()) {
                throw new IllegalArgumentException("no command and answers");
            }
            String before = saved.path("command").asText();
            if (!before.equals(command)) {
                throw new UsageException(file + " holds the answers of another command: " + before
                        + ". Delete it, or give another --state.");
            }
            saved.path("answers").properties().forEach(entry -> {
                if (commits.contains(entry.getKey())) {
                    answers.put(
                            entry.getKey(),
                            Bisect.Answer.valueOf(entry.getValue().asText()));
                }
            });
            return answers;
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new UsageException(file + " holds no search. Delete it, or give another --state.", e);
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    public void keep(Bisect search) throws UsageException {
        ObjectNode node = JSON.createObjectNode().put("schema", 1).put("command", command);
        ObjectNode answers = node.putObject("answers");
        search.answers().forEach((commit, answer) -> answers.put(commit, answer.name()));
        UsageException.writing(
                "The search cannot be kept in " + file,
                "",
                () -> DurableFile.write(file, node.toPrettyString() + "\n"));
    }
}
