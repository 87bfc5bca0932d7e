package io.jenkins.plugins.tao.payload;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.host.LocalProgram;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.HttpCredentialsProvider;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.profiles.ProfileProperty;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.model.Credentials;
import software.amazon.awssdk.utils.SystemSetting;

/**
 * Keys of a target, or by role: those that AWS's own tools find on a machine. In their order: the environment, a web identity,
 * the shared files below {@code ~/.aws}, the container, the instance. The first that is set up counts. As in the SDK, a
 * property of this JVM ({@code aws.profile}) overrides its variable ({@code AWS_PROFILE}).
 *
 * @see <a href="https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html">AWS SDKs and Tools Reference Guide,
 *     "Standardized credential providers"</a>, read in November 2026
 */
final class S3Keys {
    private static final Duration WITHIN = Duration.ofMinutes(1);
    private static final int FAILED = 500;
    private static final String SET_UP = "See the role of this machine, and who may assume it.";
    private static final String NO_KEYS = " gave something that holds no keys";

    /** Messages of the SDK where the metadata service is disabled, does not answer, or has no role. */
    private static final Pattern NO_ROLE = Pattern.compile("been disabled|IMDS token|metadata is not found");

    private S3Keys() {}

    /** The parts of {@code keys} that messages must not show. */
    static List<Secret> hidden(AwsCredentials keys) {
        String token = keys instanceof AwsSessionCredentials session ? session.sessionToken() : "";
        return Stream.of(keys.secretAccessKey(), keys.accessKeyId(), token)
                .map(Secret::of)
                .toList();
    }

    /**
     * The keys of a target, looked up now.
     *
     * @throws Denied if they are not where the target says, no place is set up, or one refuses
     * @throws BackendException if a place does not answer, or not understandably
     */
    static AwsCredentials of(S3Settings settings, HttpSettings http) throws BackendException {
        if (!settings.byRole()) {
            S3Settings.Keys given = settings.keys();
            String session = given.session().map(Secret::reveal).orElse("");
            return keys(given.access().reveal(), given.secret().reveal(), session, Optional.empty())
                    .orElseThrow();
        }
        Optional<AwsCredentials> found = keys(
                value(SdkSystemSetting.AWS_ACCESS_KEY_ID, ""),
                value(SdkSystemSetting.AWS_SECRET_ACCESS_KEY, ""),
                value(SdkSystemSetting.AWS_SESSION_TOKEN, ""),
                Optional.empty());
        if (found.isEmpty()) {
            found = ofWebIdentity(settings.regionOrDefault(), http);
        }
        if (found.isEmpty()) {
            found = ofFiles();
        }
        if (found.isPresent()) {
            return found.get();
        }
        boolean contained = !value(SdkSystemSetting.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI, "")
                        .isEmpty()
                || !value(SdkSystemSetting.AWS_CONTAINER_CREDENTIALS_FULL_URI, "")
                        .isEmpty();
        return contained
                ? resolved("The credential service of this container", ContainerCredentialsProvider.create())
                : resolved("The metadata service of this instance", ofInstance());
    }

    private static String value(SystemSetting setting, String usual) {
        return setting.getStringValue()
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .orElse(usual);
    }

    /** Empty where a half is missing. */
    private static Optional<AwsCredentials> keys(
            String access, String secret, String session, Optional<Instant> expires) {
        if (access.isBlank() || secret.isBlank()) {
            return Optional.empty();
        }
        return Optional.of(
                session.isBlank()
                        ? AwsBasicCredentials.create(access, secret)
                        : AwsSessionCredentials.builder()
                                .accessKeyId(access)
                                .secretAccessKey(secret)
                                .sessionToken(session)
                                .expirationTime(expires.orElse(null))
                                .build());
    }

    private static Optional<AwsCredentials> ofWebIdentity(String usual, HttpSettings http) throws BackendException {
        String who = "The token service of AWS";
        String role = value(SdkSystemSetting.AWS_ROLE_ARN, "");
        String file = value(SdkSystemSetting.AWS_WEB_IDENTITY_TOKEN_FILE, "");
        if (role.isEmpty() || file.isEmpty()) {
            return Optional.empty();
        }
        String region = value(SdkSystemSetting.AWS_REGION, System.getenv().getOrDefault("AWS_DEFAULT_REGION", usual));
        URI endpoint = URI.create(
                Optional.ofNullable(System.getProperty("aws.endpointUrlSts", System.getenv("AWS_ENDPOINT_URL_STS")))
                        .orElse("https://sts." + region + ".amazonaws.com"));
        BiFunction<String, HttpReply, BackendException> refusals = (code, reply) -> reply.status() >= FAILED
                ? reply.error()
                : new Denied(
                        who + " does not give the role " + role + ": " + reply.message(),
                        "See who may assume that role, and whether the token in " + file + " is a new one.");
        try (S3Http service = new S3Http(who, endpoint, HttpCredential.ofRequests("keys by role", SET_UP), http);
                StsClient client = service.client(StsClient.builder(), region, AnonymousCredentialsProvider.create())
                        .build()) {
            String token = Files.readString(Path.of(file)).strip();
            return service.call("assuming the role " + role, List.of(Secret.of(token)), refusals, () -> {
                Credentials given = client.assumeRoleWithWebIdentity(which -> which.roleArn(role)
                                .roleSessionName(value(SdkSystemSetting.AWS_ROLE_SESSION_NAME, "tao-run"))
                                .webIdentityToken(token))
                        .credentials();
                service.required(given, NO_KEYS.strip());
                return keys(
                        given.accessKeyId(),
                        given.secretAccessKey(),
                        given.sessionToken(),
                        Optional.ofNullable(given.expiration()));
            });
        } catch (IOException e) {
            throw new Denied(
                    who + " wants the token in " + file + ", which cannot be read.",
                    "See what AWS_WEB_IDENTITY_TOKEN_FILE names.",
                    e);
        }
    }

    /** The keys of a profile, or those that its program prints; its other settings are not used. */
    private static Optional<AwsCredentials> ofFiles() throws BackendException {
        Map<String, String> settings;
        try {
            settings = ProfileFile.defaultProfileFile()
                    .profile(ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow())
                    .map(Profile::properties)
                    .orElse(Map.of());
        } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException e) {
            throw new Denied(
                    "The files of ~/.aws cannot be read: " + e.getMessage(),
                    "See their form, and who may read them.",
                    e);
        }
        Optional<AwsCredentials> keys = keys(
                settings.getOrDefault(ProfileProperty.AWS_ACCESS_KEY_ID, ""),
                settings.getOrDefault(ProfileProperty.AWS_SECRET_ACCESS_KEY, ""),
                settings.getOrDefault(ProfileProperty.AWS_SESSION_TOKEN, ""),
                Optional.empty());
        String command = settings.getOrDefault(ProfileProperty.CREDENTIAL_PROCESS, "");
        return keys.isPresent() || command.isBlank() ? keys : Optional.of(printed(command));
    }

    /** Not by the SDK, which sets no time limit. */
    private static AwsCredentials printed(String command) throws BackendException {
        String who = "The credential_process of ~/.aws/config";
        try {
            JsonNode printed = Json.parse(LocalProgram.output(new ProcessBuilder("/bin/sh", "-c", command), WITHIN))
                    .orElse(NullNode.getInstance());
            Optional<String> end =
                    Optional.ofNullable(printed.path("Expiration").textValue());
            return keys(
                            printed.path("AccessKeyId").asText(""),
                            printed.path("SecretAccessKey").asText(""),
                            printed.path("SessionToken").asText(""),
                            end.map(time -> OffsetDateTime.parse(time).toInstant()))
                    .orElseThrow(() -> unreadable(who));
        } catch (DateTimeException e) {
            throw unreadable(who);
        } catch (IOException e) {
            throw new Denied(
                    who + " gives no keys: it " + e.getMessage() + ".", "Run it in a terminal: it must print JSON.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Denied(who + " was interrupted.", "Try it again.", e);
        }
    }

    /** By version 2 of the metadata service only, which requires a token. */
    private static HttpCredentialsProvider ofInstance() {
        ProfileFile second = ProfileFile.builder()
                .content(new ByteArrayInputStream("[default]\nec2_metadata_v1_disabled = true\n".getBytes(UTF_8)))
                .type(ProfileFile.Type.CONFIGURATION)
                .build();
        return InstanceProfileCredentialsProvider.builder()
                .profileFile(second)
                .profileName("default")
                .build();
    }

    private static AwsCredentials resolved(String who, HttpCredentialsProvider service) throws BackendException {
        try (service) {
            return service.resolveCredentials();
        } catch (SdkException e) {
            Throwable root = e;
            while (root.getCause() != null) {
                root = root.getCause();
                if (NO_ROLE.matcher(String.valueOf(root.getMessage())).find()) {
                    throw new Denied(
                            "S3 is used with keys by role, and this machine has no role.",
                            "Give the target accessKey and secretKey, or this machine a role: an instance profile, a container"
                                    + " role, AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN, or credential_process in"
                                    + " ~/.aws/config.",
                            e);
                }
                if (root instanceof RuntimeException && !(root instanceof SdkException)) {
                    throw unreadable(who);
                }
            }
            boolean failed = root instanceof SdkServiceException answer && answer.statusCode() >= FAILED;
            throw failed || root instanceof SocketException || root instanceof SocketTimeoutException
                    ? new Unreachable(who + " gave no answer: " + root.getMessage() + ".", SET_UP, e)
                    : new Denied(who + " gives no keys: " + root.getMessage() + ".", SET_UP, e);
        }
    }

    /** The text is not shown: it may hold half of a key. */
    private static Unreadable unreadable(String who) {
        return new Unreadable(who + NO_KEYS, "(not shown)", SET_UP);
    }
}
