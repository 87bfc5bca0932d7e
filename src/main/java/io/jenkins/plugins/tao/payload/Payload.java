package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.spec.FilledJob;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import lombok.With;

/**
 * What runs around a user's command in a container that leaves nothing but its log: it tells the job who it is, brings
 * its inputs, writes the experiment spec, runs the command, takes its results away, and puts {@code status.json} and
 * the exit code into the log, where {@link PayloadLog} finds them. Immutable: each setting gives a new one. Pure,
 * without any secret in its texts.
 */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class Payload {
    /** Stands for the index of a member until its container knows it. */
    static final String MEMBER = "{tao_member}";

    /** Where results go, and inputs below it, in a container whose place names no root. */
    public static final String DEFAULT_ROOT = "/results";

    private final JobSpec spec;
    private final JobKey key;
    private final Settings settings;
    private final boolean members;

    /** What a place adds to a job. */
    @With
    private record Settings(
            Optional<String> resultsRoot,
            Optional<String> sharedRoot,
            List<String> mounts,
            String prologue,
            Optional<S3Settings> storage) {}

    /**
     * The payload of one job, with results in {@code /results} of a container that keeps nothing. S3 settings that the
     * job brings itself, as variables and secrets of the customary names, hold until {@link #storage}.
     */
    public static Payload of(JobSpec spec, JobKey key) {
        Optional<S3Settings> own = S3Settings.ofVariables(spec.env(), spec.secrets());
        return new Payload(spec, key, new Settings(Optional.empty(), Optional.empty(), List.of(), "", own), false);
    }

    /** Puts results below {@code path}, which outlives the container, one directory for each job. */
    public Payload resultsRoot(String path) {
        return with(settings.withResultsRoot(Optional.of(absolute(path))));
    }

    /**
     * Names a volume that all jobs share: inputs from S3 are kept below {@code path} as {@code bucket/path} and not
     * fetched again, results go to {@code path/results} and from there to S3.
     */
    public Payload sharedRoot(String path) {
        return with(settings.withSharedRoot(Optional.of(absolute(path))));
    }

    /** Tells which paths outlive the container; results that go nowhere else draw a warning outside of them. */
    public Payload mounts(Collection<String> paths) {
        return with(
                settings.withMounts(paths.stream().map(Payload::withoutSlash).toList()));
    }

    /** Runs {@code sh}, POSIX shell, before everything else; what it exports the command sees. */
    public Payload prologue(String sh) {
        return with(settings.withPrologue(sh));
    }

    /** Gives the job a storage for its {@code s3://} inputs and its results. */
    public Payload storage(S3Settings storage) {
        return with(settings.withStorage(Optional.of(storage)));
    }

    /**
     * Makes it the payload of one of many members, which share this text: each finds its index as {@code TAO_MEMBER}, and has a results
     * directory, a spec and an address in S3 of its own below those of the whole.
     */
    public Payload members() {
        return new Payload(spec, key, settings, true);
    }

    private Payload with(Settings changed) {
        return new Payload(spec, key, changed, members);
    }

    /** The absolute path in the container where the job writes: the user's, else below the root. */
    public String resultsDirectory() {
        return FilledJob.requestedResults(spec)
                .filter(path -> path.startsWith("/"))
                .map(Payload::withoutSlash)
                .orElseGet(() -> root() + "/" + key);
    }

    /** The same of the one member that a container is, where it is one. */
    String ownResults() {
        return members ? resultsDirectory() + "/" + MEMBER : resultsDirectory();
    }

    boolean hasMembers() {
        return members;
    }

    private String root() {
        return settings.resultsRoot
                .or(() -> settings.sharedRoot.map(root -> withoutSlash(root) + DEFAULT_ROOT))
                .orElse(DEFAULT_ROOT);
    }

    /**
     * Where the results directory of the whole job is sent to.
     *
     * @throws Rejected if an input or output is none
     */
    public Optional<S3Address> resultsAddress() throws Rejected {
        return uploads().stream()
                .filter(upload -> upload.local().equals(ownResults()))
                .map(upload -> members ? upload.remote().parent() : upload.remote())
                .findFirst();
    }

    /**
     * What is fetched from S3 before the command starts.
     *
     * @throws Rejected if an input or output is none
     */
    public List<Transfer> downloads() throws Rejected {
        return transfers().downloads();
    }

    /**
     * Paths that must be in the container before anything is fetched: inputs that are no addresses.
     *
     * @throws Rejected if an input or output is none
     */
    public List<String> needed() throws Rejected {
        return transfers().needed();
    }

    /**
     * What is sent to S3 while the command runs and when it has ended.
     *
     * @throws Rejected if an input or output is none
     */
    public List<Transfer> uploads() throws Rejected {
        return transfers().uploads();
    }

    /** The storage that the job uses; empty when it uses none. */
    public Optional<S3Settings> usedStorage() {
        return settings.storage.filter(any -> usesS3()).map(storage -> storage.ofSession(spec.secrets()));
    }

    /**
     * The variables of the command that are no secrets, in order; the user's own win over ours, except what tells the
     * job who it is. The script sets them itself, byte for byte; a backend may set them on the container too, for
     * people who look there.
     */
    public Map<String, String> env() {
        Map<String, String> variables = filled(UnaryOperator.identity())
                .env(usedStorage().map(S3Settings::variables).orElse(Map.of()));
        secretNames().forEach(variables::remove);
        return Collections.unmodifiableMap(variables);
    }

    /**
     * What the container must find in its environment and nobody may see: the backend keeps these in its own secret
     * objects and has the container refer to them by name. The keys of S3 are among them, and are looked up, only when the
     * job uses S3.
     *
     * @throws Denied if keys that are needed are not where the target says
     */
    public Map<String, Secret> secrets() throws Denied {
        Optional<S3Settings> storage = usedStorage();
        Map<String, Secret> secrets = new LinkedHashMap<>();
        if (storage.isPresent()) {
            secrets.putAll(storage.get().secrets(buckets()));
        }
        secrets.putAll(spec.secrets());
        return Collections.unmodifiableMap(secrets);
    }

    /** The names of {@link #secrets}, for which none is looked up. */
    public Set<String> secretNames() {
        Set<String> names = new LinkedHashSet<>();
        usedStorage().ifPresent(storage -> names.addAll(storage.secretNames()));
        names.addAll(spec.secrets().keySet());
        return Collections.unmodifiableSet(names);
    }

    /**
     * The whole text for {@code sh -c}.
     *
     * @throws Rejected if the job cannot be run like this
     */
    public String script() throws Rejected {
        Transfers transfers = transfers();
        if (spec.code().isPresent() && codeBucket().isEmpty()) {
            throw new Rejected(
                    "Job '" + key + "' has code of a directory, and its target has no S3 bucket to bring it through.",
                    "Please " + S3Settings.WANTED + ", or bring the code by its Git address or in the image.");
        }
        if (members
                && FilledJob.requestedResults(spec).filter(S3Address::isMeant).isPresent()) {
            throw new Rejected(
                    "Job '" + key + "' has members and names an address for its results.",
                    "Leave it out: each member has results/" + key + "/INDEX in the bucket of the target.");
        }
        if (transfers.useS3() && settings.storage.isEmpty()) {
            throw new Rejected(
                    "Job '" + key + "' uses S3, but has no keys for it.", "Please " + S3Settings.WANTED + ".");
        }
        return PayloadScript.render(this, transfers);
    }

    private Optional<String> codeBucket() {
        return settings.storage.flatMap(S3Settings::bucket);
    }

    /** How the runner in the container finds the code of the job; empty for none. */
    String codePlan() {
        if (spec.code().isEmpty() || codeBucket().isEmpty()) {
            return "";
        }
        Map<String, Object> plan = new LinkedHashMap<>();
        plan.put("region", settings.storage.get().regionOrDefault());
        plan.put("endpoint", settings.storage.get().endpoint().orElse(""));
        plan.put("bucket", codeBucket().get());
        plan.put("key", S3Code.key(spec.code().get()));
        plan.put("id", spec.code().get().value());
        return Json.write(plan);
    }

    /** What is fetched from NVIDIA's registry before the command starts. */
    List<NgcArtifact> artifacts() throws Rejected {
        return transfers().artifacts();
    }

    /** What is fetched from Hugging Face before the command starts. */
    List<HubModel> models() throws Rejected {
        return transfers().models();
    }

    JobSpec spec() {
        return spec;
    }

    /** The job's texts in the container, where {@code data} tells where its inputs lie. */
    FilledJob filled(UnaryOperator<String> data) {
        return FilledJob.of(
                spec,
                key,
                new FilledJob.Place(
                        ownResults(),
                        FilledJob.parent(resultsDirectory()),
                        config(),
                        spec.resources().gpusPerNode().orElse(1),
                        data));
    }

    /** Where the spec is put. */
    String config() {
        return ownResults() + "/tao-spec." + spec.specFormat().extension();
    }

    JobKey key() {
        return key;
    }

    String prologue() {
        return settings.prologue;
    }

    Optional<S3Settings> storage() {
        return settings.storage;
    }

    /** Whether what was fetched stays for other jobs, and must not be changed under them. */
    boolean sharesInputs() {
        return settings.sharedRoot.isPresent();
    }

    /** Where inputs land. */
    String inputsRoot() {
        return settings.sharedRoot.orElseGet(() -> root() + "/inputs");
    }

    /** Whether no other job can have the same results directory: it is called after this job's id. */
    boolean ownsResults() {
        return resultsDirectory().endsWith("/" + key);
    }

    /** Whether the results directory outlives the container by itself. */
    boolean keepsResults() {
        String results = resultsDirectory();
        return settings.resultsRoot.filter(root -> isBelow(results, root)).isPresent()
                || settings.sharedRoot.filter(root -> isBelow(results, root)).isPresent()
                || settings.mounts.stream().anyMatch(mount -> isBelow(results, mount));
    }

    private Transfers transfers() throws Rejected {
        try {
            return read();
        } catch (IllegalArgumentException e) {
            throw new Rejected(
                    "Job '" + key + "' cannot be given its data: " + e.getMessage() + ".",
                    "Change the inputs, outputs or results directory of the job.");
        }
    }

    private Transfers read() {
        return Transfers.of(
                spec,
                key,
                settings.storage,
                new Transfers.Places(
                        inputsRoot(), ownResults(), members ? MEMBER : "", sharesInputs(), keepsResults()));
    }

    /** Data that cannot be read is told by {@link #script}. */
    private boolean usesS3() {
        try {
            return read().useS3() || (spec.code().isPresent() && codeBucket().isPresent());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * The buckets that the job reads or writes.
     *
     * @throws IllegalArgumentException if an input or output is none
     */
    public List<String> buckets() {
        Transfers transfers = read();
        java.util.stream.Stream<String> moved = java.util.stream.Stream.concat(
                        transfers.downloads().stream(), transfers.uploads().stream())
                .map(transfer -> transfer.remote().bucket());
        return java.util.stream.Stream.concat(moved, spec.code().flatMap(any -> codeBucket()).stream())
                .distinct()
                .toList();
    }

    private static String absolute(String path) {
        require(path.startsWith("/"), "the root of a container's data must be an absolute path, was '%s'", path);
        return withoutSlash(path);
    }

    private static boolean isBelow(String path, String root) {
        return path.equals(root) || path.startsWith(root.equals("/") ? root : root + "/");
    }

    private static String withoutSlash(String path) {
        String bare = path.replaceAll("/+$", "");
        return bare.isEmpty() ? "/" : bare;
    }
}
