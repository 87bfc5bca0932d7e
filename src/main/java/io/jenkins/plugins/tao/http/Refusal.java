package io.jenkins.plugins.tao.http;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import okhttp3.Headers;

/** What an answer other than the wanted one means, in the words of the port. */
final class Refusal {
    private static final String WAIT = "It is tried again; see whether the service and the way to it are up.";
    private static final List<String> REQUEST_IDS =
            List.of("x-lepton-request-id", "x-request-id", "x-amz-request-id", "x-correlation-id");
    private static final int EXCERPT = 200;

    static final String TOO_LONG = " sent more than ";

    private final String service;
    private final HttpCredential credential;
    private final String purpose;
    private final List<Secret> hidden;

    Refusal(String service, HttpCredential credential, HttpRequest request) {
        this.service = service;
        this.credential = credential;
        this.purpose = request.purpose();
        this.hidden =
                Stream.concat(credential.hidden(), request.hidden().stream()).toList();
    }

    BackendException of(int status, Headers headers, String message) {
        String said = ", HTTP " + status + (message.isEmpty() ? "" : ": " + message) + requestId(headers) + ".";
        if (status == 429 || status >= 500 || status == 408) {
            return unreachable(status, headers, said);
        }
        if (status == 401 || status == 403) {
            return new Denied(
                    service + " does not allow " + purpose + " with " + credential.name() + said, credential.renewal());
        }
        if (status == 407) {
            return new Denied(
                    "The proxy to " + service + " wants a login" + said,
                    "Give the proxy's user and password where the proxy is configured.");
        }
        return new Rejected(
                service + " refused " + purpose + said, "Change what the message names, then send it again.");
    }

    private BackendException unreachable(int status, Headers headers, String said) {
        String what = status == 429
                ? service + " asks to slow down while " + purpose + said
                : service + " failed while " + purpose + said;
        return RetryAfter.of(headers)
                .map(wait -> new Unreachable(what, WAIT, wait))
                .orElseGet(() -> new Unreachable(what, WAIT));
    }

    /** The connection broke before, or within, the answer. */
    Unreachable broken(IOException e) {
        return new Unreachable(service + " gave no whole answer while " + purpose + ": " + why(e) + ".", remedy(e), e);
    }

    Unreadable unreadable(String contentType, String text) {
        boolean page = contentType.contains("html") || text.stripLeading().startsWith("<");
        String what = text.isBlank()
                ? service + " sent an empty answer while " + purpose
                : service + " sent " + (page ? "a web page" : "something that is not whole JSON") + " while " + purpose;
        return new Unreadable(
                what + (contentType.isEmpty() ? "" : " (" + contentType + ")"),
                cut(words(text)),
                page
                        ? "See that the address is the service's API and that no login page or proxy stands before it."
                        : "It is asked again; if this stays, the service speaks a newer version than this one.");
    }

    /** After masking: half a secret is known by nobody as one. */
    private static String cut(String text) {
        return text.substring(0, Math.min(EXCERPT, text.length()));
    }

    Unreadable tooLong(long maxBytes) {
        return new Unreadable(
                service + TOO_LONG + maxBytes + " bytes while " + purpose,
                "",
                "Ask for less at once, or see what stands at that address.");
    }

    Unreadable redirected(int status, Optional<String> host) {
        return new Unreadable(
                service + " answered with a redirect (HTTP " + status + ") to another place while " + purpose,
                host.orElse("no address"),
                "It is not followed, because " + credential.name()
                        + " would go with it. Give the new address as the target's, if you trust it.");
    }

    String words(String text) {
        return ServiceMessage.masked(text, hidden);
    }

    private static String requestId(Headers headers) {
        return REQUEST_IDS.stream()
                .flatMap(name -> Optional.ofNullable(headers.get(name)).stream())
                .findFirst()
                .map(id -> " (request id " + id + ")")
                .orElse("");
    }

    private String why(IOException e) {
        if (e instanceof UnknownHostException) {
            return "the host name is not known (" + words(String.valueOf(e.getMessage())) + ")";
        }
        if (e instanceof SSLException) {
            return "TLS failed, " + words(String.valueOf(e.getMessage()));
        }
        if (e instanceof InterruptedIOException) {
            return "the time allowed for it has passed";
        }
        String message = words(String.valueOf(e.getMessage()));
        String broke = isOfProxy(e) ? "the proxy refused it, " : "the connection broke, ";
        return (e instanceof ConnectException ? "no connection, " : broke) + message;
    }

    private static boolean isOfProxy(IOException e) {
        return String.valueOf(e.getMessage()).matches(".*(authenticate with proxy|code for CONNECT).*");
    }

    private static String remedy(IOException e) {
        if (e instanceof SSLException) {
            return "If the certificate is of your own authority, add that to the trust store of this Java; checks are never"
                    + " switched off.";
        }
        return e instanceof UnknownHostException || isOfProxy(e)
                ? "Check the address, DNS and the proxy's settings."
                : WAIT;
    }
}
