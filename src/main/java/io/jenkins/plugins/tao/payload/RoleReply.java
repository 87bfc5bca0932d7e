package io.jenkins.plugins.tao.payload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Settings.Keys;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** What the places of {@link S3Roles} answer. Pure. */
final class RoleReply {
    private static final JsonMapper JSON = new JsonMapper();

    private RoleReply() {}

    /**
     * Reads the answer of an instance, a container or a credential process.
     *
     * @param who as an error begins with it
     * @throws Denied if it tells why there are none
     */
    static Keys json(String who, String text) throws BackendException {
        JsonNode root;
        try {
            root = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw unreadable(who); // the text may hold half of a key
        }
        String code = root.path("Code").asText("Success");
        if (!code.equals("Success")) {
            throw new Denied(
                    who + " gives no keys: " + code + " " + root.path("Message").asText(""),
                    "See the role and who may assume it.");
        }
        String token = root.path("SessionToken").asText(root.path("Token").asText(""));
        return keys(
                who,
                root.path("AccessKeyId").asText(""),
                root.path("SecretAccessKey").asText(""),
                token,
                root.path("Expiration").asText(""));
    }

    /**
     * Reads what the token service answers to {@code AssumeRoleWithWebIdentity}.
     *
     * @param who as an error begins with it
     */
    static Keys xml(String who, String text) throws BackendException {
        S3Reply reply = S3Reply.parse(text).orElseThrow(() -> unreadable(who));
        return keys(
                who,
                reply.word("AccessKeyId"),
                reply.word("SecretAccessKey"),
                reply.word("SessionToken"),
                reply.word("Expiration"));
    }

    private static Keys keys(String who, String access, String secret, String token, String expires) throws Unreadable {
        if (access.isBlank() || secret.isBlank()) {
            throw unreadable(who);
        }
        Optional<Secret> session =
                Optional.of(token).filter(text -> !text.isBlank()).map(Secret::of);
        return new Keys(Secret.of(access), Secret.of(secret), session, time(expires));
    }

    private static Optional<Instant> time(String text) {
        try {
            return text.isBlank()
                    ? Optional.empty()
                    : Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Unreadable unreadable(String who) {
        return new Unreadable(
                who + " gave something that holds no keys", "(not shown)", "See that it is what AWS's tools use.");
    }
}
