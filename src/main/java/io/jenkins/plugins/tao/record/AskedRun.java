package io.jenkins.plugins.tao.record;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.job.Resources;
import java.time.Duration;
import java.time.Instant;

/**
 * A run that is to be sent, and what it asks for.
 *
 * @param id the job's id
 * @param target where it is to run
 * @param origin who asks
 * @param at when
 * @param resources what is asked for
 */
public record AskedRun(String id, String target, RunOrigin origin, Instant at, Resources resources) {
    /**
     * A record that has no more than this; a later one of the same id takes its place.
     *
     * @param word how it stands
     */
    public RunRecord record(String word) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("schema", RunRecord.SCHEMA)
                .put("id", id)
                .put("target", target);
        node.set("origin", origin.json());
        node.putObject("outcome").put("word", word);
        node.putObject("times").put("submittedAt", at.toString());
        ObjectNode asked = node.putObject("asked").put("nodeCount", resources.nodes());
        resources.gpusPerNode().ifPresent(gpus -> asked.put("gpus", gpus));
        resources.wallTime().map(Duration::toSeconds).ifPresent(limit -> asked.put("limitSeconds", limit));
        return RunRecord.of(node);
    }
}
