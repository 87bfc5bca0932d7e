package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An S3-compatible storage, as the nested setting {@code s3} of a target.
 *
 * @param endpoint where it answers, such as {@code https://minio.example:9000}
 * @param region the region that requests are signed for
 * @param bucket where results go, below {@code results/}; empty if jobs only read
 * @param accessKey the key's id, looked up only for jobs that use the storage
 * @param secretKey the key, likewise; there if and only if the access key is
 * @param sessionToken the third part of keys that were lent for a while
 * @param uploadEvery how often results go to S3 while a job runs
 * @param exclude files not to upload, as in {@code *.tmp} or {@code cache/**}
 */
public record S3Settings(
        @Option(defaultsTo = "Amazon's own") Optional<String> endpoint,
        @Option(defaultsTo = "`" + DEFAULT_REGION + "`") Optional<String> region,

        @Option(defaultsTo = "jobs only read, unless they name a destination themselves")
        Optional<String> bucket,

        @Option(
                defaultsTo =
                        "keys by role: those that AWS's own tools find, on this machine for our checks and in the container for the job")
        Optional<SecretSource> accessKey,

        Optional<SecretSource> secretKey,
        Optional<SecretSource> sessionToken,

        @Option(defaultsTo = "every five minutes, zero for the end only")
        Optional<Duration> uploadEvery,

        List<String> exclude) {
    /** What to give, by the names that TAO's own tools have for it. */
    static final String WANTED = "give the target S3 settings: bucket (S3_BUCKET_NAME), accessKey (ACCESS_KEY) and"
            + " secretKey (SECRET_KEY)";

    private static final String ENDPOINT = "S3_ENDPOINT_URL";
    private static final String REGION = "CLOUD_REGION";
    private static final String NAME = "S3_BUCKET_NAME";
    private static final String ACCESS = "AWS_ACCESS_KEY_ID";
    private static final String SECRET = "AWS_SECRET_ACCESS_KEY";
    private static final String SESSION = "AWS_SESSION_TOKEN";
    private static final String METADATA = "CLOUD_METADATA";
    private static final String DEFAULT_REGION = "us-east-1";
    private static final String BUCKET = "[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]";

    public S3Settings {
        endpoint = endpoint.map(text -> text.replaceAll("/+$", ""));
        endpoint.ifPresent(text -> require(
                text.matches("https?://[^/?#@\\s]+(/[^?#\\s]*)?"),
                "endpoint must be like https://minio.example:9000, without user or query, was '%s'",
                text));
        region.ifPresent(text -> require(text.matches("[a-z0-9-]+"), "'%s' is not a region such as us-east-1", text));
        bucket.ifPresent(text ->
                require(text.matches(BUCKET), "'%s' is not the name of a bucket; write it without s3://", text));
        require(
                accessKey.isPresent() == secretKey.isPresent(),
                "accessKey and secretKey belong together: give both, or neither for keys by role");
        require(accessKey.isPresent() || sessionToken.isEmpty(), "sessionToken belongs to accessKey and secretKey");
        uploadEvery.ifPresent(time -> require(!time.isNegative(), "uploadEvery must not be negative, was %s", time));
        exclude = List.copyOf(exclude);
    }

    /** The customary variables, when a job brings its own keys as {@code ACCESS_KEY} and {@code SECRET_KEY}. */
    public static Optional<S3Settings> ofVariables(Map<String, String> env, Map<String, Secret> secrets) {
        Secret access = secrets.get("ACCESS_KEY");
        Secret secret = secrets.get("SECRET_KEY");
        if (access == null || secret == null) {
            return Optional.empty();
        }
        return Optional.of(new S3Settings(
                given(env, ENDPOINT),
                given(env, REGION),
                given(env, NAME),
                Optional.of(SecretSource.known(access)),
                Optional.of(SecretSource.known(secret)),
                Optional.ofNullable(secrets.get(SESSION)).map(SecretSource::known),
                Optional.empty(),
                List.of()));
    }

    /** These with the session token of a job's {@code secrets}, where there is one: its container has no other. */
    S3Settings ofSession(Map<String, Secret> secrets) {
        Optional<SecretSource> own = Optional.ofNullable(secrets.get(SESSION)).map(SecretSource::known);
        return own.isEmpty() || byRole()
                ? this
                : new S3Settings(endpoint, region, bucket, accessKey, secretKey, own, uploadEvery, exclude);
    }

    private static Optional<String> given(Map<String, String> env, String name) {
        return Optional.ofNullable(env.get(name)).filter(value -> !value.isBlank());
    }

    /** What a container may know of the storage in the open. */
    Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        endpoint.ifPresent(value -> variables.put(ENDPOINT, value));
        variables.put(REGION, regionOrDefault());
        bucket.ifPresent(value -> variables.put(NAME, value));
        return variables;
    }

    /** Both halves of a key, and what proves a temporary one. */
    record Keys(Secret access, Secret secret, Optional<Secret> session) {}

    /** Whether no keys are given: each machine finds those of its own role. */
    boolean byRole() {
        return accessKey.isEmpty();
    }

    /** The keys that are given, looked up now; not for those by role. */
    Keys keys() throws Denied {
        try {
            Keys keys = new Keys(
                    accessKey.orElseThrow().read(),
                    secretKey.orElseThrow().read(),
                    sessionToken.map(SecretSource::read));
            require(!keys.access().reveal().isBlank(), "the access key is empty");
            require(!keys.secret().reveal().isBlank(), "the secret key is empty");
            return keys;
        } catch (IllegalArgumentException e) {
            throw new Denied(
                    "S3 is used, and its keys cannot be had: "
                            + String.valueOf(e.getMessage()).replaceFirst("\\.$", "") + ".",
                    "Please " + WANTED + ".",
                    e);
        }
    }

    /** The names of {@link #secrets}. */
    List<String> secretNames() {
        if (byRole()) {
            return List.of();
        }
        return sessionToken.isEmpty() ? List.of(ACCESS, SECRET, METADATA) : List.of(ACCESS, SECRET, METADATA, SESSION);
    }

    /** The keys as AWS's tools read them, and by bucket as TAO's own containers look them up; none of them by role. */
    public Map<String, Secret> secrets(List<String> buckets) throws Denied {
        if (byRole()) {
            return Map.of();
        }
        Keys keys = keys();
        Map<String, String> login = new LinkedHashMap<>();
        login.put("access_key", keys.access().reveal());
        login.put("secret_key", keys.secret().reveal());
        keys.session().ifPresent(token -> login.put("session_token", token.reveal()));
        login.put("region", regionOrDefault());
        endpoint.ifPresent(value -> login.put("endpoint_url", value));
        Map<String, Object> byBucket = new LinkedHashMap<>();
        buckets.forEach(name -> byBucket.put(name, login));
        Map<String, Secret> secrets = new LinkedHashMap<>();
        secrets.put(ACCESS, keys.access());
        secrets.put(SECRET, keys.secret());
        secrets.put(METADATA, Secret.of(Json.write(Map.of("aws", byBucket))));
        keys.session().ifPresent(token -> secrets.put(SESSION, token));
        return secrets;
    }

    /** The region, by default {@code us-east-1}. */
    public String regionOrDefault() {
        return region.orElse(DEFAULT_REGION);
    }
}
