package io.jenkins.plugins.tao.backend.kubernetes.request;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.remote.host.ExecHost;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A program that the API server started in a pod. */
public record PodProgram(Reference pod, ExecWatch watch) implements ExecHost.Started {

    public static ExecHost.Started start(
            PodResource at, Reference pod, String[] words, byte[] input, OutputStream err) {
        try {
            ExecWatch watch = at.inContainer(KubernetesNames.CONTAINER)
                    .withReadyWaitTimeout(0) // it runs
                    .redirectingInput()
                    .redirectingOutput()
                    .writingError(err)
                    .usingListener((code, why) -> {}) // without one the library logs a cut with its stack trace
                    .exec(words);
            watch.getInput().write(input);
            watch.getInput().flush();
            return new PodProgram(pod, watch);
        } catch (IOException e) {
            throw new KubernetesClientException("its standard input was closed", e);
        } catch (KubernetesClientException e) {
            throw refusal(e);
        }
    }

    /** The library keeps the code of a refused connection among the causes, and no text. */
    private static KubernetesClientException refusal(KubernetesClientException e) {
        int code = e.getCode();
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof WebSocketHandshakeException handshake && handshake.getResponse() != null) {
                code = handshake.getResponse().code();
            }
        }
        if (code == HttpURLConnection.HTTP_NOT_FOUND) {
            return new KubernetesClientException("the pod is gone", HttpURLConnection.HTTP_GONE, null);
        }
        return code == e.getCode()
                ? e
                : new KubernetesClientException("the connection was answered with " + code, code, null);
    }

    @Override
    public InputStream out() {
        return watch.getOutput();
    }

    @Override
    public int exitCode(Duration limit) throws Unreachable {
        try {
            Integer code = watch.exitCode().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (code != null && code >= 0) {
                return code;
            }
            throw lost("the connection was closed before the program ended", new KubernetesClientException("closed"));
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String why = cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage();
            throw lost("the connection was cut" + why, e);
        } catch (TimeoutException e) {
            throw lost("it did not end in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw lost("the wait was interrupted", e);
        }
    }

    private Unreachable lost(String why, Exception e) {
        return new Unreachable(
                "What the pod '" + pod + "' sent broke off: " + why + ".", "Fetch again; the files stay there.", e);
    }

    @Override
    public void close() {
        watch.close();
    }
}
