package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** What the API server warned of when it last checked an object without making it: the header {@code Warning}, RFC 7234. */
final class ServerWarnings implements Interceptor {
    private static final Pattern TEXT = Pattern.compile("299 \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final int SECONDS = 5;

    private volatile CompletableFuture<List<String>> answer = new CompletableFuture<>();

    /** To be called before an object is tried out. */
    void expect() {
        answer = new CompletableFuture<>();
    }

    /** The warnings of the answer that has come: the library gives the answer and its headers in no fixed order. */
    List<String> told() {
        return answer.completeOnTimeout(List.of(), SECONDS, TimeUnit.SECONDS).join();
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        if (Objects.requireNonNullElse(request.uri().getQuery(), "").contains("dryRun")) {
            answer.complete(response.headers("Warning").stream()
                    .flatMap(value -> TEXT.matcher(value).results())
                    .map(found -> found.group(1).replaceAll("\\\\(.)", "$1"))
                    .distinct()
                    .toList());
        }
    }
}
