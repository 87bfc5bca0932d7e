package io.jenkins.plugins.tao.spec;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A job's own texts with everything filled in, alike on every backend. Pure, without any secret. */
public record FilledJob(JobSpec job, JobKey key, Place place) {
    /** The variable that holds the job's id. */
    public static final String JOB_ID = "TAO_JOB_ID";
    /** The variable that holds where the job writes. */
    public static final String RESULTS_DIR = "TAO_RESULTS_DIR";

    /** The variable that holds where the job's code lies. */
    public static final String CODE_DIR = "TAO_CODE_DIR";

    /** torchrun that marks lines, as it does with {@code --tee 3} or PET_TEE, names ranks of the job and not of the node. */
    private static final String TORCHRUN_MARK = "TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE";

    private static final String RESULTS_ROOT = "TAO_RESULTS_ROOT";

    /** TAO's service containers append the job's id to it. */
    private static final String API_RESULTS_DIR = "TAO_API_RESULTS_DIR";

    private static final String RESULTS_KEY = "results_dir";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(config_path|results_dir|job_id|num_gpus)}");

    /**
     * Where a job finds itself.
     *
     * @param results the absolute path it writes to
     * @param resultsRoot what lies above the results of all jobs
     * @param config the absolute path of its spec
     * @param gpus GPUs of each node
     * @param data what becomes of a text that may name data: the same text where data stays where it is
     */
    public record Place(String results, String resultsRoot, String config, int gpus, UnaryOperator<String> data) {
        /** A place whose results lie beside those of other jobs, and whose data stays where it is. */
        public static Place of(String results, String config, int gpus) {
            return new Place(results, parent(results), config, gpus, UnaryOperator.identity());
        }

        /** The same place, where {@code data} tells where data lies. */
        public Place data(UnaryOperator<String> moved) {
            return new Place(results, resultsRoot, config, gpus, moved);
        }
    }

    /** {@code job} at {@code place}. */
    public static FilledJob of(JobSpec job, JobKey key, Place place) {
        return new FilledJob(job, key, place);
    }

    /** Where the job asks to write, as it says it: a path or an address. */
    public static Optional<String> requestedResults(JobSpec job) {
        return job.resultsDirectory()
                .or(() -> Optional.ofNullable(job.spec().get(RESULTS_KEY)).map(Object::toString))
                .filter(text -> !text.isBlank());
    }

    /** The directory that {@code path} lies in. */
    public static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    /** The job's variables without its secrets; the user's own win over the backend's, what tells it who it is over all. */
    public Map<String, String> env(Map<String, String> backends) {
        return env(backends, job.env());
    }

    /** The same with {@code own} in place of the user's variables. */
    public Map<String, String> env(Map<String, String> backends, Map<String, String> own) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PYTHONUNBUFFERED", "1");
        variables.put(TORCHRUN_MARK, "[rank${rank}]: ");
        variables.putAll(backends);
        variables.putAll(own);
        variables.put(JOB_ID, key.value());
        variables.put(RESULTS_DIR, place.results());
        variables.put(RESULTS_ROOT, place.resultsRoot());
        variables.put(API_RESULTS_DIR, parent(place.results()));
        job.secrets().keySet().forEach(variables::remove);
        return variables;
    }

    /**
     * The command and what runs around it, without placeholders, each path as one word of a shell, after what fetches its code and looks
     * after its checkpoints.
     *
     * @throws Rejected if it names a spec that the job has not
     */
    public String command() throws Rejected {
        String whole = job.hooks().around(job.command());
        if (job.spec().isEmpty() && whole.contains("{config_path}")) {
            throw new Rejected(
                    "The command of job '" + key + "' names {config_path}, but the job has no spec.",
                    "Give the job a spec, or take {config_path} out of its command.");
        }
        String command = PLACEHOLDER
                .matcher(place.data().apply(whole))
                .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1))));
        return told()
                + job.gitCode().map(GitText::before).orElse("")
                + CheckpointText.around(command, job, key, spec(), place.results());
    }

    /** Where the checkpoints lie from which a further attempt goes on; empty where there is none to be found by its name. */
    public Optional<CheckpointPlace> checkpoints() {
        return CheckpointText.place(job.command(), job.checkpoints(), spec(), place.results());
    }

    private String value(String placeholder) {
        return switch (placeholder) {
            case "config_path" -> quote(place.config());
            case "results_dir" -> quote(place.results());
            case "job_id" -> key.value();
            default -> Integer.toString(place.gpus());
        };
    }

    /**
     * The spec where data lies and with its {@code results_dir}, below which those of its sections are put, with all that lies below them:
     * TAO takes the section's own before the common one, and what is written elsewhere is not brought home. Empty when the job has none.
     */
    public Map<String, Object> spec() {
        Map<String, String> moved = moved();
        Map<String, Object> spec =
                SpecTree.rewritten(job.spec(), text -> moved(place.data().apply(text), moved));
        if (!spec.isEmpty()) {
            spec.put(RESULTS_KEY, place.results());
        }
        return spec;
    }

    private static String moved(String text, Map<String, String> moved) {
        return moved.entrySet().stream()
                .filter(entry -> isBelow(text, entry.getKey()))
                .findFirst()
                .map(entry -> entry.getValue() + text.substring(entry.getKey().length()))
                .orElse(text);
    }

    /** The absolute results directories of sections that lie elsewhere, each with where it is put. */
    private Map<String, String> moved() {
        Map<String, String> moved = new LinkedHashMap<>();
        job.spec().forEach((section, value) -> {
            if (value instanceof Map<?, ?> keys && keys.get(RESULTS_KEY) instanceof String text) {
                String path = place.data().apply(text).replaceAll("(?<=.)/+$", "");
                if (path.startsWith("/") && !isBelow(path, place.results())) {
                    String name = path.substring(path.lastIndexOf('/') + 1);
                    moved.put(path, place.results() + "/" + (name.isEmpty() ? section : name));
                }
            }
        });
        return moved;
    }

    private static boolean isBelow(String path, String root) {
        return path.equals(root) || path.startsWith(root + "/");
    }

    /** Shell text that tells of each directory that was put elsewhere. */
    private String told() {
        StringBuilder text = new StringBuilder();
        moved().forEach((from, to) -> text.append("echo ")
                .append(quote("tao: the spec sets its own results_dir, " + from + "; it is changed to " + to
                        + ", from where results are fetched"))
                .append(" >&2\n"));
        return text.toString();
    }

    /**
     * The spec in the job's format, for the file at {@code config}; empty when the job has none.
     *
     * @throws Rejected if the format has no word for a value
     */
    public String specText() throws Rejected {
        if (job.spec().isEmpty()) {
            return "";
        }
        try {
            return SpecText.render(spec(), job.specFormat());
        } catch (IllegalArgumentException e) {
            throw new Rejected(
                    "The spec of job '" + key + "' cannot be written: " + e.getMessage() + ".",
                    "Change the spec, or the job's specFormat.");
        }
    }
}
