package io.jenkins.plugins.tao.backend.slurm.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.http.Json;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One answer of {@code slurmrestd}. A large cluster's list of jobs is read job by job, and only those asked for are kept.
 *
 * @param body all of it but the jobs left out
 * @param listed how many jobs it listed, those left out included
 */
record RestAnswer(ObjectNode body, int listed, RestErrors errors) {
    private static final JsonFactory FACTORY = new ObjectMapper().getFactory();
    private static final String JOBS = "jobs";

    /** Reads an answer; empty when it is no whole JSON object. */
    static Optional<RestAnswer> parse(byte[] text, Predicate<JsonNode> wanted) {
        ObjectNode body = Json.object();
        int listed = 0;
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            for (JsonToken token = parser.nextToken(); token == JsonToken.FIELD_NAME; token = parser.nextToken()) {
                String name = parser.currentName();
                if (parser.nextToken() == JsonToken.START_ARRAY && name.equals(JOBS)) {
                    listed = jobs(parser, wanted, body.putArray(JOBS));
                } else {
                    body.set(name, parser.readValueAsTree());
                }
            }
            boolean whole = parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
            return whole ? Optional.of(new RestAnswer(body, listed, RestErrors.of(body))) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static int jobs(JsonParser parser, Predicate<JsonNode> wanted, ArrayNode kept) throws IOException {
        int listed = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token == null) {
                throw new IOException("the list of jobs breaks off");
            }
            JsonNode job = parser.readValueAsTree();
            listed++;
            if (wanted.test(job)) {
                kept.add(job);
            }
        }
        return listed;
    }

    /** The jobs that were kept. */
    JsonNode jobs() {
        return body.path(JOBS);
    }
}
