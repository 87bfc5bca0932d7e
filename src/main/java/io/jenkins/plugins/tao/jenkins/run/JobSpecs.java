package io.jenkins.plugins.tao.jenkins.run;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.bind.CommandOptions;
import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.JobOptionsConfiguration;
import io.jenkins.plugins.tao.job.Checkpoints;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.GitCode;
import io.jenkins.plugins.tao.job.Hooks;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.RetryBudget;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SpecFormat;
import io.jenkins.plugins.tao.placing.Inheritance;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a request into the job that the engine understands; pure. */
final class JobSpecs {
    private JobSpecs() {}

    /** The ids of credentials by variable. */
    static Map<String, String> credentialIds(JobRequest request) {
        Map<String, String> ids = FormText.texts("secrets", request.getSecrets());
        GitRequest.credential(request.getCode()).ifPresent(id -> ids.put(GitCode.SECRET, id));
        return ids;
    }

    /**
     * The job.
     *
     * @throws IllegalArgumentException naming the field that is wrong
     */
    static JobSpec of(JobRequest request, Map<String, Secret> secrets) {
        JobSpec.Builder spec = JobSpec.of(command(request))
                .resources(resources(request))
                .env(FormText.texts("env", request.getEnv()))
                .secrets(secrets)
                .inputs(paths("inputs", request.getInputs()))
                .outputs(paths("outputs", request.getOutputs()))
                .spec(experiment(request))
                .hooks(new Hooks(FormText.text(request.getPre()), FormText.text(request.getPost())));
        FormText.text(request.getCodeId()).map(CodeId::new).ifPresent(spec::code);
        GitRequest.of(request.getCode()).ifPresent(spec::gitCode);
        spec.checkpoints(Checkpoints.parse(request.getResume(), request.getKeepCheckpoints()));
        FormText.text(request.getImage()).ifPresent(spec::image);
        FormText.constant("specFormat", request.getSpecFormat(), SpecFormat.class)
                .ifPresent(spec::specFormat);
        FormText.text(request.getResultsDir()).ifPresent(spec::resultsDirectory);
        JobOptionsConfiguration options = request.getOptions();
        if (options != null) {
            options.toOptions().ifPresent(spec::options);
        }
        return Inheritance.filled(spec.build(), request.inherited());
    }

    /** The machines that a job asks for, without its texts and secrets. */
    static JobSpec shape(JobRequest request) {
        return JobSpec.of("true").resources(resources(request)).build();
    }

    private static String command(JobRequest request) {
        Map<String, Object> args = FormText.map("args", request.getArgs());
        require(
                args.isEmpty() || FormText.text(request.getSpec()).isEmpty(),
                "the job has options of its command in args and a spec; its command reads one of them");
        return CommandOptions.added(request.getCommand(), args);
    }

    /** The spec, with what is set in it. */
    static Map<String, Object> experiment(JobRequest request) {
        require(
                request.getSpecFile().isEmpty(),
                "the file '%s' of specFile was not read: it lies in a workspace",
                request.getSpecFile());
        return SpecPaths.replaced(FormText.map("spec", request.getSpec()), FormText.map("set", request.getSet()));
    }

    /** How long a submission without an answer is tried. */
    static Duration giveUpAfter(JobRequest request) {
        Duration time =
                FormText.duration("giveUpAfter", request.getGiveUpAfter()).orElse(Dispatcher.SUBMISSION_GIVES_UP);
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("giveUpAfter must be longer than nothing");
        }
        return time;
    }

    /** Whether the job goes on when the build fails or is aborted. */
    static boolean survivesBuild(JobRequest request) {
        String word = FormText.text(request.getOnAbort()).orElse("cancel");
        if (!word.equals("cancel") && !word.equals("detach")) {
            throw new IllegalArgumentException("onAbort must be 'cancel' or 'detach', was '" + word + "'");
        }
        return word.equals("detach");
    }

    /** A variable of a Pipeline that has no value would else be looked for as a file. */
    private static List<String> paths(String field, String given) {
        List<String> paths = FormText.list(given);
        require(!paths.contains("null"), "%s has an entry without a value (null)", field);
        return paths;
    }

    private static Resources resources(JobRequest request) {
        return new Resources(
                FormText.number("nodes", request.getNodes()).orElse(1),
                FormText.count("gpus", request.getGpus()),
                FormText.count("cpus", request.getCpus()),
                timeLimit(request.getTimeLimit()),
                FormText.duration("startWithin", request.getStartWithin()),
                FormText.text(request.getRetryBudget()).map(RetryBudget::new));
    }

    /** Checked here too, as the engine does not know what it is called in Jenkins. */
    private static Optional<Duration> timeLimit(String given) {
        Optional<Duration> limit = FormText.duration("timeLimit", given);
        limit.ifPresent(
                time -> require(time.toMinutes() >= 1, "timeLimit must be at least one minute, was '%s'", given));
        return limit;
    }

    /** What the build log says of lengths of time without a unit; empty where each has one. */
    static Optional<String> withoutUnit(JobRequest request) {
        Map<String, String> times = new LinkedHashMap<>();
        times.put("timeLimit", request.getTimeLimit());
        times.put("startWithin", request.getStartWithin());
        times.put("giveUpAfter", request.getGiveUpAfter());
        return times.entrySet().stream()
                .filter(time -> time.getValue().matches("\\d+"))
                .findFirst()
                .map(time ->
                        "WARNING: " + time.getKey() + ": " + time.getValue() + " has no unit and is taken as minutes."
                                + " Write '" + time.getValue() + "m', or '" + time.getValue() + "h' for hours.");
    }
}
