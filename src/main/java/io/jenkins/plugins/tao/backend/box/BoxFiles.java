package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.ShellCommand.quote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The texts of a job's files. Pure. */
record BoxFiles(String command, String env, String spec, String resultsDirectory) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static BoxFiles render(String directory, JobSpec spec, JobKey key) throws Rejected {
        String results = BoxLayout.results(directory, spec, key);
        return new BoxFiles(
                command(directory, spec, key, results), env(spec, key, results), json(spec, results), results);
    }

    /** The program that runs one attempt; the same for all jobs. */
    static String wrapper() {
        try (InputStream text = BoxFiles.class.getResourceAsStream("wrapper.sh")) {
            if (text == null) {
                throw new IllegalStateException("wrapper.sh is missing from the plugin");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("wrapper.sh cannot be read from the plugin", e);
        }
    }

    private static String command(String directory, JobSpec spec, JobKey key, String results) throws Rejected {
        if (spec.spec().isEmpty() && spec.command().contains("{config_path}")) {
            throw new Rejected(
                    "The command of job '" + key + "' names {config_path}, but the job has no spec.",
                    "Give the job a spec, or take {config_path} out of its command.");
        }
        return spec.command()
                        .replace("{config_path}", quote(BoxLayout.spec(directory, key)))
                        .replace("{results_dir}", quote(results))
                        .replace("{job_id}", key.value())
                        .replace(
                                "{num_gpus}",
                                String.valueOf(spec.resources().gpusPerNode().orElse(1)))
                + "\n";
    }

    private static String env(JobSpec spec, JobKey key, String results) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("TAO_JOB_ID", key.value());
        variables.put("TAO_RESULTS_DIR", results);
        variables.put("TAO_RESULTS_ROOT", BoxLayout.parent(results));
        variables.put("TAO_API_RESULTS_DIR", BoxLayout.parent(results));
        variables.put("PYTHONUNBUFFERED", "1");
        variables.putAll(spec.env());
        StringBuilder text = new StringBuilder();
        variables.forEach((name, value) -> text.append(export(name, value)));
        spec.secrets()
                .keySet()
                .forEach(name -> text.append("# secret, by standard input: ")
                        .append(name)
                        .append('\n'));
        return text.toString();
    }

    /** A line of shell that sets a variable. */
    static String export(String name, String value) {
        return "export " + name + "=" + quote(value) + "\n";
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
