package io.jenkins.plugins.tao.backend.kubernetes.api;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.kubernetes.checks.SecurityChecks;
import java.net.HttpURLConnection;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;

/** What a refusal of the API server means. Pure. */
final class KubernetesErrors {
    private static final int INVALID = 422;
    private static final int TOO_MANY = 429;
    /** What a 403 says that no role is about: a rule of the cluster refuses the object itself. */
    private static final Pattern RULE =
            Pattern.compile("admission webhook|denied( the)? request|is forbidden: (?!User )|is being terminated");

    /** A plugin of the server that has not seen its objects yet. */
    private static final Pattern EARLY = Pattern.compile("not yet ready to handle request|status unknown for quota");

    private static final Pattern TOO_LARGE = Pattern.compile("request is too large|message larger than max");

    /** Whoever comes without a credential, or with a certificate that TLS does not let pass. */
    private static final String NONE = "system:anonymous";

    private KubernetesErrors() {}

    /**
     * The error for one request.
     *
     * @param target the target's name
     * @param what what was wanted, as in {@code create the Job 'x'}
     */
    static BackendException of(String target, String what, KubernetesClientException e) {
        return of(target, what, e, Optional.empty());
    }

    /** The same where the header of an answer 429 may have asked for a wait, which its text often does not. */
    static BackendException of(
            String target, String what, KubernetesClientException e, Optional<Duration> askedToWait) {
        String where = "Kubernetes of target '" + target + "'";
        int code = e.getCode();
        if (code == HttpURLConnection.HTTP_UNAUTHORIZED) {
            return new Denied(
                    where + " does not accept the credential (401), asked to " + what + ".",
                    "The token or certificate may have run out: 'kubectl get nodes' with the same kubeconfig"
                            + " ($KUBECONFIG, ~/.kube/config) shows whether it works; then renew the credential.");
        }
        if (code == HttpURLConnection.HTTP_FORBIDDEN) {
            return forbidden(where, what, e);
        }
        if (code == HttpURLConnection.HTTP_NOT_FOUND) {
            return new Rejected(
                    where + " does not know what is needed to " + what + ": " + message(e) + ".",
                    "Check the namespace of target and job: 'kubectl get namespaces' lists them.");
        }
        if (code == HttpURLConnection.HTTP_BAD_REQUEST
                || code == HttpURLConnection.HTTP_ENTITY_TOO_LARGE
                || code == INVALID
                || TOO_LARGE.matcher(message(e)).find()) {
            return new Rejected(
                    where + " refused to " + what + ": " + message(e) + causes(e) + ".",
                    "Change what the message names; './tao preview' shows the objects as they are sent.");
        }
        if (code == TOO_MANY) {
            return new Unreachable(
                    where + " asks for patience (429), asked to " + what + ".",
                    "It is asked again.",
                    retryAfter(e, askedToWait));
        }
        if (code == HttpURLConnection.HTTP_CONFLICT
                || code == HttpURLConnection.HTTP_GONE
                || code >= HttpURLConnection.HTTP_INTERNAL_ERROR) {
            return new Unreachable(
                    where + " could not " + what + " now (" + code + "): " + message(e) + ".", "It is asked again.");
        }
        return code > 0 ? unreadable(where, what, e) : silent(where, what, e);
    }

    private static BackendException unreadable(String where, String what, KubernetesClientException e) {
        return new Unreadable(
                where + " answered unexpectedly (" + e.getCode() + "), asked to " + what,
                message(e),
                "Check the address.");
    }

    private static BackendException silent(String where, String what, KubernetesClientException e) {
        return new Unreachable(
                where + " does not answer, asked to " + what + ": " + message(e) + ".", remedyForSilence(e), e);
    }

    private static String remedyForSilence(Throwable e) {
        if (isCausedBy(e, CertificateExpiredException.class)) {
            return "The server's certificate has expired, and an administrator of the cluster must renew it; or the"
                    + " clock of this machine is wrong.";
        }
        if (isCausedBy(e, SSLPeerUnverifiedException.class)) {
            return "Use one of the names or addresses that the server's certificate is made out to.";
        }
        return isCausedBy(e, GeneralSecurityException.class)
                ? "Give the cluster's certificate authority: caCertificate, or certificate-authority-data of the"
                        + " kubeconfig."
                : "Check the address in the kubeconfig (~/.kube/config, $KUBECONFIG) and the network between here and"
                        + " it.";
    }

    private static boolean isCausedBy(Throwable e, Class<? extends Throwable> kind) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause).anyMatch(kind::isInstance);
    }

    /** Certificates, keys or files of a credential that the client cannot be made of. */
    static Denied unusable(String target, String source, KubernetesClientException e) {
        return new Denied(
                "The credential of target '" + target + "', " + source + ", cannot be used: " + deepest(e) + ".",
                "Check the certificates, keys and files it names; 'kubectl get nodes' with the same kubeconfig shows"
                        + " whether it works.",
                e);
    }

    /** A quota or an admission webhook says 403 too, and no permission helps against these. */
    private static BackendException forbidden(String where, String what, KubernetesClientException e) {
        String message = message(e);
        if (EARLY.matcher(message).find()) {
            return new Unreachable(where + " could not " + what + " now (403): " + message + ".", "It is asked again.");
        }
        if (message.contains("violates PodSecurity")) {
            return new Rejected(where + " refused to " + what + ": " + message + ".", SecurityChecks.remedy(message));
        }
        if (message.contains("exceeded quota")) {
            return Rejected.forLimit(
                    where + " refused to " + what + ": " + message + ".",
                    "Ask for less, wait until other jobs end, or ask an administrator of the cluster for a larger quota.");
        }
        if (RULE.matcher(message).find()) {
            return new Rejected(
                    where + " refused to " + what + ": " + message + ".",
                    "Ask for less, wait until other jobs end, or ask an administrator of the cluster to change this rule.");
        }
        if (message.contains("\"" + NONE + "\"")) {
            return new Denied(
                    where + " did not authenticate the request to " + what + ": it came from " + NONE + ".",
                    "The token is missing, or the client certificate is from another authority than this cluster's:"
                            + " 'kubectl auth whoami' with the same kubeconfig shows it.",
                    e);
        }
        return new Denied(
                where + " does not permit to " + what + " (403): " + message + ".",
                "Give the account the Role of docs/backends/kubernetes/rights.md in the namespace.",
                e);
    }

    /** The server's own words, without what the client library puts around them. */
    static String message(KubernetesClientException e) {
        Optional<String> status =
                Optional.ofNullable(e.getStatus()).map(Status::getMessage).filter(text -> !text.isBlank());
        String text = status.orElseGet(() -> deepest(e)).strip();
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }

    private static String deepest(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String text = Objects.requireNonNullElse(cause.getMessage(), "");
        String kind = cause.getClass().getSimpleName();
        return cause instanceof KubernetesClientException ? text : kind + (text.isEmpty() ? "" : ": " + text);
    }

    private static String causes(KubernetesClientException e) {
        List<StatusCause> causes = Optional.ofNullable(e.getStatus())
                .map(Status::getDetails)
                .map(StatusDetails::getCauses)
                .orElse(List.of());
        String text = causes.stream()
                .map(cause -> cause.getField() + ": " + cause.getMessage())
                .collect(Collectors.joining("; "));
        return text.isEmpty() ? "" : " (" + text + ")";
    }

    private static Duration retryAfter(KubernetesClientException e, Optional<Duration> asked) {
        long seconds = Optional.ofNullable(e.getStatus())
                .map(Status::getDetails)
                .map(StatusDetails::getRetryAfterSeconds)
                .map(Integer::longValue)
                .or(() -> asked.map(Duration::toSeconds))
                .orElse(1L);
        return Duration.ofSeconds(Math.max(1, Math.min(seconds, 300)));
    }
}
