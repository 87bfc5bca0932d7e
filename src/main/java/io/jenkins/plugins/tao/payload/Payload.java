package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What runs around a user's command in a container that leaves nothing but its log: it tells the job who it is, writes
 * the experiment spec, runs the command, and puts {@code status.json} and the exit code into the log, where
 * {@link PayloadLog} finds them. Immutable: each setting gives a new one. Pure, without any secret in its texts.
 */
public final class Payload {
    private static final String DEFAULT_ROOT = "/results";

    private final JobSpec spec;
    private final JobKey key;
    private final Settings settings;

    private Payload(JobSpec spec, JobKey key, Settings settings) {
        this.spec = spec;
        this.key = key;
        this.settings = settings;
    }

    /** What a place adds to a job. */
    private record Settings(
            Optional<String> resultsRoot, List<String> mounts, String prologue, Optional<S3Settings> storage) {
        static final Settings NONE = new Settings(Optional.empty(), List.of(), "", Optional.empty());
    }

    /** The payload of one job, with results in {@code /results} of a container that keeps nothing. */
    public static Payload of(JobSpec spec, JobKey key) {
        return new Payload(spec, key, Settings.NONE);
    }

    /** Puts results below {@code path}, which outlives the container, one directory for each job. */
    public Payload resultsRoot(String path) {
        require(path.startsWith("/"), "the root of results must be an absolute path, was '%s'", path);
        return with(
                new Settings(Optional.of(withoutSlash(path)), settings.mounts, settings.prologue, settings.storage));
    }

    /** Tells which paths outlive the container; results elsewhere draw a warning. */
    public Payload mounts(Collection<String> paths) {
        return with(new Settings(settings.resultsRoot, List.copyOf(paths), settings.prologue, settings.storage));
    }

    /** Runs {@code sh}, POSIX shell, before everything else; what it exports the command sees. */
    public Payload prologue(String sh) {
        return with(new Settings(settings.resultsRoot, settings.mounts, sh, settings.storage));
    }

    /** Gives the job a storage for its {@code s3://} inputs and its results. */
    public Payload storage(S3Settings storage) {
        return with(new Settings(settings.resultsRoot, settings.mounts, settings.prologue, Optional.of(storage)));
    }

    private Payload with(Settings changed) {
        return new Payload(spec, key, changed);
    }

    /** The absolute path in the container where the job writes: the user's, else below the root. */
    public String resultsDirectory() {
        return spec.resultsDirectory()
                .or(() -> named(spec))
                .filter(path -> path.startsWith("/"))
                .map(Payload::withoutSlash)
                .orElseGet(() -> root() + "/" + key);
    }

    private static Optional<String> named(JobSpec spec) {
        return Optional.ofNullable(spec.spec().get("results_dir")).map(Object::toString);
    }

    private String root() {
        return settings.resultsRoot.orElse(DEFAULT_ROOT);
    }

    /**
     * The variables of the command that are no secrets, in order; the user's own win over ours, except what tells the
     * job who it is. The script sets them itself, byte for byte; a backend may set them on the container too, for
     * people who look there.
     */
    public Map<String, String> env() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PYTHONUNBUFFERED", "1");
        variables.putAll(spec.env());
        variables.put("TAO_JOB_ID", key.value());
        variables.put("TAO_RESULTS_DIR", resultsDirectory());
        variables.put("TAO_RESULTS_ROOT", parent(resultsDirectory()));
        variables.put("TAO_API_RESULTS_DIR", parent(resultsDirectory()));
        secrets().keySet().forEach(variables::remove);
        return Collections.unmodifiableMap(variables);
    }

    /**
     * What the container must find in its environment and nobody may see: the backend keeps these in its own secret
     * objects and has the container refer to them by name.
     */
    public Map<String, Secret> secrets() {
        return spec.secrets();
    }

    /**
     * The whole text for {@code sh -c}.
     *
     * @throws Rejected if the spec cannot be run like this
     */
    public String script() throws Rejected {
        return PayloadScript.render(this);
    }

    JobSpec spec() {
        return spec;
    }

    JobKey key() {
        return key;
    }

    String prologue() {
        return settings.prologue;
    }

    /** Whether nothing outlives the container that holds the results. */
    boolean isEphemeral() {
        String results = resultsDirectory();
        return settings.resultsRoot.filter(root -> isBelow(results, root)).isEmpty()
                && settings.mounts.stream().noneMatch(mount -> isBelow(results, withoutSlash(mount)));
    }

    private static boolean isBelow(String path, String root) {
        return path.equals(root) || path.startsWith(root.equals("/") ? root : root + "/");
    }

    private static String withoutSlash(String path) {
        String bare = path.replaceAll("/+$", "");
        return bare.isEmpty() ? "/" : bare;
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }
}
