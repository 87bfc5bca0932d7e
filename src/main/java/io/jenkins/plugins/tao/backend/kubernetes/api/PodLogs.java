package io.jenkins.plugins.tao.backend.kubernetes.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The logs of pods, one request each. The client library's own way to a log starts a watch of the pod beside it, which
 * costs two more requests and a right that nothing else needs.
 */
public record PodLogs(KubernetesClient client, ApiCalls calls) {
    /** What came of asking for a log. */
    public sealed interface PodLog {
        /** It can be read; whoever reads closes it. */
        record Opened(InputStream lines) implements PodLog {}

        /** There is none: the container has not started, or the pod is gone with its log. */
        record None(String why) implements PodLog {}

        /** The account may not read it. */
        record Refused(String why) implements PodLog {}

        /** No answer came. */
        record Unknown(BackendException why) implements PodLog {}
    }

    /**
     * Opens the log of a pod, each line with its time before it.
     *
     * @param since lines of this second and later
     * @param tail at most that many of the last lines
     */
    public PodLog open(Reference pod, Optional<Instant> since, OptionalInt tail) {
        List<String> query = new ArrayList<>(List.of("timestamps=true"));
        since.ifPresent(at -> query.add(
                "sinceTime=" + encoded(at.truncatedTo(ChronoUnit.SECONDS).toString())));
        tail.ifPresent(lines -> query.add("tailLines=" + lines));
        return request(pod, query);
    }

    /** Opens the last lines that a container wrote before it was started again. */
    public PodLog earlier(Reference pod, int lines) {
        return request(pod, List.of("previous=true", "tailLines=" + lines));
    }

    /** Opens the whole log, without times. */
    PodLog whole(Reference pod) {
        return request(pod, List.of("timestamps=false"));
    }

    private PodLog request(Reference pod, List<String> query) {
        String what = "read the log of pod '" + pod + "'";
        String path = "api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name() + "/log?container="
                + KubernetesNames.CONTAINER + "&" + String.join("&", query);
        try {
            return new PodLog.Opened(calls.ask(what, () -> send(path)));
        } catch (Denied e) {
            return new PodLog.Refused(String.valueOf(e.getMessage()));
        } catch (Rejected e) {
            return new PodLog.None(String.valueOf(e.getMessage()));
        } catch (BackendException e) {
            return new PodLog.Unknown(e);
        }
    }

    private InputStream send(String path) {
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(client.getMasterUrl() + path)
                .build();
        HttpResponse<InputStream> answer = await(client.getHttpClient().sendAsync(request, InputStream.class));
        if (answer.isSuccessful()) {
            return answer.body();
        }
        throw refusal(answer);
    }

    private HttpResponse<InputStream> await(CompletableFuture<HttpResponse<InputStream>> answer) {
        try {
            return answer.get(client.getConfiguration().getRequestTimeout(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new KubernetesClientException("no answer", e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new KubernetesClientException("no answer in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.cancel(true);
            throw new KubernetesClientException("interrupted", e);
        }
    }

    /** The server's own words, when it gave some. */
    private KubernetesClientException refusal(HttpResponse<InputStream> answer) {
        String text = "";
        try (InputStream body = answer.body()) {
            text = new String(body.readNBytes(1 << 16), UTF_8);
            Status status = client.getKubernetesSerialization().unmarshal(text, Status.class);
            if (status != null && status.getMessage() != null) {
                return new KubernetesClientException(status.getMessage(), answer.code(), status);
            }
        } catch (IOException | RuntimeException e) { // a proxy's page, or nothing: the code is what is known
            text = text.lines().findFirst().orElse("");
        }
        return new KubernetesClientException(text, answer.code(), null);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
