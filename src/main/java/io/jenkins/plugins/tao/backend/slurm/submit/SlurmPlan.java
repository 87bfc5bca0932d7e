package io.jenkins.plugins.tao.backend.slurm.submit;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.networks.CosmosRoles;
import io.jenkins.plugins.tao.backend.slurm.networks.DatasetFiles;
import io.jenkins.plugins.tao.backend.slurm.networks.SlurmJson;
import io.jenkins.plugins.tao.backend.slurm.networks.SlurmPaths;
import io.jenkins.plugins.tao.backend.slurm.networks.SpecPointer;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmImage;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmShape;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget.Launcher;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmWords;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.Work;
import io.jenkins.plugins.tao.payload.CommandInputs;
import io.jenkins.plugins.tao.payload.CommandResults;
import io.jenkins.plugins.tao.spec.FilledJob;
import io.jenkins.plugins.tao.spec.SpecTree;
import io.jenkins.plugins.tao.spec.StrayPaths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job with every default, path and placeholder filled in: all that the script and the staged files need.
 *
 * @param filled the texts of the job
 * @param inputs paths and URIs that must be there: as given, behind the keys given, and derived from roots of data sets
 * @param env the variables of the user, addresses turned into paths
 */
public record SlurmPlan(
        SlurmTarget target,
        JobKey key,
        JobSpec job,
        SlurmOptions options,
        SlurmShape shape,
        String results,
        FilledJob filled,
        String command,
        String specText,
        Map<String, String> env,
        List<String> inputs) {
    /** Stands for the spec's path in a command. */
    static final String CONFIG_PATH = "{config_path}";

    private static final int MAX_COMMAND = 100_000;
    private static final String ENROOT_KEY = "NGC_KEY";
    /** Stands for the index of a member of an array until its frame knows it. */
    static final String MEMBER = "{array_task}";

    private static Optional<CosmosRoles> rolesOf(JobSpec job, SlurmShape requested) throws Rejected {
        try {
            return CosmosRoles.of(job, requested.gpusPerNode());
        } catch (IllegalArgumentException e) {
            throw new Rejected(
                    "The roles of cosmos-rl do not fit: " + e.getMessage() + ".",
                    "Correct the spec or the GPUs per node.");
        }
    }

    /** Fills everything in. */
    public static SlurmPlan of(SlurmTarget target, JobSpec job, JobKey key) throws Rejected {
        SlurmOptions options = optionsOf(target, job);
        String results = resultsOf(target, job, key);
        SlurmShape requested = shapeOf(target, options, job);
        SlurmShape shape = rolesOf(job, requested)
                .map(roles -> requested.withNodes(roles.nodes()))
                .orElse(requested);
        List<String> inputs = new ArrayList<>();
        JobSpec whole =
                job.toBuilder().spec(specOf(target, options, job, inputs)).build();
        for (String input : job.inputs()) {
            inputs.addAll(pathsOf(target, input, whole.spec()));
        }
        boolean array = options.array().isPresent();
        String own = array ? results + "/" + MEMBER : results;
        SlurmLayout layout = target.layout();
        CommandInputs fetched = fetched(target, job);
        FilledJob filled = FilledJob.of(
                whole,
                key,
                new FilledJob.Place(
                        own,
                        layout.resultsRoot(),
                        configOf(layout, key, job, array),
                        shape.gpusPerNode(),
                        text -> SlurmPaths.rewrite(fetched.rewrite(text))));
        return new SlurmPlan(
                        target,
                        key,
                        job,
                        options,
                        shape,
                        results,
                        filled,
                        fetched.before() + sent(target, job, key, own, filled.command()),
                        filled.specText(),
                        SlurmPaths.rewriteAll(job.env()),
                        inputs)
                .checked();
    }

    private static String configOf(SlurmLayout layout, JobKey key, JobSpec job, boolean array) {
        return array ? layout.memberConfig(key, MEMBER, job.specFormat()) : layout.config(key, job.specFormat());
    }

    /** With the copy of the results in S3 behind it, where the job names an address for them. */
    private static String sent(SlurmTarget target, JobSpec job, JobKey key, String results, String command)
            throws Rejected {
        try {
            return new CommandResults(job, key, results).around(command, results.endsWith(MEMBER) ? MEMBER : "");
        } catch (IllegalArgumentException e) {
            throw refuse(target, e.getMessage() + ".", "Correct the address or the secrets, or name a path.");
        }
    }

    private static CommandInputs fetched(SlurmTarget target, JobSpec job) throws Rejected {
        try {
            return CommandInputs.of(job, job.inputs(), target.layout().inputs());
        } catch (IllegalArgumentException e) {
            throw refuse(target, e.getMessage() + ".", "Correct the address, or leave the input out.");
        }
    }

    public SlurmLayout layout() {
        return target.layout();
    }

    /** The members, when the job is an array. */
    public Optional<SlurmArray> array() {
        return options.array().map(SlurmArray::parse);
    }

    /** The roles of a Cosmos-RL job on several nodes. */
    Optional<CosmosRoles> roles() {
        return CosmosRoles.of(job, shape.gpusPerNode());
    }

    boolean requeue() {
        return options.requeue().or(target::requeue).orElse(true);
    }

    public Launcher launcher() {
        return options.launcher().or(target::launcher).orElse(Launcher.PYXIS);
    }

    public Optional<String> partition() {
        return options.partition()
                .or(() -> target.partitions().isEmpty()
                        ? Optional.empty()
                        : Optional.of(String.join(",", target.partitions())));
    }

    /** The conversion its image needs; whether there is one already is seen on the cluster. */
    public Optional<SlurmConversion> conversion() {
        return SlurmConversion.of(target, options, job);
    }

    /** The key to install for pulls, when that was approved. */
    public Optional<Secret> enrootKey() {
        return options.installEnrootCredentials().orElse(false)
                ? Optional.ofNullable(job.secrets().get(ENROOT_KEY))
                : Optional.empty();
    }

    Optional<String> account() {
        return options.account().or(target::account);
    }

    /** What the container sees: as configured, and always the base and results directories. */
    public List<String> mounts() {
        List<String> mounts =
                new ArrayList<>(options.containerMounts().isEmpty() ? target.mounts() : options.containerMounts());
        for (String needed : List.of(layout().base(), results)) {
            if (mounts.stream().noneMatch(mount -> shows(mount, needed))) {
                mounts.add(needed);
            }
        }
        code().ifPresent(path -> mounts.add(path + ":" + path + ":ro"));
        return mounts;
    }

    /** Where the command starts, when the job has code. */
    Optional<String> code() {
        return job.code().map(layout()::code);
    }

    private static boolean shows(String mount, String path) {
        String[] parts = mount.split(":", -1);
        return SlurmPaths.isBelow(path, parts.length > 1 ? parts[1] : parts[0]);
    }

    /** The same, once all that Slurm would refuse late is ruled out. */
    private SlurmPlan checked() throws Rejected {
        if (command.length() > MAX_COMMAND) {
            throw rejected(
                    "the command has " + command.length() + " characters, more than a command line carries.",
                    "Put it into a script on the shared filesystem and call that.");
        }
        if (SlurmPaths.isNodeLocal(results)
                && target.sharedRoots().stream().noneMatch(root -> SlurmPaths.isBelow(results, root))) {
            throw rejected(
                    "results in '" + results + "' are lost when the job ends: each node empties its own.",
                    "Give a results directory on the shared filesystem, or none for " + layout().results(key) + ".");
        }
        if (env.keySet().stream().anyMatch(name -> name.startsWith("tao_"))) {
            throw rejected("variables that begin with tao_ are used by the job's own frame.", "Rename them.");
        }
        if (job.image().isPresent() && !SlurmImage.isAllowed(job.image().get())) {
            throw rejected("'" + job.image().get() + "' is not an image reference.", "Write registry/name:tag.");
        }
        if (array().isPresent() && roles().isPresent()) {
            throw rejected(
                    "the roles of a cosmos-rl job on several nodes cannot be members of an array.",
                    "Leave array out, or submit each as a separate job.");
        }
        if (target.rest().isPresent() && conversion().isPresent()) {
            throw rejected(
                    "its image would be converted to a squash file first, which needs Slurm's commands on the login host.",
                    "Set useSqsh to false, give a .sqsh file as the image, or use a target without rest.");
        }
        if (target.rest().isPresent() && options.grace().isPresent()) {
            throw rejected(
                    "a grace needs Slurm's commands on the login host.",
                    "Leave grace out, or use a target without rest.");
        }
        checkImage();
        return this;
    }

    /**
     * Refuses what no job on the cluster can read: the addresses of files of this machine, wherever they stand, and inputs that nothing fetches.
     *
     * @throws Rejected naming the first
     */
    public SlurmPlan visible() throws Rejected {
        for (StrayPaths.Found found : strays()) {
            throw rejected(
                    found + " lies on the controller, not on the cluster.",
                    "Copy it to the cluster's shared filesystem and write its path there.");
        }
        for (String input : inputs) {
            Optional<SlurmPaths.Problem> problem = input.contains("://")
                    ? SlurmPaths.problemOfInput(input, target.roots()).filter(SlurmPaths.Problem::fatal)
                    : Optional.empty();
            if (problem.isPresent()) {
                throw rejected(problem.get().what(), problem.get().remedy());
            }
        }
        return this;
    }

    /** Addresses of files that are not on the shared filesystem. */
    public List<StrayPaths.Found> strays() {
        return StrayPaths.addresses(
                job, path -> target.roots().stream().anyMatch(root -> SlurmPaths.isBelow(path, root)));
    }

    private void checkImage() throws Rejected {
        if (conversion().isPresent() && options.dependency().orElse("").contains("?")) {
            throw rejected(
                    "it waits for the conversion of its image, and '?' in a dependency means any of several.",
                    "Join the dependencies with ',' or set useSqsh to false.");
        }
        if (options.installEnrootCredentials().orElse(false)
                && enrootKey().filter(key -> key.reveal().matches("[!-~]+")).isEmpty()) {
            throw rejected(
                    "installEnrootCredentials needs a key without blanks as " + ENROOT_KEY + " among its secrets.",
                    "Add the secret, or leave the option out.");
        }
    }

    private Rejected rejected(String what, String remedy) {
        return refuse(target, what, remedy);
    }

    private static Rejected refuse(SlurmTarget target, String what, String remedy) {
        return new Rejected("A job for " + target.name() + " cannot run: " + what, remedy);
    }

    private static SlurmOptions optionsOf(SlurmTarget target, JobSpec job) throws Rejected {
        if (job.options().isEmpty()) {
            return RecordBinder.empty(SlurmOptions.class);
        }
        if (job.options().get() instanceof SlurmOptions options) {
            return options;
        }
        throw refuse(target, "its options are for another backend.", "Use slurm(...) options with this target.");
    }

    private static SlurmShape shapeOf(SlurmTarget target, SlurmOptions options, JobSpec job) throws Rejected {
        try {
            return SlurmShape.of(target, options, job.resources());
        } catch (IllegalArgumentException e) {
            throw refuse(target, e.getMessage() + ".", "Correct nodes, gpus, the timeout or the wall time.");
        }
    }

    private static String resultsOf(SlurmTarget target, JobSpec job, JobKey key) throws Rejected {
        String path = SlurmPaths.rewrite(FilledJob.requestedResults(job)
                .filter(named -> !CommandResults.isMeant(named))
                .orElseGet(() -> target.layout().results(key)));
        try {
            SlurmWords.path("results directory", path);
        } catch (IllegalArgumentException e) {
            throw refuse(target, e.getMessage() + ".", "Give an absolute path on the shared filesystem.");
        }
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** The spec with the files of its data sets. */
    private static Map<String, Object> specOf(
            SlurmTarget target, SlurmOptions options, JobSpec job, List<String> derived) throws Rejected {
        try {
            return DatasetFiles.fill(
                    job.command(),
                    SpecTree.rewritten(job.spec(), SlurmPaths::rewrite),
                    DatasetFiles.roots(options.datasets()),
                    derived);
        } catch (IllegalArgumentException e) {
            throw refuse(target, e.getMessage() + ".", "Correct datasets, or leave it out.");
        }
    }

    /** An input is a path, a URI, or a key of the spec that stands for the paths behind it. */
    private static List<String> pathsOf(SlurmTarget target, String input, Map<String, Object> spec) throws Rejected {
        Optional<SpecPointer> key = SpecPointer.parse(input);
        if (key.isEmpty()) {
            return List.of(input);
        }
        List<String> paths = key.get().texts(spec);
        if (paths.isEmpty()) {
            throw refuse(
                    target,
                    "its input '" + input + "' is no path from the root, and its spec has no path under such a key.",
                    "Write the path, or the whole key as in dataset.train_data_sources[0].image_dir.");
        }
        return paths;
    }

    /** The names of all variables the command must find, its secrets included. */
    List<String> secretNames() {
        return job.secrets().keySet().stream().sorted().toList();
    }

    /** The files that hold no secret, each with where it goes. */
    public Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        if (!specText.isEmpty()) {
            files.put(layout().spec(key), SlurmJson.compact(filled.spec()));
            files.put(layout().config(key, job.specFormat()), specText);
        }
        files.put(layout().env(key), SlurmJson.compact(env));
        files.put(layout().meta(key), SlurmJson.compact(meta()));
        conversion().ifPresent(image -> files.put(layout().conversion(key), image.script(this)));
        files.put(layout().script(key), SlurmScript.render(this));
        return files;
    }

    private Map<String, Object> meta() {
        Map<String, Object> meta = new LinkedHashMap<>();
        meta.put("backend_type", "slurm");
        meta.put("work", Work.of(job));
        meta.put("job_id", key.value());
        meta.put("job_name", SlurmLayout.jobName(key));
        meta.put("image", job.image().orElse(""));
        meta.put("nodes", shape.nodes());
        meta.put("gpus_per_node", shape.gpusPerNode());
        meta.put("partition", partition().orElse(""));
        meta.put("job_dir", layout().base());
        meta.put("results_dir", results);
        array().ifPresent(array -> meta.put("array", array.render()));
        job.code().ifPresent(id -> meta.put("code", id.value()));
        meta.put("inputs", inputs);
        meta.put("secrets", secretNames());
        return meta;
    }
}
