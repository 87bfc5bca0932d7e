package io.jenkins.plugins.tao.http;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendException;
import java.io.IOException;
import java.util.Optional;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;

/**
 * One HTTP service, over one kept client. Certificates are checked, redirects to another place are not followed, and the
 * credential goes nowhere else. Nothing is retried, but a request that may be sent twice and met a connection the
 * service had closed in the meantime.
 */
public final class HttpApi implements AutoCloseable {
    private static final long MAX_ERROR_BYTES = 64 * 1024;
    private static final int MAX_REDIRECTS = 5;

    private final String service;
    private final HttpUrl base;
    private final HttpCredential credential;
    private final HttpSettings settings;
    private final OkHttpClient client;

    /**
     * Connects to nothing yet.
     *
     * @param service as errors begin with it: {@code Lepton workspace 'vision'}
     * @param baseUrl what every path is appended to
     * @throws IllegalArgumentException if that is no https address; http is taken for this machine itself, and where no
     *     credential of ours is sent
     */
    public HttpApi(String service, String baseUrl, HttpCredential credential, HttpSettings settings) {
        HttpUrl url = HttpUrl.parse(baseUrl);
        if (url == null) {
            throw new IllegalArgumentException(service + " needs an address that begins with https://");
        }
        require(
                url.isHttps() || Loopback.is(url.host()) || credential.header().isEmpty(),
                "%s needs an https address, so that the token cannot be read on the network",
                service);
        this.service = service;
        this.base = withoutLastSlash(url);
        this.credential = credential;
        this.settings = settings;
        this.client = client(settings);
    }

    private static OkHttpClient client(HttpSettings settings) {
        OkHttpClient.Builder builder = new OkHttpClient.Builder()
                .dispatcher(new Dispatcher())
                .connectionPool(new ConnectionPool())
                .connectTimeout(settings.connect())
                .readTimeout(settings.read())
                .writeTimeout(settings.read())
                .callTimeout(settings.call())
                .followRedirects(false)
                .followSslRedirects(false);
        return ProxyRoute.of(settings.proxy(), builder).build();
    }

    private static HttpUrl withoutLastSlash(HttpUrl url) {
        int last = url.pathSize() - 1;
        boolean slash = last > 0 && url.pathSegments().get(last).isEmpty();
        return slash ? url.newBuilder().removePathSegment(last).build() : url;
    }

    /**
     * Sends a request and reads the whole answer, whatever its status.
     *
     * @throws BackendException.Unreachable if there is none, or half of one
     * @throws BackendException.Unreadable if it is longer than the settings allow, or a redirect to another place
     */
    public HttpReply exchange(HttpRequest request) throws BackendException {
        Refusal refusal = new Refusal(service, credential, request);
        try (Response response = call(request, refusal)) {
            long most = response.isSuccessful() ? settings.maxBytes() : MAX_ERROR_BYTES;
            byte[] body = read(response, most, refusal);
            return new HttpReply(response.code(), response.headers(), body, refusal, request);
        } catch (IOException e) {
            throw refusal.broken(e);
        }
    }

    /** Like {@link #exchange}, for those to whom every status but 200 to 299 is an error. */
    public HttpReply send(HttpRequest request) throws BackendException {
        return exchange(request).orThrow();
    }

    /**
     * Sends a request and hands out the body of a good answer as it comes; the caller closes it.
     *
     * @throws BackendException as {@link #send}
     */
    public HttpStream open(HttpRequest request) throws BackendException {
        Refusal refusal = new Refusal(service, credential, request);
        try {
            Response response = call(request, refusal);
            if (response.isSuccessful()) {
                return new HttpStream(response, refusal, settings.maxBytes());
            }
            try (response) {
                byte[] body = read(response, MAX_ERROR_BYTES, refusal);
                throw new HttpReply(response.code(), response.headers(), body, refusal, request).error();
            }
        } catch (IOException e) {
            throw refusal.broken(e);
        }
    }

    /** Whether an answer could not be read because it was longer than the settings allow: less can be asked for at once. */
    public static boolean isTooLong(BackendException.Unreadable e) {
        return String.valueOf(e.getMessage()).contains(Refusal.TOO_LONG);
    }

    /** Ends all calls and connections. */
    @Override
    public void close() {
        client.dispatcher().cancelAll();
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
    }

    private Response call(HttpRequest request, Refusal refusal) throws IOException, BackendException {
        OkHttpClient calling = client.newBuilder()
                .retryOnConnectionFailure(request.repeatable())
                .callTimeout(request.within().orElse(settings.call()))
                .readTimeout(request.quiet().orElse(settings.read()))
                .build();
        HttpUrl url = request.url(base);
        Request next = authorized(request.headers().url(url), url).build();
        for (int hop = 0; hop <= MAX_REDIRECTS; hop++) {
            Response response = calling.newCall(next).execute();
            if (!response.isRedirect() || response.header("Location") == null) {
                return response;
            }
            next = redirected(request, next, response, refusal);
        }
        throw refusal.redirected(302, Optional.of("a circle of redirects"));
    }

    private Request redirected(HttpRequest request, Request sent, Response response, Refusal refusal)
            throws BackendException {
        try (response) {
            String location = response.header("Location", "");
            HttpUrl to = sent.url().resolve(location == null ? "" : location);
            boolean reading = sent.method().equals("GET") || sent.method().equals("HEAD");
            if (to != null && reading && sameOrigin(sent.url(), to)) {
                return sent.newBuilder().url(to).build();
            }
            boolean secure = to != null && (to.isHttps() || Loopback.is(to.host()));
            if (secure && reading && request.mayGoElsewhere()) {
                return new Request.Builder().url(to).method(sent.method(), null).build();
            }
            throw refusal.redirected(response.code(), Optional.ofNullable(to).map(HttpUrl::host));
        }
    }

    private Request.Builder authorized(Request.Builder request, HttpUrl url) {
        request.header("User-Agent", "tao-run");
        if (sameOrigin(base, url)) {
            credential.header().ifPresent(value -> request.header("Authorization", value.reveal()));
        }
        return request;
    }

    private static boolean sameOrigin(HttpUrl one, HttpUrl other) {
        return one.scheme().equals(other.scheme()) && one.host().equals(other.host()) && one.port() == other.port();
    }

    private static byte[] read(Response response, long maxBytes, Refusal refusal) throws IOException, BackendException {
        BufferedSource source = response.body().source();
        Buffer kept = new Buffer();
        while (kept.size() <= maxBytes) {
            if (source.read(kept, Math.min(64 * 1024, maxBytes + 1 - kept.size())) < 0) {
                return kept.readByteArray();
            }
        }
        if (response.isSuccessful()) {
            throw refusal.tooLong(maxBytes);
        }
        return kept.readByteArray(maxBytes);
    }
}
