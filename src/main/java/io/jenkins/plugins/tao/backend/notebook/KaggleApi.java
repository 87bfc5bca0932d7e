package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.http.BodyError;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.HttpStream;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Kaggle's HTTP API, as far as notebooks need it: each call is a POST of one JSON object, as its own client makes it.
 * For a notebook that does not exist Kaggle answers 403, as for one that is somebody else's.
 */
final class KaggleApi implements AutoCloseable {
    private static final String KERNELS = "kernels.KernelsApiService";
    private static final String OAUTH = "security.OAuthService";
    private static final int NOT_FOUND = 404;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int PAGE = 200;
    /** A live log never ends: what has come when nothing more does for this long is all there is. */
    static final Duration QUIET = Duration.ofSeconds(4);

    private static final Duration LOG_LIMIT = Duration.ofSeconds(30);
    /** What comes behind is not read; a notebook of ours writes a fiftieth of it at most. */
    private static final long LOG_BYTES = 1L << 30;

    private final KaggleTarget target;
    private final Duration quiet;
    private final HttpApi http;

    KaggleApi(KaggleTarget target, Duration quiet) {
        this.target = target;
        this.quiet = quiet;
        this.http = new HttpApi(
                "Kaggle (target '" + target.name() + "')",
                target.address(),
                credential(target),
                HttpSettings.defaults().proxy(target.proxy()));
    }

    private static HttpCredential credential(KaggleTarget target) {
        String renewal = "Make a new API token in the account's settings on kaggle.com and put it into the target '"
                + target.name() + "'.";
        String name = "the credential of target '" + target.name() + "'";
        return target.key()
                .map(key -> HttpCredential.basic(name, target.username(), key, renewal))
                .orElseGet(() -> HttpCredential.bearer(name, target.token().orElseThrow(), renewal));
    }

    /**
     * What a look for a notebook brought.
     *
     * @param found its source and data; empty when it is not there, or not ours to see
     * @param date Kaggle's clock
     */
    record Look(Optional<JsonNode> found, Instant date) {}

    Look kernel(String slug) throws BackendException {
        HttpReply reply = http.exchange(call(KERNELS, "GetKernel", "looking for the notebook " + slug)
                .errorIn(KaggleApi::missingIsForbidden)
                .json(named(slug)));
        return new Look(present(reply), reply.date().orElse(Instant.EPOCH));
    }

    /** The state of its newest run; empty when it is not there, or not ours to see. */
    Optional<JsonNode> status(String slug) throws BackendException {
        return present(http.exchange(call(KERNELS, "GetKernelSessionStatus", "asking after the notebook " + slug)
                .errorIn(KaggleApi::missingIsForbidden)
                .json(named(slug))));
    }

    /**
     * The names of the account's notebooks that ran last, those first.
     *
     * @throws Unreadable if the answer has no list of them
     */
    List<String> newest(int most) throws BackendException {
        ObjectNode body = Json.object()
                .put("user", target.username())
                .put("group", "PROFILE")
                .put("sortBy", "DATE_RUN")
                .put("page", 1)
                .put("pageSize", most);
        HttpReply reply =
                http.exchange(call(KERNELS, "ListKernels", "listing notebooks").json(body));
        JsonNode kernels = reply.orThrow().json().path("kernels");
        if (!kernels.isArray()) {
            throw new Unreadable(
                    "Kaggle's answer has no list of notebooks", reply.json().toString(), "It is asked again.");
        }
        List<String> slugs = new ArrayList<>();
        kernels.forEach(kernel -> slugs.add(kernel.path("ref").asText("").replaceFirst("^.*/", "")));
        return slugs;
    }

    /**
     * Saves and runs a notebook. A refusal because all sessions are taken comes as an answer of success or of failure;
     * both are handed out, for both may have saved the notebook.
     */
    JsonNode push(ObjectNode body, String slug) throws BackendException {
        HttpReply reply = http.exchange(
                call(KERNELS, "SaveKernel", "pushing the notebook " + slug).json(body));
        boolean sessions = !reply.ok() && reply.status() != UNAUTHORIZED && KaggleRefusal.ofSessions(reply.message());
        return sessions
                ? Json.object().put("error", reply.message())
                : reply.orThrow().json();
    }

    /** Ends a session by its number, where an answer has told one. */
    void cancelSession(long session) throws BackendException {
        HttpReply reply = http.exchange(call(KERNELS, "CancelKernelSession", "ending session " + session)
                .errorIn(KaggleReply::hiddenError)
                .json(Json.object().put("kernelSessionId", session)));
        String error = reply.orThrow().json().path("errorMessage").asText("");
        if (!error.isBlank()) {
            throw new Rejected(
                    "Kaggle did not end session " + session + ": " + error, "Stop it on kaggle.com by hand.");
        }
    }

    /** One page of its output; empty when it is not there, or not ours to see. */
    Optional<JsonNode> output(String slug, String page) throws BackendException {
        ObjectNode body = named(slug).put("pageSize", PAGE);
        if (!page.isEmpty()) {
            body.put("pageToken", page);
        }
        return present(http.exchange(call(KERNELS, "ListKernelSessionOutput", "listing the output of " + slug)
                .errorIn(KaggleApi::missingIsForbidden)
                .json(body)));
    }

    /** Deletes a notebook with all its versions and output, which ends its run; one that is not there is fine. */
    void delete(String slug) throws BackendException {
        Optional<JsonNode> reply = present(http.exchange(call(KERNELS, "DeleteKernel", "deleting the notebook " + slug)
                .errorIn(KaggleApi::missingIsForbidden)
                .json(named(slug))));
        String error = reply.map(node -> node.path("errorMessage").asText("")).orElse("");
        if (!error.isBlank()) {
            throw new Rejected(
                    "Kaggle did not delete the notebook " + slug + ": " + error, "Stop it on kaggle.com by hand.");
        }
    }

    /** How much accelerator time the account has left; empty when this Kaggle does not tell. */
    Optional<JsonNode> quota() throws BackendException {
        HttpReply reply = http.exchange(call(KERNELS, "GetAcceleratorQuotaStatistics", "asking for the GPU quota")
                .errorIn(KaggleReply::hiddenError)
                .json(Json.object()));
        if (reply.status() == NOT_FOUND) {
            return Optional.empty();
        }
        return Optional.of(reply.orThrow().json());
    }

    /**
     * What was found about the credential.
     *
     * @param made whether Kaggle has answered the question at all
     * @param owner whose it is; empty for a key, which says so itself
     */
    record Proof(boolean made, Optional<String> owner) {}

    /**
     * Asks whether the credential is taken, and whose it is.
     *
     * @throws Denied if Kaggle does not take it
     */
    Proof owner() throws BackendException {
        if (target.token().isEmpty()) {
            return new Proof(quota().isPresent(), Optional.empty());
        }
        ObjectNode body = Json.object().put("token", target.token().get().reveal());
        HttpReply reply = http.exchange(call(OAUTH, "IntrospectToken", "checking the token")
                .hide(List.of(target.token().get()))
                .errorIn(KaggleReply::hiddenError)
                .json(body));
        if (reply.ok() && reply.json().path("active").asBoolean(true)) {
            String owner = reply.json().path("username").asText("");
            return new Proof(!owner.isEmpty(), Optional.of(owner).filter(name -> !name.isEmpty()));
        }
        if (reply.ok() || reply.status() == NOT_FOUND || (reply.status() < 500 && reply.status() != 429)) {
            throw new Denied(
                    "Kaggle does not take the token of target '" + target.name() + "'.",
                    "Make a new API token in the account's settings on kaggle.com and put it into the target.");
        }
        throw reply.error();
    }

    /**
     * Tells a notebook that is not there from a credential that may not see it, for Kaggle answers the same.
     *
     * @throws Denied if the credential is to blame
     * @throws Unreachable if that cannot be found out
     */
    void proveCredential() throws BackendException {
        Proof proof = owner();
        if (!proof.made()) {
            throw new Unreachable(
                    "Kaggle does not say whether the notebook is gone or the credential of target '" + target.name()
                            + "' may not see it.",
                    "Look at the notebook on kaggle.com. It is asked again.");
        }
        Optional<String> owner = proof.owner();
        if (owner.isPresent() && !owner.get().equalsIgnoreCase(target.username())) {
            throw new Denied(
                    "The token of target '" + target.name() + "' belongs to " + owner.get() + ", not to "
                            + target.username() + ".",
                    "Give the target a token of " + target.username() + ", or that user's name.");
        }
    }

    /** Its log as far as there is one: live while it runs, as Kaggle keeps it after that. */
    Optional<KaggleLog> log(JobHandle job) throws BackendException {
        String slug = job.nativeId();
        String mark = KaggleLog.mark(job.key().value(), job.attempt());
        HttpRequest request = HttpRequest.get("reading the log of " + slug)
                .path("v1", "kernels", "logs", "stream", target.username(), slug)
                .header("Accept", "text/event-stream, */*")
                .quietFor(quiet)
                .within(LOG_LIMIT);
        try (HttpStream stream = http.open(request)) {
            if (!stream.contentType().contains("html")) {
                boolean events = stream.contentType().equals("text/event-stream");
                KaggleLogReader reader = new KaggleLogReader(events, mark);
                stream.takeUntilQuiet(LOG_BYTES, reader::take);
                return reader.isBlank() ? kept(slug, mark) : Optional.of(reader.log());
            }
        } catch (Denied | Rejected | Unreadable e) {
            return kept(slug, mark); // a Kaggle without live logs, or none of this notebook
        } catch (Unreachable e) {
            if (e.retryAfter().isPresent()) {
                throw e;
            }
            return Optional.empty(); // its state was told, so Kaggle is there: the log comes with the next look
        }
        return kept(slug, mark);
    }

    private Optional<KaggleLog> kept(String slug, String mark) throws BackendException {
        return output(slug, "")
                .map(page -> page.path("log").asText(""))
                .filter(text -> !text.isBlank())
                .map(text -> stored(text.getBytes(StandardCharsets.UTF_8), mark));
    }

    private static KaggleLog stored(byte[] text, String mark) {
        KaggleLogReader reader = new KaggleLogReader(false, mark);
        reader.take(text, text.length);
        return reader.log();
    }

    /** Opens a file of some output; the address carries its own permission, so ours does not go with it. */
    HttpStream file(KaggleReply.OutputFile file) throws BackendException {
        return http.open(HttpRequest.get("fetching " + file.name())
                .at(file.url())
                .followElsewhere()
                .within(Duration.ofHours(1)));
    }

    /** Ends the connection. */
    @Override
    public void close() {
        http.close();
    }

    private static HttpRequest call(String service, String method, String purpose) {
        return HttpRequest.post(purpose).path("v1", service, method).errorIn(KaggleReply::hiddenError);
    }

    private ObjectNode named(String slug) {
        return Json.object().put("userName", target.username()).put("kernelSlug", slug);
    }

    private static Optional<BodyError> missingIsForbidden(JsonNode body) {
        return KaggleReply.hiddenError(body)
                .map(error -> error.status() == NOT_FOUND ? new BodyError(FORBIDDEN, error.message()) : error);
    }

    private static Optional<JsonNode> present(HttpReply reply) throws BackendException {
        if (reply.ok()) {
            return Optional.of(reply.json());
        }
        BackendException error = reply.error();
        boolean login = reply.status() == UNAUTHORIZED || reply.status() == 407;
        if (reply.status() == NOT_FOUND || (error instanceof Denied && !login)) {
            return Optional.empty();
        }
        throw error;
    }
}
