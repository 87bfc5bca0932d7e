package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a user wants run: one container action of one network, or any command.
 *
 * @param image the container image as the backend takes it; empty for a plain command on the machine
 * @param command the text given to {@code bash -c} on each node
 * @param resources the machines
 * @param env environment variables, in order; values are not secret
 * @param secrets environment variables whose values are
 * @param inputs paths or URIs that must be visible from the machines before anything is started; where the target
 *     brings them, {@code s3://…} alone or as {@code /container/path=s3://…}
 * @param outputs what the target takes away when the job has ended: {@code /container/path}, or with its destination
 *     {@code /container/path=s3://…}; empty for the results directory
 * @param spec the TAO experiment spec, nested maps as YAML gives them; empty when the command needs none
 * @param specFormat what the command reads its spec as
 * @param resultsDirectory an absolute path on the backend's storage; empty for the target's default
 * @param options what only the backend understands; empty for its defaults
 * @param code the files that the command starts in, which lie at the target before the job is sent; empty for none
 * @param gitCode a commit that the job itself fetches and starts in; empty for none
 * @param checkpoints what the training resumes from, and which of its checkpoints stay
 * @param hooks what runs before and after the command
 * @param origin the address of the build that asks for it; empty where none is known
 */
@lombok.Builder(builderMethodName = "", builderClassName = "Builder")
public record JobSpec(
        Optional<String> image,
        String command,
        Resources resources,
        Map<String, String> env,
        Map<String, Secret> secrets,
        List<String> inputs,
        List<String> outputs,
        Map<String, Object> spec,
        SpecFormat specFormat,
        Optional<String> resultsDirectory,
        Optional<JobOptions> options,
        Optional<CodeId> code,
        Optional<GitCode> gitCode,
        Checkpoints checkpoints,
        Hooks hooks,
        Optional<String> origin) {

    private static final Pattern ADDRESS = Pattern.compile("https?://[\\w.:/%~+,;=!()\\[\\]-]{1,300}");

    /** A place in the spec, which stands for the paths that are there. */
    private static final Pattern SPEC_KEY = Pattern.compile("[A-Za-z_][\\w\\[\\]-]*\\.[\\w.\\[\\]-]+");

    public JobSpec {
        require(!command.isBlank(), "command must not be empty");
        require(command.indexOf('\0') < 0, "command must not hold a NUL character");
        image.ifPresent(text -> require(!text.isBlank(), "image must not be blank; leave it out for a plain command"));
        checkVariables(env, secrets);
        checkNested(spec);
        env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
        secrets = Collections.unmodifiableMap(new LinkedHashMap<>(secrets));
        spec = Collections.unmodifiableMap(new LinkedHashMap<>(spec));
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        outputs.forEach(JobSpec::requireContainerPath);
        inputs.stream()
                .filter(input -> !SPEC_KEY.matcher(input).matches())
                .forEach(input -> requirePlace("input", input));
        resultsDirectory.ifPresent(path -> requirePlace("resultsDir", path));
        require(code.isEmpty() || gitCode.isEmpty(), "the job has code of a directory and of a Git address; keep one");
    }

    private static void checkVariables(Map<String, String> env, Map<String, Secret> secrets) {
        env.forEach(JobSpec::requireVariable);
        secrets.forEach((name, value) -> {
            requireVariable(name, value.reveal());
            require(!env.containsKey(name), "'%s' is given both in env and in secrets; keep it in secrets", name);
        });
    }

    private static void checkNested(Map<String, Object> spec) {
        spec.keySet()
                .forEach(key -> require(
                        !key.contains("."),
                        "spec key '%s' has a dot; nest it instead, as in train: {num_epochs: 10}",
                        key));
    }

    private static void requireContainerPath(String output) {
        require(
                output.startsWith("/"),
                "output '%s' must begin with an absolute path, as in /results/model.pth or /results=s3://bucket/path",
                output);
    }

    /** A relative path has no meaning elsewhere; a placeholder of the parent is filled in later. */
    private static void requirePlace(String what, String text) {
        require(
                text.startsWith("/") || text.startsWith("{") || text.contains("://"),
                "%s '%s' must be an absolute path, or an address as in s3://bucket/path",
                what,
                text);
    }

    private static void requireVariable(String name, String value) {
        Require.requireEnvName(name);
        require(value.indexOf('\0') < 0, "the value of '%s' must not hold a NUL character", name);
    }

    /** A builder that begins with all that this one has. */
    public Builder toBuilder() {
        Builder builder = of(command);
        builder.image = image;
        builder.resources = resources;
        builder.env = env;
        builder.secrets = secrets;
        builder.inputs = inputs;
        builder.outputs = outputs;
        builder.spec = spec;
        builder.specFormat = specFormat;
        builder.resultsDirectory = resultsDirectory;
        builder.options = options;
        builder.code = code;
        builder.gitCode = gitCode;
        builder.checkpoints = checkpoints;
        builder.hooks = hooks;
        builder.origin = origin;
        return builder;
    }

    /** A spec of {@code command} and nothing else; use {@link Builder} for the rest. */
    public static Builder of(String command) {
        return new Builder().command(command);
    }

    /** Builds a {@link JobSpec} step by step, a method for each of its values; the checks are made at the end. */
    public static final class Builder {
        private String command = "";
        private Optional<String> image = Optional.empty();
        private Resources resources = Resources.defaults();
        private Map<String, String> env = Map.of();
        private Map<String, Secret> secrets = Map.of();
        private List<String> inputs = List.of();
        private List<String> outputs = List.of();
        private Map<String, Object> spec = Map.of();
        private SpecFormat specFormat = SpecFormat.YAML;
        private Optional<String> resultsDirectory = Optional.empty();
        private Optional<JobOptions> options = Optional.empty();
        private Optional<CodeId> code = Optional.empty();
        private Optional<GitCode> gitCode = Optional.empty();
        private Checkpoints checkpoints = Checkpoints.USUAL;
        private Hooks hooks = Hooks.NONE;
        private Optional<String> origin = Optional.empty();

        public Builder image(String value) {
            image = Optional.of(value);
            return this;
        }

        public Builder resultsDirectory(String value) {
            resultsDirectory = Optional.of(value);
            return this;
        }

        public Builder options(JobOptions value) {
            options = Optional.of(value);
            return this;
        }

        public Builder code(CodeId value) {
            code = Optional.of(value);
            return this;
        }

        public Builder gitCode(GitCode value) {
            gitCode = Optional.of(value);
            return this;
        }

        /** A login, a query and a fragment are taken out of it; what is no short web address counts as none. */
        public Builder origin(String value) {
            String plain = value.replaceFirst("//[^/]*@", "//").replaceFirst("[?#].*", "");
            origin = Optional.of(plain).filter(text -> ADDRESS.matcher(text).matches());
            return this;
        }
    }
}
