package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.JobOptionsConfiguration;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SpecFormat;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads a request into the job that the engine understands; pure. */
final class JobSpecs {
    private JobSpecs() {}

    /** The ids of credentials by variable. */
    static Map<String, String> credentialIds(JobRequest request) {
        return FormText.texts("secrets", request.getSecrets());
    }

    /**
     * The job.
     *
     * @throws IllegalArgumentException naming the field that is wrong
     */
    static JobSpec of(JobRequest request, Map<String, Secret> secrets) {
        JobSpec.Builder spec = JobSpec.of(request.getCommand())
                .resources(resources(request))
                .env(FormText.texts("env", request.getEnv()))
                .secrets(secrets)
                .inputs(FormText.list(request.getInputs()))
                .outputs(FormText.list(request.getOutputs()))
                .spec(FormText.map("spec", request.getSpec()));
        FormText.text(request.getImage()).ifPresent(spec::image);
        FormText.constant("specFormat", request.getSpecFormat(), SpecFormat.class)
                .ifPresent(spec::specFormat);
        FormText.text(request.getResultsDir()).ifPresent(spec::resultsDirectory);
        JobOptionsConfiguration options = request.getOptions();
        if (options != null) {
            options.toOptions().ifPresent(spec::options);
        }
        return spec.build();
    }

    private static Resources resources(JobRequest request) {
        return new Resources(
                FormText.number("nodes", request.getNodes()).orElse(1),
                optionalInt(FormText.number("gpus", request.getGpus())),
                optionalInt(FormText.number("cpus", request.getCpus())),
                FormText.duration("timeLimit", request.getTimeLimit()));
    }

    private static OptionalInt optionalInt(Optional<Integer> number) {
        return number.isPresent() ? OptionalInt.of(number.get()) : OptionalInt.empty();
    }
}
