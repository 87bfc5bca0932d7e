package io.jenkins.plugins.tao.backend.kubernetes.api;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.kubernetes.access.ServerPatience;
import io.jenkins.plugins.tao.backend.kubernetes.view.Answer;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes requests and names what came of them. A request is made once; only one that was not carried out because the
 * credential had run out (401) is made again with a renewed one.
 */
final class ApiCalls {
    /** A server that gives more parts than this goes in circles. */
    private static final int MOST_PARTS = 1000;

    private final String target;
    private final BooleanSupplier renewal;
    private final ServerPatience patience;

    /**
     * Calls to one cluster.
     *
     * @param renewal renews the credential, and says whether there is another one now
     * @param patience has seen how long the server asks to wait
     */
    ApiCalls(String target, BooleanSupplier renewal, ServerPatience patience) {
        this.target = target;
        this.renewal = renewal;
        this.patience = patience;
    }

    /** Makes a request; {@code what} says what is wanted, as in {@code list pods}. */
    <T> T ask(String what, Supplier<T> request) throws BackendException {
        try {
            return made(request);
        } catch (KubernetesClientException e) {
            throw KubernetesErrors.of(target, what, e, patience.asked());
        } catch (UncheckedIOException e) {
            throw new Unreachable(
                    "The credential of target '" + target + "' cannot be read: " + e.getMessage() + ".",
                    "Look at the file that holds it: a token file of the kubeconfig, or the service account of this"
                            + " pod.",
                    e);
        }
    }

    private <T> T made(Supplier<T> request) {
        try {
            return request.get();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED && renewal.getAsBoolean()) {
                return request.get();
            }
            throw e;
        }
    }

    /** Makes something; empty if there is one of that name. */
    <T> Optional<T> create(String what, Supplier<T> request) throws BackendException {
        return ask(what, () -> {
            try {
                return Optional.of(request.get());
            } catch (KubernetesClientException e) {
                if (exists(e)) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    /** A race for a quota is a conflict too. */
    private static boolean exists(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT
                && (e.getStatus() == null || !"Conflict".equals(e.getStatus().getReason()));
    }

    /**
     * Lists all there are, in as many parts as the server gives them.
     *
     * @param request asks for the part that begins at the server's mark, which is empty at first
     */
    <T extends HasMetadata> List<T> all(String what, Function<String, KubernetesResourceList<T>> request)
            throws BackendException {
        List<T> all = new ArrayList<>();
        String mark = "";
        for (int parts = 0; parts < MOST_PARTS; parts++) {
            String from = mark;
            KubernetesResourceList<T> part = ask(what, () -> request.apply(from));
            all.addAll(part.getItems());
            String next = part.getMetadata() == null ? null : part.getMetadata().getContinue();
            if (next == null || next.isEmpty()) {
                return all;
            }
            mark = next;
        }
        throw new Unreachable(
                "Kubernetes of target '" + target + "' gave a list in more than " + MOST_PARTS + " parts, asked to "
                        + what + ".",
                "It is asked again.");
    }

    /** The same, where the list is refused or does not come without harm to what else is asked. */
    <T extends HasMetadata> Answer<T> list(String what, Function<String, KubernetesResourceList<T>> request) {
        try {
            return new Answer.Listed<>(all(what, request));
        } catch (Denied e) {
            return e.getCause() instanceof KubernetesClientException cause
                            && cause.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                    ? new Answer.Refused<>(e)
                    : new Answer.Unknown<>(e);
        } catch (BackendException e) {
            return new Answer.Unknown<>(e);
        }
    }
}
