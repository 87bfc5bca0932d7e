package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Settings.Keys;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keys by role: those that AWS's own tools find on a machine. In their order: the environment, a web identity, the shared
 * files below {@code ~/.aws}, the container, the instance. The first that is set up counts.
 *
 * @param env the environment it looks at
 * @param home the home directory it looks below
 * @see <a href="https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html">AWS SDKs and Tools Reference Guide,
 *     "Standardized credential providers"</a>, read in November 2026
 */
record S3Roles(Map<String, String> env, Path home, HttpSettings http) {
    private static final String REMEDY =
            "Give the target accessKey and secretKey, or this machine a role: an instance profile, a container role,"
                    + " AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN, or credential_process in ~/.aws/config.";

    /** A place where AWS's tools look for keys: empty if it is not set up, an error if it is and gives none. */
    @FunctionalInterface
    private interface RoleSource {
        Optional<Keys> keys() throws BackendException;
    }

    S3Roles {
        env = Map.copyOf(env);
    }

    /** Looks at the environment of this process. */
    static S3Roles ofMachine(HttpSettings http) {
        String home = System.getenv().getOrDefault("HOME", System.getProperty("user.home"));
        return new S3Roles(System.getenv(), Path.of(home), http);
    }

    /**
     * Asks for keys now.
     *
     * @param region whose token service is asked; {@code AWS_REGION} goes before
     * @throws Denied if no place is set up, or one refuses
     * @throws BackendException if one does not answer, or not understandably
     */
    Keys keys(String region) throws BackendException {
        RoleServices services = new RoleServices(env, http);
        List<RoleSource> places = List.of(
                this::ofEnvironment,
                () -> services.webIdentity(region),
                () -> new AwsFiles(env, home).keys(),
                services::container,
                services::instance);
        for (RoleSource place : places) {
            Optional<Keys> keys = place.keys();
            if (keys.isPresent()) {
                return keys.get();
            }
        }
        throw new Denied("S3 is used with keys by role, and this machine has no role.", REMEDY);
    }

    private Optional<Keys> ofEnvironment() {
        Optional<String> access = text(env, "AWS_ACCESS_KEY_ID");
        Optional<String> secret = text(env, "AWS_SECRET_ACCESS_KEY");
        return access.isEmpty() || secret.isEmpty()
                ? Optional.empty()
                : Optional.of(new Keys(
                        Secret.of(access.get()),
                        Secret.of(secret.get()),
                        text(env, "AWS_SESSION_TOKEN").map(Secret::of)));
    }

    /** A variable that says something. */
    static Optional<String> text(Map<String, String> env, String name) {
        return Optional.ofNullable(env.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }
}
