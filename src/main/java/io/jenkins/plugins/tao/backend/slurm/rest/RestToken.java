package io.jenkins.plugins.tao.backend.slurm.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/** A token as {@code scontrol token} prints it. Its signature is Slurm's business; what it says of its own end helps people. */
record RestToken(Secret secret) {
    private static final String NAME = "SLURM_JWT=";
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");

    /**
     * Reads a token.
     *
     * @throws Denied if it cannot be one
     */
    static RestToken parse(String service, Secret given, String user) throws Denied {
        String text = given.reveal().strip();
        String value = text.startsWith(NAME) ? text.substring(NAME.length()) : text;
        if (!FORM.matcher(value).matches()) {
            throw new Denied("The token for " + service + " does not have the form of a token.", renewal(user));
        }
        return new RestToken(Secret.of(value));
    }

    /** A sentence: how to get another token. */
    static String renewal(String user) {
        return "Make a new token with: scontrol token username=" + user
                + " lifespan=SECONDS, on a host of the cluster, and put it where the target's token is kept. Jobs are not affected.";
    }

    /** When it runs out, as it says itself; empty when it does not tell. */
    Optional<Instant> end() {
        try {
            String claims = new String(
                    Base64.getUrlDecoder().decode(secret.reveal().split("\\.", -1)[1]), StandardCharsets.UTF_8);
            return Json.parse(claims)
                    .map(node -> node.path("exp"))
                    .filter(JsonNode::isNumber)
                    .map(end -> Instant.ofEpochSecond(end.asLong()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** That it was not taken. */
    Denied refused(String service, String user, String said) {
        String until = end().map(end -> ", which by its own words is valid until " + end)
                .orElse("");
        return new Denied(
                service + " does not take the token of user '" + user + "'" + until + ": " + said
                        + ". It has run out, is another user's, or is signed with another key.",
                renewal(user));
    }
}
