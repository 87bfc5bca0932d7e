package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.S3Roles.text;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Settings.Keys;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The services that give keys for a role. Those of the instance and of the container lie on addresses of this machine alone and
 * are asked without a proxy.
 */
record RoleServices(Map<String, String> env, HttpSettings http) {
    private static final HttpCredential NONE =
            HttpCredential.ofRequests("keys by role", "See the role of this machine.");
    private static final int NOT_FOUND = 404;
    private static final Duration NEAR = Duration.ofSeconds(2);
    private static final String ROLES = "latest/meta-data/iam/security-credentials/";

    /**
     * The role of an EC2 instance, by the second version of its metadata service: a token first. Empty where no such service
     * answers, and where the instance has no role.
     *
     * @see <a href="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html">Amazon EC2 User Guide</a>
     */
    Optional<Keys> instance() throws BackendException {
        if (text(env, "AWS_EC2_METADATA_DISABLED")
                .filter("true"::equalsIgnoreCase)
                .isPresent()) {
            return Optional.empty();
        }
        String base = text(env, "AWS_EC2_METADATA_SERVICE_ENDPOINT").orElse("http://169.254.169.254");
        String who = "The metadata service of this instance";
        try (HttpApi api = new HttpApi(who, base, NONE, near())) {
            Optional<String> token = metadataToken(api);
            if (token.isEmpty()) {
                return Optional.empty();
            }
            HttpReply role = api.exchange(metadata(ROLES, token.get()));
            if (role.status() == NOT_FOUND || (role.ok() && role.text().isBlank())) {
                return Optional.empty();
            }
            String name = role.orThrow().text().lines().findFirst().orElse("").strip();
            return Optional.of(RoleReply.json(
                    who, api.send(metadata(ROLES + name, token.get())).text()));
        }
    }

    /** Empty where no metadata service answers, or refuses: then this is no instance of EC2, or the service is switched off. */
    private static Optional<String> metadataToken(HttpApi api) throws BackendException {
        HttpReply reply;
        try {
            reply = api.exchange(HttpRequest.put("asking for a metadata token")
                    .encodedPath("latest/api/token")
                    .header("X-aws-ec2-metadata-token-ttl-seconds", "300"));
        } catch (Unreachable e) {
            return Optional.empty();
        }
        boolean refused = reply.status() >= 400 && reply.status() < 500;
        return refused ? Optional.empty() : Optional.of(reply.orThrow().text());
    }

    private static HttpRequest metadata(String path, String token) {
        return HttpRequest.get("asking for the role of this instance")
                .encodedPath(path)
                .header("X-aws-ec2-metadata-token", token.strip())
                .hide(List.of(Secret.of(token.strip())));
    }

    /**
     * The role of a container of ECS or of an EKS pod identity.
     *
     * @see <a href="https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html">AWS SDKs and Tools
     *     Reference Guide, "Container credential provider"</a>
     */
    Optional<Keys> container() throws BackendException {
        Optional<String> address = text(env, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
                .map(path -> "http://169.254.170.2" + path)
                .or(() -> text(env, "AWS_CONTAINER_CREDENTIALS_FULL_URI"));
        if (address.isEmpty()) {
            return Optional.empty();
        }
        String who = "The credential service of this container";
        Optional<String> token =
                text(env, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE").isPresent()
                        ? Optional.of(file(who, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"))
                        : text(env, "AWS_CONTAINER_AUTHORIZATION_TOKEN");
        URI uri = near(address.get());
        try (HttpApi api = new HttpApi(who, uri.resolve("/").toString(), NONE, near())) {
            HttpRequest request = HttpRequest.get("asking for the role of this container")
                    .encodedPath(uri.getRawPath().substring(1));
            Optional.ofNullable(uri.getRawQuery()).ifPresent(request::encodedQuery);
            token.ifPresent(value -> request.header("Authorization", value).hide(List.of(Secret.of(value))));
            return Optional.of(RoleReply.json(who, api.send(request).text()));
        }
    }

    /** An address to which the token of the container may go. */
    private static URI near(String address) throws Denied {
        URI uri = URI.create(address);
        String host = String.valueOf(uri.getHost());
        boolean near = host.matches("127(\\.\\d+){3}|localhost|\\[::1\\]|169\\.254\\.170\\.(2|23)|\\[fd00:ec2::23\\]");
        if (uri.getRawPath() == null || uri.getRawPath().isEmpty() || !(near || "https".equals(uri.getScheme()))) {
            throw new Denied(
                    "AWS_CONTAINER_CREDENTIALS_FULL_URI names " + host + ", which is not this machine.",
                    "Name an https address there, or unset it.");
        }
        return uri;
    }

    /**
     * The role that a signed token of somebody else, such as a Kubernetes cluster, stands for.
     *
     * @see <a href="https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html">AWS Security Token
     *     Service API Reference</a>
     */
    Optional<Keys> webIdentity(String region) throws BackendException {
        Optional<String> role = text(env, "AWS_ROLE_ARN");
        if (role.isEmpty() || text(env, "AWS_WEB_IDENTITY_TOKEN_FILE").isEmpty()) {
            return Optional.empty();
        }
        String place = text(env, "AWS_REGION")
                .or(() -> text(env, "AWS_DEFAULT_REGION"))
                .orElse(region);
        String who = "The token service of AWS";
        String token = file(who, "AWS_WEB_IDENTITY_TOKEN_FILE");
        String base = text(env, "AWS_ENDPOINT_URL_STS").orElse("https://sts." + place + ".amazonaws.com");
        HttpRequest request = HttpRequest.post("assuming the role " + role.get())
                .hide(List.of(Secret.of(token)))
                .form(Map.of(
                        "Action",
                        "AssumeRoleWithWebIdentity",
                        "Version",
                        "2011-06-15",
                        "RoleArn",
                        role.get(),
                        "RoleSessionName",
                        text(env, "AWS_ROLE_SESSION_NAME").orElse("tao-run"),
                        "WebIdentityToken",
                        token));
        try (HttpApi api = new HttpApi(who, base, NONE, http)) {
            HttpReply reply = api.exchange(request);
            if (reply.status() >= 400 && reply.status() < 500) {
                S3Reply said = S3Reply.parse(reply.text()).orElseGet(S3Reply::silent);
                throw new Denied(
                        who + " does not give the role " + role.get() + ": " + said.word("Code") + " "
                                + said.word("Message"),
                        "See who may assume that role, and whether the token in "
                                + env.get("AWS_WEB_IDENTITY_TOKEN_FILE") + " is a new one.");
            }
            return Optional.of(RoleReply.xml(who, reply.orThrow().text()));
        }
    }

    private String file(String who, String variable) throws Denied {
        String name = String.valueOf(env.get(variable));
        try {
            return Files.readString(Path.of(name)).strip();
        } catch (IOException e) {
            throw new Denied(
                    who + " wants the token in " + name + ", which cannot be read.",
                    "See what " + variable + " names.",
                    e);
        }
    }

    private HttpSettings near() {
        return new HttpSettings(Optional.empty(), NEAR, NEAR.multipliedBy(2), NEAR.multipliedBy(3), http.maxBytes());
    }
}
