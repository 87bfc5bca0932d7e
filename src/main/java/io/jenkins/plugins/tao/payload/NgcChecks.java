package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.http.HttpCredential;
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

/** What preflight can tell of a job's inputs in NVIDIA's registry before anything is sent: whether each is there for the job's key. */
public final class NgcChecks {
    /** The names that a job's key may have. */
    private static final List<String> KEYS = List.of("NGC_KEY", "NGC_API_KEY", "NGC_CLI_API_KEY");

    private static final String ENDPOINT = "NGC_ENDPOINT";
    private static final String REGISTRY = "https://api.ngc.nvidia.com";
    private static final String PERSONAL = "nvapi-";
    private static final String REMEDY =
            "Give the job the secret NGC_KEY: a personal key of the organization, for the service NGC Catalog or Private Registry.";
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int OK = 200;

    private final String address;
    private final Optional<Secret> key;
    private final boolean keyThere;
    private final HttpSettings http;

    private NgcChecks(Payload payload, HttpSettings http, Set<String> there) {
        address = payload.env().getOrDefault(ENDPOINT, REGISTRY);
        key = KEYS.stream()
                .flatMap(name -> Stream.ofNullable(payload.spec().secrets().get(name)))
                .findFirst();
        keyThere = KEYS.stream().anyMatch(there::contains);
        this.http = http.call(PATIENCE);
    }

    /**
     * Asks for each input; none for a job without one. A registry that does not answer from here only draws a warning.
     *
     * @param there the names of variables that the container has, with values that are not known here
     */
    public static List<Check> of(Payload payload, HttpSettings http, Set<String> there) {
        List<Check> checks = new ArrayList<>();
        try {
            NgcChecks making = new NgcChecks(payload, http, there);
            for (NgcArtifact artifact : payload.artifacts()) {
                checks.add(making.look(artifact));
            }
        } catch (Rejected e) {
            checks.add(Check.failed("registry", String.valueOf(e.getMessage()), e.remedy()));
        }
        return List.copyOf(checks);
    }

    private Check look(NgcArtifact artifact) {
        String name = "registry " + artifact.path() + ":" + artifact.version();
        boolean exchanged = key.filter(value -> !value.reveal().strip().startsWith(PERSONAL))
                .isPresent();
        if (exchanged || (key.isEmpty() && keyThere)) {
            return Check.passed(name, "not verified: the job itself asks with its key");
        }
        try (HttpApi registry = new HttpApi("NGC", address, credential(), http)) {
            int status = ask(registry, artifact, "models");
            int other = status == OK ? OK : ask(registry, artifact, "resources");
            return other == OK || status == HttpURLConnection.HTTP_NOT_FOUND ? told(name, other) : told(name, status);
        } catch (IllegalArgumentException e) {
            return Check.failed(name, String.valueOf(e.getMessage()), "Correct " + ENDPOINT + " or NGC_KEY.");
        } catch (Unreachable e) {
            return Check.warning(name, e.getMessage() + " The job may reach it all the same.", e.remedy());
        } catch (BackendException e) {
            return Check.warning(name, "not verified: " + e.getMessage(), e.remedy());
        }
    }

    private static int ask(HttpApi registry, NgcArtifact artifact, String kind) throws BackendException {
        return registry.exchange(HttpRequest.get("asking for " + artifact.address())
                        .encodedPath(artifact.resource(kind) + "/files"))
                .status();
    }

    private HttpCredential credential() {
        return key.map(value -> HttpCredential.bearer("the secret NGC_KEY", value, REMEDY))
                .orElseGet(() -> HttpCredential.ofRequests("no key", REMEDY));
    }

    private Check told(String name, int status) {
        return switch (status) {
            case OK -> Check.passed(name, key.isPresent() ? "NGC_KEY may read it" : "open to everybody");
            case HttpURLConnection.HTTP_UNAUTHORIZED ->
                Check.failed(
                        name,
                        key.isPresent()
                                ? "the registry does not take NGC_KEY (401)"
                                : "it is not open to everybody, and the job has no NGC_KEY",
                        REMEDY);
            case HttpURLConnection.HTTP_FORBIDDEN ->
                Check.failed(
                        name,
                        key.isPresent()
                                ? "NGC_KEY may not read it (403): it must be of this organization and team"
                                : "it is not open to everybody, and the job has no NGC_KEY",
                        REMEDY);
            case HttpURLConnection.HTTP_NOT_FOUND ->
                Check.failed(
                        name,
                        "the registry has no such version, or not for " + (key.isPresent() ? "this key" : "everybody"),
                        key.isPresent() ? "Correct the input: ngc://org/team/name:version." : REMEDY);
            default -> Check.warning(name, "not verified: the registry answers " + status, "Try again later.");
        };
    }
}
