package io.jenkins.plugins.tao.http;

import static io.jenkins.plugins.tao.job.Require.require;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

/** A request as it is put together, by one thread, to be sent once. Its text form has neither query, headers nor body. */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class HttpRequest {
    private static final MediaType JSON = MediaType.get("application/json");

    private final String method;
    private final String purpose;
    private final List<Consumer<HttpUrl.Builder>> url = new ArrayList<>();
    private final Request.Builder headers = new Request.Builder();
    private final List<Secret> hidden = new ArrayList<>();
    private Optional<HttpUrl> absolute = Optional.empty();
    private Optional<RequestBody> body = Optional.empty();
    private Optional<Duration> within = Optional.empty();
    private Optional<Duration> quiet = Optional.empty();
    private BodyError.Check check = any -> Optional.empty();
    private boolean elsewhere;

    /**
     * Asks for something.
     *
     * @param purpose what the request does, as an error says it after "while": {@code listing jobs}
     */
    public static HttpRequest get(String purpose) {
        return new HttpRequest("GET", purpose);
    }

    /** Sends something that is not sent again by itself, even when the connection breaks. */
    public static HttpRequest post(String purpose) {
        return new HttpRequest("POST", purpose);
    }

    /** Changes a part of something; like {@link #post} not sent again by itself. */
    public static HttpRequest patch(String purpose) {
        return new HttpRequest("PATCH", purpose);
    }

    /** Puts something at its place; sending it twice does no harm. */
    public static HttpRequest put(String purpose) {
        return new HttpRequest("PUT", purpose);
    }

    /** Removes something. */
    public static HttpRequest delete(String purpose) {
        return new HttpRequest("DELETE", purpose);
    }

    /** Adds segments to the path of the service; each is encoded, a slash too. */
    public HttpRequest path(String... segments) {
        for (String segment : segments) {
            require(!segment.isEmpty() && !isDots(segment), "'%s' cannot be part of a path", segment);
            url.add(builder -> builder.addPathSegment(segment));
        }
        return this;
    }

    /** Adds segments that are percent-encoded already, exactly as they are: {@code bucket/key%20with%20spaces}. */
    public HttpRequest encodedPath(String segments) {
        for (String segment : segments.split("/", -1)) {
            require(!isDots(segment), "'%s' cannot be part of a path", segment);
        }
        url.add(builder -> builder.addEncodedPathSegments(segments));
        return this;
    }

    /** Adds a parameter to the query, encoded. */
    public HttpRequest query(String name, String value) {
        url.add(builder -> builder.addQueryParameter(name, value));
        return this;
    }

    /** Takes this query as it is, percent-encoded already, instead of any other. */
    public HttpRequest encodedQuery(String query) {
        url.add(builder -> builder.encodedQuery(query));
        return this;
    }

    /**
     * Goes to this address instead of the service's own; the credential goes with it only to the service's own scheme,
     * host and port.
     *
     * @throws IllegalArgumentException if it is no {@code https} address ({@code http} for this machine only)
     */
    public HttpRequest at(String address) {
        HttpUrl parsed = HttpUrl.parse(address);
        if (parsed == null) {
            throw new IllegalArgumentException("an address of a file must begin with https://");
        }
        require(parsed.isHttps() || Loopback.is(parsed.host()), "the address on %s must be https", parsed.host());
        absolute = Optional.of(parsed);
        return this;
    }

    /** Adds a header; one of the same name is replaced. */
    public HttpRequest header(String name, String value) {
        headers.header(name, value);
        return this;
    }

    /** Sends a JSON value. */
    public HttpRequest json(JsonNode value) {
        body = Optional.of(RequestBody.create(value.toString().getBytes(StandardCharsets.UTF_8), JSON));
        return this;
    }

    /** Sends these bytes as they are. */
    public HttpRequest bytes(byte[] content) {
        body = Optional.of(RequestBody.create(content, null));
        return this;
    }

    /** Gives the whole call this long instead of what the settings say. */
    public HttpRequest within(Duration limit) {
        within = Optional.of(limit);
        return this;
    }

    /** Takes this long a silence within an answer instead of what the settings say. */
    public HttpRequest quietFor(Duration limit) {
        quiet = Optional.of(limit);
        return this;
    }

    /** Masks these in the service's messages: values that the body carries. */
    public HttpRequest hide(Collection<Secret> secrets) {
        hidden.addAll(secrets);
        return this;
    }

    /** Tells an error that comes with HTTP 200. */
    public HttpRequest errorIn(BodyError.Check recogniser) {
        check = recogniser;
        return this;
    }

    /** Follows a redirect to another https host too, without the credential and without headers of its own. */
    public HttpRequest followElsewhere() {
        elsewhere = true;
        return this;
    }

    String purpose() {
        return purpose;
    }

    List<Secret> hidden() {
        return List.copyOf(hidden);
    }

    Optional<Duration> within() {
        return within;
    }

    Optional<Duration> quiet() {
        return quiet;
    }

    BodyError.Check check() {
        return check;
    }

    boolean mayGoElsewhere() {
        return elsewhere;
    }

    /** Whether sending it twice does no harm. */
    boolean repeatable() {
        return !method.equals("POST") && !method.equals("PATCH");
    }

    HttpUrl url(HttpUrl base) {
        HttpUrl.Builder builder = absolute.orElse(base).newBuilder();
        url.forEach(step -> step.accept(builder));
        return builder.build();
    }

    Request.Builder headers() {
        boolean needsBody = method.equals("POST") || method.equals("PATCH") || method.equals("PUT");
        RequestBody content = body.orElseGet(() -> RequestBody.create(new byte[0], null));
        return headers.method(method, body.isPresent() || needsBody ? content : null);
    }

    private static boolean isDots(String segment) {
        String plain = segment.replace("%2e", ".").replace("%2E", ".");
        return plain.equals(".") || plain.equals("..");
    }

    @Override
    public String toString() {
        return method + " (" + purpose + ")";
    }
}
