package io.jenkins.plugins.tao.backend.kubernetes.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.ExecEnvVar;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.remote.host.LocalProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/**
 * The credential that a program named in a kubeconfig prints. It is asked again shortly before what it gave runs out, and
 * when the server no longer takes that.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins">client-go
 *     credential plugins</a>, read for Kubernetes 1.36
 */
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
final class ExecCredential implements OAuthTokenProvider {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final Duration EARLY = Duration.ofMinutes(1);

    private final Kubeconfig given;
    private final Cluster cluster;
    private final ExecConfig exec;
    private final ServerClock clock;
    private Optional<Reply> reply = Optional.empty();

    /**
     * What the program printed.
     *
     * @param token empty where it gives a certificate
     * @param expires when it runs out, if the program says so
     */
    record Reply(
            Optional<String> token, Optional<String> certificate, Optional<String> key, Optional<Instant> expires) {
        static Reply parse(String text) throws IOException {
            JsonNode status = JSON.readTree(text).path("status");
            Reply reply = new Reply(
                    text(status, "token"),
                    text(status, "clientCertificateData"),
                    text(status, "clientKeyData"),
                    text(status, "expirationTimestamp").flatMap(PodView::time));
            if (reply.token.isEmpty() && reply.certificate.isEmpty()) {
                throw new IOException("gave no credential: what it printed has neither status.token nor"
                        + " status.clientCertificateData");
            }
            return reply;
        }

        private static Optional<String> text(JsonNode node, String field) {
            return Optional.of(node.path(field).asText("").strip()).filter(text -> !text.isEmpty());
        }
    }

    /** The newest credential, asked for anew where that is needed. */
    synchronized Reply current() {
        if (reply.isEmpty() || hasExpired()) {
            try {
                reply = Optional.of(Reply.parse(LocalProgram.output(program(), WITHIN)));
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(
                        "the program '" + exec.getCommand() + "' printed no ExecCredential",
                        new IOException(e.getOriginalMessage()));
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "the program '" + exec.getCommand() + "' " + Objects.requireNonNullElse(e.getMessage(), ""), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UncheckedIOException(new IOException("interrupted", e));
            }
        }
        return reply.get();
    }

    /** Whether the server's clock is past what the program said. */
    synchronized boolean hasExpired() {
        Optional<Instant> expires = reply.flatMap(Reply::expires);
        return expires.isPresent()
                && clock.now().isPresent()
                && clock.now().get().isAfter(expires.get().minus(EARLY));
    }

    /** Forgets what was given, so that the next request comes with another. */
    synchronized boolean renew() {
        reply = Optional.empty();
        return true;
    }

    @Override
    public String getToken() {
        return current().token().orElse("");
    }

    /** A name with a slash starts from the kubeconfig's own directory; a bare one is looked for on the PATH. */
    private ProcessBuilder program() {
        String command = exec.getCommand();
        List<String> words = new ArrayList<>();
        words.add(command.contains("/") ? given.resolve(command).toString() : command);
        words.addAll(Objects.requireNonNullElse(exec.getArgs(), List.of()));
        ProcessBuilder builder = new ProcessBuilder(words);
        for (ExecEnvVar variable : Objects.requireNonNullElse(exec.getEnv(), List.<ExecEnvVar>of())) {
            builder.environment().put(variable.getName(), Objects.requireNonNullElse(variable.getValue(), ""));
        }
        builder.environment().put("KUBERNETES_EXEC_INFO", info());
        return builder;
    }

    private String info() {
        ObjectNode info =
                JSON.createObjectNode().put("apiVersion", exec.getApiVersion()).put("kind", "ExecCredential");
        ObjectNode spec = info.putObject("spec").put("interactive", false);
        if (Boolean.TRUE.equals(exec.getProvideClusterInfo())) {
            ObjectNode about = spec.putObject("cluster").put("server", cluster.getServer());
            if (cluster.getCertificateAuthorityData() != null) {
                about.put("certificate-authority-data", cluster.getCertificateAuthorityData());
            }
        }
        return info.toString();
    }
}
