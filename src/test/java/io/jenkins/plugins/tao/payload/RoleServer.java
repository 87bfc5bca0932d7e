package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okio.ByteString;

/**
 * The three services that give keys for a role, in memory. Their answers and refusals have the shapes of the Amazon EC2 User Guide
 * ("Retrieve security credentials from instance metadata"), the Amazon ECS Developer Guide ("Task IAM role") and the AWS STS API
 * Reference ("AssumeRoleWithWebIdentity"), as read in November 2026.
 */
final class RoleServer implements AutoCloseable {
    static final Secret SESSION = Secret.of("FwoGZXIvYXdzE/session+of=a+role");
    private static final String METADATA_TOKEN = "AQAEAHkTiXq3metadata==";
    private static final String ROLE = "training-role";

    private final MockWebServer server = PlayedServer.create();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile Instant expires = Instant.parse("2036-01-01T00:00:00Z");
    private volatile boolean hasRole = true;
    private volatile boolean fails;
    private volatile Optional<String> refusal = Optional.empty();

    static RoleServer start() {
        RoleServer roles = new RoleServer();
        roles.server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                roles.requests.add(request.getMethod() + " " + request.getTarget());
                return roles.answer(request);
            }
        });
        try {
            roles.server.start(InetAddress.getLoopbackAddress(), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return roles;
    }

    String url() {
        return "http://127.0.0.1:" + server.getPort();
    }

    /** From now on keys run out then. */
    RoleServer expires(Instant end) {
        expires = end.truncatedTo(ChronoUnit.SECONDS);
        return this;
    }

    RoleServer withoutRole() {
        hasRole = false;
        return this;
    }

    /** From now on the metadata service gives tokens and fails at roles, as under load. */
    RoleServer failing() {
        fails = true;
        return this;
    }

    /** What the token service refuses with. */
    RoleServer refusing(String code) {
        refusal = Optional.of(code);
        return this;
    }

    long count(String request) {
        return requests.stream().filter(request::equals).count();
    }

    /** The environment of a machine whose one role is that of the instance. */
    Map<String, String> instance() {
        return Map.of("AWS_EC2_METADATA_SERVICE_ENDPOINT", url());
    }

    private MockResponse answer(RecordedRequest request) {
        String path = request.getTarget();
        if (path.equals("/latest/api/token")) {
            boolean good = request.getMethod().equals("PUT")
                    && request.getHeaders().get("X-aws-ec2-metadata-token-ttl-seconds") != null;
            return good ? body(200, METADATA_TOKEN) : page(400, "Bad Request");
        }
        if (path.startsWith("/latest/")) {
            return METADATA_TOKEN.equals(request.getHeaders().get("X-aws-ec2-metadata-token"))
                    ? metadata(path)
                    : page(401, "Unauthorized");
        }
        if (path.startsWith("/v2/credentials/")) {
            return "Bearer of the pod".equals(request.getHeaders().get("Authorization"))
                    ? body(200, json(""))
                    : body(401, "{\"message\":\"Unauthorized\"}");
        }
        return token(
                Objects.requireNonNullElse(request.getBody(), ByteString.EMPTY).utf8());
    }

    private MockResponse metadata(String path) {
        if (fails) {
            return page(503, "Service Unavailable");
        }
        String roles = "/latest/meta-data/iam/security-credentials/";
        if (!hasRole || !path.startsWith(roles)) {
            return page(404, "Not Found");
        }
        return path.equals(roles)
                ? body(200, ROLE)
                : path.equals(roles + ROLE)
                        ? body(200, json("\"Code\" : \"Success\", \"Type\" : \"AWS-HMAC\", "))
                        : page(404, "Not Found");
    }

    private String json(String more) {
        return "{" + more + "\"AccessKeyId\" : \"" + S3Server.ACCESS.reveal() + "\", \"SecretAccessKey\" : \""
                + S3Server.SECRET.reveal() + "\", \"Token\" : \"" + SESSION.reveal() + "\", \"Expiration\" : \""
                + expires
                + "\"}";
    }

    private MockResponse token(String form) {
        boolean known = form.contains("Action=AssumeRoleWithWebIdentity")
                && form.contains("RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Ftrain")
                && form.contains("WebIdentityToken=header.payload.signature");
        String code = refusal.orElse(known ? "" : "InvalidIdentityToken");
        String head = "xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"";
        if (!code.isEmpty()) {
            return body(
                    code.equals("AccessDenied") ? 403 : 400,
                    "<ErrorResponse " + head + "><Error><Type>Sender</Type><Code>" + code
                            + "</Code><Message>Not authorized to perform"
                            + " sts:AssumeRoleWithWebIdentity</Message></Error></ErrorResponse>");
        }
        return body(
                200,
                "<AssumeRoleWithWebIdentityResponse " + head
                        + "><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>"
                        + S3Server.ACCESS.reveal() + "</AccessKeyId><SecretAccessKey>" + S3Server.SECRET.reveal()
                        + "</SecretAccessKey><SessionToken>" + SESSION.reveal() + "</SessionToken><Expiration>"
                        + expires
                        + "</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>");
    }

    private static MockResponse body(int status, String text) {
        return new MockResponse.Builder().code(status).body(text).build();
    }

    private static MockResponse page(int status, String title) {
        return body(
                status,
                "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n<html><head><title>" + status + " - " + title
                        + "</title></head><body><h1>" + status + " - " + title + "</h1></body></html>");
    }

    @Override
    public void close() {
        server.close();
    }
}
