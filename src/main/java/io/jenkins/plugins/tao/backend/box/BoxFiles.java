package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.ShellCommand.quote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The texts of a job's files. Pure.
 *
 * @param job files below the job's directory, by name
 * @param spec the experiment spec as JSON; empty for none
 * @param repaired whether line ends of Windows were taken out of the command
 */
record BoxFiles(Map<String, String> job, String spec, String resultsDirectory, boolean repaired) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static BoxFiles render(BoxPlace place, JobSpec spec, JobKey key) throws Rejected {
        String results = BoxLayout.results(place, spec, key);
        BoxOptions options = options(spec);
        BoxPreparation preparation = options.preparation();
        Map<String, String> env = BoxEnvironment.of(place, spec, key, results);
        String command = command(place.base(), spec, key, results);
        Map<String, String> files = new LinkedHashMap<>();
        files.put("command", withoutReturns(command));
        files.put("env", BoxEnvironment.render(env, spec));
        files.put("settings", BoxSettingsText.render(place, spec, key, results));
        preparation.smoke().ifPresent(smoke -> files.put("smoke", withoutReturns(smoke) + "\n"));
        if (!preparation.packages().isEmpty()) {
            files.put("packages", String.join("\n", preparation.packages()) + "\n");
        }
        if (!preparation.downloads().isEmpty()) {
            files.put("downloads", downloads(place, preparation.downloads()));
        }
        if (spec.image().isPresent()) {
            files.putAll(BoxContainer.files(place, spec, key, List.copyOf(env.keySet())));
        }
        for (String name : List.of("box.sh", "stages.sh", "wrapper.sh")) {
            files.put(name, BoxResource.text(name));
        }
        return new BoxFiles(files, json(spec, results), results, command.contains("\r"));
    }

    static BoxOptions options(JobSpec spec) {
        return spec.options()
                .filter(BoxOptions.class::isInstance)
                .map(BoxOptions.class::cast)
                .orElseGet(BoxOptions::defaults);
    }

    /** None unless the job asks for some. */
    static int gpus(JobSpec spec) {
        return spec.resources().gpusPerNode().orElse(0);
    }

    private static String downloads(BoxPlace place, Map<String, String> wanted) {
        StringBuilder lines = new StringBuilder();
        wanted.forEach((path, address) -> lines.append(address)
                .append(' ')
                .append(path.startsWith("/") ? path : place.data() + "/" + path)
                .append('\n'));
        return lines.toString();
    }

    /** A form of Windows ends lines in CR LF, which a shell takes for part of the last word. */
    private static String withoutReturns(String text) {
        return text.replace("\r\n", "\n");
    }

    private static String command(String base, JobSpec spec, JobKey key, String results) throws Rejected {
        if (spec.spec().isEmpty() && spec.command().contains("{config_path}")) {
            throw new Rejected(
                    "The command of job '" + key + "' names {config_path}, but the job has no spec.",
                    "Give the job a spec, or take {config_path} out of its command.");
        }
        return spec.command()
                        .replace("{config_path}", quote(BoxLayout.spec(base, key)))
                        .replace("{results_dir}", quote(results))
                        .replace("{job_id}", key.value())
                        .replace("{num_gpus}", String.valueOf(gpus(spec)))
                + "\n";
    }

    private static String json(JobSpec spec, String results) throws Rejected {
        if (spec.spec().isEmpty()) {
            return "";
        }
        Map<String, Object> filled = new LinkedHashMap<>(spec.spec());
        Object named = filled.get("results_dir");
        if (named == null || named.equals("")) {
            filled.put("results_dir", results);
        }
        try {
            return JSON.writeValueAsString(filled);
        } catch (JsonProcessingException e) {
            throw new Rejected(
                    "The spec of the job cannot be written as JSON: " + e.getOriginalMessage() + ".",
                    "Use maps, lists, texts, numbers and true or false in the spec.");
        }
    }
}
