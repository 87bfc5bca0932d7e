package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.Secret;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What preflight can tell of a job's models on Hugging Face before anything is started: whether each is there, and
 * whether it needs a token. The record of a gated model is public, its files are not.
 *
 * @see <a href="https://huggingface.co/docs/hub/models-gated">Gated models</a>
 */
public final class HubChecks {
    private static final String TOKEN = "HF_TOKEN";
    private static final String ENDPOINT = "HF_ENDPOINT";
    private static final String HUB = "https://huggingface.co";
    private static final String REMEDY = "Accept its terms on Hugging Face, and give the job the secret " + TOKEN
            + " of an account that may read it.";
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final String address;
    private final Optional<Secret> token;
    private final HttpSettings http;
    /** Whether the container gets a token whose value is not known here. */
    private final boolean tokenThere;

    private HubChecks(Payload payload, HttpSettings http, boolean tokenThere) {
        this.tokenThere = tokenThere;
        address = payload.env().getOrDefault(ENDPOINT, HUB);
        token = Optional.ofNullable(payload.spec().secrets().get(TOKEN));
        this.http = http.call(PATIENCE);
    }

    /**
     * Asks for each model; none for a job without one. A hub that does not answer from here only draws a warning.
     *
     * @param there the names of variables that the container has, with values that are not known here
     */
    public static List<Check> of(Payload payload, HttpSettings http, Set<String> there) {
        HubChecks making = new HubChecks(payload, http, there.contains(TOKEN));
        List<Check> checks = new ArrayList<>();
        try {
            Stream.concat(payload.models().stream().map(model -> model.at("")), mentioned(payload))
                    .distinct()
                    .forEach(model -> checks.add(making.look(model)));
        } catch (Rejected e) {
            checks.add(Check.failed("model", String.valueOf(e.getMessage()), e.remedy()));
        }
        return List.copyOf(checks);
    }

    /** A program may fetch by itself what its command or spec names, and needs the token as much. */
    private static Stream<HubModel> mentioned(Payload payload) {
        return HubModel.mentioned(
                payload.spec().command() + "\n" + payload.spec().spec().values())
                .stream();
    }

    private Check look(HubModel model) {
        String name = "model " + model.repository();
        try (HttpApi hub = new HttpApi("Hugging Face", address, credential(), http)) {
            HttpReply reply = hub.exchange(HttpRequest.get("asking for " + name)
                    .encodedPath("api/models/" + model.repository() + "/revision/" + model.revision()));
            return reply.ok() ? found(name, reply) : absent(name, model, reply.status());
        } catch (IllegalArgumentException e) {
            return Check.failed(name, String.valueOf(e.getMessage()), "Correct " + ENDPOINT + " or " + TOKEN + ".");
        } catch (Unreachable e) {
            return Check.warning(name, e.getMessage() + " The job may reach it all the same.", e.remedy());
        } catch (BackendException e) {
            return Check.warning(name, "not verified: " + e.getMessage(), e.remedy());
        }
    }

    private HttpCredential credential() {
        return token.map(value -> HttpCredential.bearer("the secret " + TOKEN, value, REMEDY))
                .orElseGet(() -> HttpCredential.ofRequests("no token", REMEDY));
    }

    private Check found(String name, HttpReply reply) throws BackendException {
        String gated = reply.json().path("gated").asText("false");
        if (gated.equals("false")) {
            return Check.passed(name, "open to everybody");
        }
        return token.isPresent() || tokenThere
                ? Check.passed(name, "gated; " + TOKEN + " is given")
                : Check.failed(name, "it is gated, and the job has no " + TOKEN, REMEDY);
    }

    private Check absent(String name, HubModel model, int status) {
        if (status == HttpURLConnection.HTTP_UNAUTHORIZED || status == HttpURLConnection.HTTP_FORBIDDEN) {
            if (token.isEmpty() && tokenThere) {
                return Check.passed(name, "not verified: not open to everybody; " + TOKEN + " is given");
            }
            String why = token.isPresent() ? TOKEN + " may not read it" : "and the job has no " + TOKEN;
            return Check.failed(name, "it is private, or not there, " + why, REMEDY);
        }
        return status == HttpURLConnection.HTTP_NOT_FOUND
                ? Check.failed(
                        name,
                        address + " has no revision '" + model.revision() + "' of it",
                        "Correct the input hf_model://" + model.repository() + ".")
                : Check.warning(name, "not verified: " + address + " answers " + status, "Try again later.");
    }
}
