package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.SlurmTarget.Launcher;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job with every default, path and placeholder filled in: all that the script and the staged files need.
 *
 * @param spec the experiment spec with its {@code results_dir}; empty when the job has none
 * @param inputs paths and URIs that must be there: as given, behind the keys given, and derived from roots of data sets
 * @param env the variables of the user, addresses turned into paths
 */
record SlurmPlan(
        SlurmTarget target,
        JobKey key,
        JobSpec job,
        SlurmOptions options,
        SlurmShape shape,
        String results,
        String command,
        Map<String, String> env,
        Map<String, Object> spec,
        List<String> inputs) {
    private static final int MAX_COMMAND = 100_000;
    private static final String RESULTS_DIR = "results_dir";
    private static final String ENROOT_KEY = "NGC_KEY";
    /** Stands for the index of a member of an array until its frame knows it. */
    static final String MEMBER = "{array_task}";

    /** Fills everything in. */
    static SlurmPlan of(SlurmTarget target, JobSpec job, JobKey key) throws Rejected {
        SlurmOptions options = optionsOf(target, job);
        String results = resultsOf(target, job, key);
        SlurmShape wished = shapeOf(target, options, job);
        SlurmShape shape = CosmosRoles.of(job, wished.gpusPerNode())
                .map(roles -> wished.withNodes(roles.nodes()))
                .orElse(wished);
        List<String> inputs = new ArrayList<>();
        String own = options.array().isPresent() ? results + "/" + MEMBER : results;
        Map<String, Object> spec = specOf(target, options, job, own, inputs);
        for (String input : job.inputs()) {
            inputs.addAll(pathsOf(target, input, spec));
        }
        if (spec.isEmpty() && job.command().contains("{config_path}")) {
            throw refuse(
                    target,
                    "its command names {config_path}, but it has no spec.",
                    "Give the job a spec, or take {config_path} out of its command.");
        }
        String config = options.array().isPresent()
                ? target.layout().memberConfig(key, MEMBER)
                : target.layout().config(key);
        String command = fill(job.command(), config, key, own, shape);
        SlurmPlan plan = new SlurmPlan(
                target, key, job, options, shape, results, command, SlurmPaths.rewriteAll(job.env()), spec, inputs);
        plan.check();
        return plan;
    }

    SlurmLayout layout() {
        return target.layout();
    }

    /** The members, when the job is an array. */
    Optional<SlurmArray> array() {
        return options.array().map(SlurmArray::parse);
    }

    /** The roles of a Cosmos-RL job on several nodes. */
    Optional<CosmosRoles> roles() {
        return CosmosRoles.of(job, shape.gpusPerNode());
    }

    boolean requeue() {
        return options.requeue().or(target::requeue).orElse(true);
    }

    Launcher launcher() {
        return options.launcher().or(target::launcher).orElse(Launcher.PYXIS);
    }

    Optional<String> partition() {
        return options.partition()
                .or(() -> target.partitions().isEmpty()
                        ? Optional.empty()
                        : Optional.of(String.join(",", target.partitions())));
    }

    /** The conversion its image needs; whether there is one already is seen on the cluster. */
    Optional<SlurmConversion> conversion() {
        return SlurmConversion.of(target, options, job);
    }

    /** The key to install for pulls, when that was approved. */
    Optional<Secret> enrootKey() {
        return options.installEnrootCredentials().orElse(false)
                ? Optional.ofNullable(job.secrets().get(ENROOT_KEY))
                : Optional.empty();
    }

    Optional<String> account() {
        return options.account().or(target::account);
    }

    /** What the container sees: as configured, and always the base and results directories. */
    List<String> mounts() {
        List<String> mounts =
                new ArrayList<>(options.containerMounts().isEmpty() ? target.mounts() : options.containerMounts());
        for (String needed : List.of(layout().base(), results)) {
            if (mounts.stream().noneMatch(mount -> shows(mount, needed))) {
                mounts.add(needed);
            }
        }
        return mounts;
    }

    private static boolean shows(String mount, String path) {
        String[] parts = mount.split(":", -1);
        return SlurmPaths.isBelow(path, parts.length > 1 ? parts[1] : parts[0]);
    }

    private void check() throws Rejected {
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
                    "Leave array out, or submit each as a job of its own.");
        }
        checkImage();
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
            return SlurmOptions.defaults();
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
            throw refuse(target, e.getMessage() + ".", "Lower the timeout or raise the wall time.");
        }
    }

    private static String resultsOf(SlurmTarget target, JobSpec job, JobKey key) throws Rejected {
        Optional<String> given = job.resultsDirectory()
                .or(() -> Optional.ofNullable(job.spec().get(RESULTS_DIR))
                        .map(Object::toString)
                        .filter(text -> !text.isBlank()));
        String path = SlurmPaths.rewrite(given.orElse(target.layout().results(key)));
        try {
            SlurmWords.path("results directory", path);
        } catch (IllegalArgumentException e) {
            throw refuse(target, e.getMessage() + ".", "Give an absolute path on the shared filesystem.");
        }
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static Map<String, Object> specOf(
            SlurmTarget target, SlurmOptions options, JobSpec job, String results, List<String> derived)
            throws Rejected {
        if (job.spec().isEmpty() && options.datasets().isEmpty()) {
            return Map.of();
        }
        try {
            Map<String, Object> spec = new LinkedHashMap<>(DatasetFiles.fill(
                    job.command(),
                    SlurmPaths.rewriteNested(job.spec()),
                    DatasetFiles.roots(options.datasets()),
                    derived));
            spec.put(RESULTS_DIR, results);
            return spec;
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

    private static String fill(String command, String config, JobKey key, String results, SlurmShape shape) {
        return command.replace("{config_path}", config)
                .replace("{results_dir}", results)
                .replace("{job_id}", key.value())
                .replace("{num_gpus}", Integer.toString(shape.gpusPerNode()));
    }

    /** The names of all variables the command must find, its secrets included. */
    List<String> secretNames() {
        return job.secrets().keySet().stream().sorted().toList();
    }

    /** The files that hold no secret, each with where it goes. */
    Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        if (!spec.isEmpty()) {
            files.put(layout().spec(key), SlurmJson.compact(spec));
            files.put(layout().config(key), SlurmJson.compact(spec));
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
        meta.put("job_id", key.value());
        meta.put("job_name", SlurmLayout.jobName(key));
        meta.put("image", job.image().orElse(""));
        meta.put("nodes", shape.nodes());
        meta.put("gpus_per_node", shape.gpusPerNode());
        meta.put("partition", partition().orElse(""));
        meta.put("job_dir", layout().base());
        meta.put("results_dir", results);
        array().ifPresent(array -> meta.put("array", array.render()));
        meta.put("inputs", inputs);
        meta.put("secrets", secretNames());
        return meta;
    }
}
