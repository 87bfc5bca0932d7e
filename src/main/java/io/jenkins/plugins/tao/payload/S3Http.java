package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.HttpStream;
import io.jenkins.plugins.tao.job.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.awscore.defaultsmode.DefaultsMode;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** Requests of AWS's SDK over our own HTTP, with its proxy, limits, masks and refusals. For one thread at a time. */
final class S3Http implements SdkHttpClient {
    private final String service;
    private final URI endpoint;
    private final HttpApi api;
    private String purpose = "";
    private List<Secret> hidden = List.of();
    private Optional<HttpReply> reply = Optional.empty();
    private Optional<HttpStream> content = Optional.empty();
    private Optional<Instant> time = Optional.empty();

    /** Carries a {@link BackendException} through the SDK. */
    static final class Failed extends IOException {
        private static final long serialVersionUID = 1L;
        final transient BackendException why;

        Failed(BackendException why) {
            super(why);
            this.why = why;
        }
    }

    /** A call of a client of the SDK. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws BackendException;
    }

    /**
     * Connects to nothing yet.
     *
     * @param service as errors begin with it
     */
    S3Http(String service, URI endpoint, HttpCredential credential, HttpSettings settings) {
        this.service = service;
        this.endpoint = endpoint;
        this.api = new HttpApi(service, endpoint.resolve("/").toString(), credential, settings);
    }

    /**
     * Configures a client of the SDK to send its requests here. Neither profile nor variables of the user change them, and one is
     * repeated only after the clock was corrected.
     */
    <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> B client(
            B builder, String region, AwsCredentialsProvider keys) {
        StandardRetryStrategy retries = StandardRetryStrategy.builder()
                .useClientDefaults(false)
                .maxAttempts(2)
                .retryOnException(e -> e instanceof AwsServiceException refusal && refusal.isClockSkewException())
                .backoffStrategy(BackoffStrategy.retryImmediately())
                .build();
        return builder.httpClient(this)
                .region(Region.of(region))
                .endpointOverride(endpoint)
                .credentialsProvider(keys)
                .defaultsMode(DefaultsMode.STANDARD)
                .dualstackEnabled(false)
                .fipsEnabled(false)
                .overrideConfiguration(all -> all.retryStrategy(retries)
                        .defaultProfileFile(ProfileFile.aggregator().build()));
    }

    /**
     * Runs a call of such a client.
     *
     * @param purpose what it does, as an error says it after "while"
     * @param hidden what is masked in messages
     * @param refusals what a refusal of the service means, by its code
     */
    <T> T call(
            String purpose, List<Secret> hidden, BiFunction<String, HttpReply, BackendException> refusals, Call<T> call)
            throws BackendException {
        this.purpose = purpose;
        this.hidden = hidden;
        reply = Optional.empty();
        try {
            return call.run();
        } catch (AwsServiceException e) {
            String code = Optional.ofNullable(e.awsErrorDetails())
                    .map(AwsErrorDetails::errorCode)
                    .orElse("");
            throw reply.filter(HttpReply::ok).isPresent()
                    ? unreadable("sent an error with a status of success")
                    : refusals.apply(code, reply.orElseThrow());
        } catch (SdkException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof Failed failed) {
                    throw failed.why;
                }
            }
            throw reply.isPresent()
                    ? unreadable("sent something that is not an answer to " + purpose)
                    : new Unreachable(
                            service + " was not called: " + e.getMessage(), "See its settings, and try again.", e);
        }
    }

    /**
     * A part that the last answer must have.
     *
     * @param otherwise what the service did if it lacks the part
     */
    <T> T required(@Nullable T part, String otherwise) throws Unreadable {
        if (part == null) {
            throw unreadable(otherwise);
        }
        return part;
    }

    private Unreadable unreadable(String what) {
        return new Unreadable(
                service + " " + what,
                reply.map(HttpReply::text).orElse(""),
                "See that the endpoint is the address of the service's own interface.");
    }

    /** The time of the service, as of its last answer. */
    Optional<Instant> time() {
        return time;
    }

    /** The content of the object that was requested last. */
    HttpStream content() {
        return content.orElseThrow();
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                try {
                    return answer(request);
                } catch (BackendException e) {
                    throw new Failed(e);
                }
            }

            @Override
            public void abort() {
                // the time limits of the settings end a request
            }
        };
    }

    private HttpExecuteResponse answer(HttpExecuteRequest whole) throws IOException, BackendException {
        SdkHttpRequest request = whole.httpRequest();
        HttpRequest sent =
                switch (request.method()) {
                    case PUT -> HttpRequest.put(purpose);
                    case POST -> HttpRequest.post(purpose);
                    case DELETE -> HttpRequest.delete(purpose);
                    default -> HttpRequest.get(purpose);
                };
        sent.encodedPath(request.encodedPath().replaceFirst("^/", "")).hide(hidden);
        request.encodedQueryParameters().ifPresent(sent::encodedQuery);
        request.forEachHeader((name, values) -> sent.header(name, String.join(",", values)));
        if (whole.contentStreamProvider().isPresent()) {
            try (InputStream body = whole.contentStreamProvider().get().newStream()) {
                sent.bytes(body.readAllBytes());
            }
        }
        HttpExecuteResponse.Builder response = HttpExecuteResponse.builder();
        if (request.method() == SdkHttpMethod.GET && request.numRawQueryParameters() == 0) {
            content = Optional.of(api.open(sent)); // of an object: read from there, not through the SDK
            return response.response(SdkHttpResponse.builder().statusCode(200).build())
                    .responseBody(AbortableInputStream.createEmpty())
                    .build();
        }
        HttpReply answer = api.exchange(sent);
        reply = Optional.of(answer);
        time = answer.date().or(() -> time);
        return response.response(SdkHttpResponse.builder()
                        .statusCode(answer.status())
                        .headers(answer.headers())
                        .build())
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(answer.bytes())))
                .build();
    }

    @Override
    public void close() {
        api.close();
    }
}
