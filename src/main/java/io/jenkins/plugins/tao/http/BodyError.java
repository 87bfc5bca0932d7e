package io.jenkins.plugins.tao.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * An error that came with HTTP 200.
 *
 * @param status the HTTP status that it should have had
 * @param message the service's words
 */
public record BodyError(int status, String message) {
    /** Recognises such an error. */
    @FunctionalInterface
    public interface Check {
        /** The error in {@code body}, if it is one. */
        Optional<BodyError> in(JsonNode body);
    }
}
