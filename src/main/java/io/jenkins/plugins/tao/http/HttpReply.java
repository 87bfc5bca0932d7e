package io.jenkins.plugins.tao.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import okhttp3.Headers;

/** A whole answer, whatever its status. */
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
public final class HttpReply {
    private static final int OK = 200;
    private static final int AFTER_OK = 300;

    private final int status;
    private final Headers headers;
    private final byte[] body;
    private final Refusal refusal;
    private final HttpRequest request;

    /** The status as sent. */
    public int status() {
        return status;
    }

    /** Whether the status is 200 to 299 and the request's check finds no error in the body. */
    public boolean ok() {
        return status >= OK && status < AFTER_OK && hiddenError().isEmpty();
    }

    /** All headers by their names in small letters. */
    public Map<String, List<String>> headers() {
        return headers.toMultimap();
    }

    /** A header's value. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** Without parameters, in small letters: {@code application/json}; empty when not told. */
    public String contentType() {
        return header("Content-Type").orElse("").replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
    }

    /** The service's clock when it answered. */
    public Optional<Instant> date() {
        return RetryAfter.date(headers.get("Date"));
    }

    /** The body; the caller's own from now on. */
    public byte[] bytes() {
        return body.clone();
    }

    /** The body as UTF-8; what is none of it becomes U+FFFD. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /**
     * The body as JSON, whatever the content type says.
     *
     * @throws Unreadable if it is a web page, is no JSON, or ends too early
     */
    public JsonNode json() throws Unreadable {
        Optional<JsonNode> value = Json.parse(text());
        if (value.isPresent()) {
            return value.get();
        }
        throw refusal.unreadable(contentType(), text());
    }

    /** The service's own words about a refusal, one line, secrets masked. */
    public String message() {
        return hiddenError()
                .map(error -> refusal.words(error.message()))
                .orElseGet(() -> ServiceMessage.in(refusal.words(text())));
    }

    /** This reply if it is {@link #ok}, else what it means as an error. */
    public HttpReply orThrow() throws BackendException {
        if (ok()) {
            return this;
        }
        throw error();
    }

    /** What a reply that is not {@link #ok} means. */
    public BackendException error() {
        return refusal.of(hiddenError().map(BodyError::status).orElse(status), headers, message());
    }

    private Optional<BodyError> hiddenError() {
        boolean fine = status >= OK && status < AFTER_OK;
        return fine ? Json.parse(text()).flatMap(request.check()::in) : Optional.empty();
    }

    @Override
    public String toString() {
        return "HTTP " + status + ", " + body.length + " bytes";
    }
}
