package io.jenkins.plugins.tao.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What was run: network, action, spec, seed, data, image; from {@code job.json}. */
final class Work {
    private static final Pattern ACTION = Pattern.compile(
            "(?:^|[\\s;&|/])([a-z][a-z0-9_-]*)\\s+"
                    + "(train|evaluate|inference|export|quantize|prune|distill|gen_trt_engine|dataset_convert|convert)(?:\\s|$)");
    /** Stands in the spec of a sweep by array for what each member has of its own. */
    private static final String MEMBERS_OWN = "tao-axis-";

    private static final Pattern SEED = Pattern.compile("(?:^|[.\\s-])(?:random_)?seed[=\\s](-?\\d{1,18})\\b");
    /** An option of a command: {@code --key value}, {@code --key=value} or {@code key=value}. */
    private static final Pattern OPTION = Pattern.compile("(?<!\\S)(?:--?([\\w.-]+)[=\\s]\\s*|([\\w.]+)=)((?!-)\\S+)");

    private static final Pattern HIDDEN =
            Pattern.compile("(?i).*(secret|token|passw|credential|api_?key|access_?key|private).*");

    private static final int DIGITS = 16;
    private static final int MOST_KEYS = 120;
    private static final int MOST_VARIABLES = 60;
    private static final int MOST_TEXT = 120;
    private static final int MOST_SCRIPT = 400;

    private Work() {}

    static ObjectNode of(JsonNode job) {
        ObjectNode work = JsonNodeFactory.instance.objectNode();
        String command = job.path("command").asText();
        Map<String, String> spec = new TreeMap<>();
        flatten("", job.path("spec"), spec);
        Map<String, String> constant = new TreeMap<>(spec);
        constant.keySet().removeIf(SpecLabels::is);
        constant.replaceAll((key, value) -> withoutPlace(job, value));
        Matcher action = ACTION.matcher(command);
        if (action.find()) {
            work.put("network", action.group(1)).put("action", action.group(2));
        }
        if (!command.isEmpty()) {
            String same = withoutPlace(job, withoutLabels(command));
            work.put("commandHash", Fingerprint.of(same, DIGITS));
            work.put("command", script(same));
            work.put("specHash", Fingerprint.of(constant.toString(), DIGITS));
        }
        seed(spec, work.path("action").asText(), job.path("env"), command).ifPresent(seed -> work.put("seed", seed));
        data(job).ifPresent(data -> work.put("data", data));
        image(job.path("image").asText(), work);
        for (String hook : new String[] {"pre", "post"}) {
            String text = job.path(hook).asText();
            if (!text.isBlank()) {
                work.put(hook, script(withoutPlace(job, text)));
            }
        }
        environment(job, work);
        ObjectNode values = work.putObject("spec");
        constant.entrySet().stream()
                .limit(MOST_KEYS)
                .forEach(entry -> values.put(entry.getKey(), Sentences.shortened(entry.getValue(), MOST_TEXT)));
        return work;
    }

    private static String withoutLabels(String command) {
        String seedless = SEED.matcher(command).replaceAll(" seed=*");
        return OPTION.matcher(seedless).replaceAll(option -> {
            String key = option.group(1) == null ? option.group(2) : option.group(1);
            return Matcher.quoteReplacement(SpecLabels.is(key) ? key + "=*" : option.group());
        });
    }

    /** The same with stars for the id and the directory of the run itself, which are others each time. */
    private static String withoutPlace(JsonNode job, String text) {
        String folder = job.path("resultsDir").asText();
        String id = job.path("id").asText();
        String placeless = folder.length() < 2 ? text : text.replace(folder, "*");
        return id.length() < 2 ? placeless : placeless.replace(id, "*");
    }

    /** A long script is known by its hash. */
    private static String script(String text) {
        return text.length() <= MOST_SCRIPT ? text : "hash " + Fingerprint.of(text, DIGITS);
    }

    /** The variables without labels; of those that may be secret the names alone. */
    private static void environment(JsonNode job, ObjectNode work) {
        ObjectNode env = JsonNodeFactory.instance.objectNode();
        job.path("env").properties().stream()
                .filter(variable -> !SpecLabels.is(variable.getKey()))
                .limit(MOST_VARIABLES)
                .forEach(variable -> {
                    String value = withoutPlace(job, variable.getValue().asText());
                    String shown = value.length() <= MOST_TEXT ? value : "hash " + Fingerprint.of(value, DIGITS);
                    env.put(variable.getKey(), HIDDEN.matcher(variable.getKey()).matches() ? "***" : shown);
                });
        if (!env.isEmpty()) {
            work.set("env", env);
        }
    }

    private static void flatten(String path, JsonNode node, Map<String, String> into) {
        if (node.isObject() && !node.isEmpty()) {
            node.properties()
                    .forEach(entry -> flatten(
                            path.isEmpty() ? entry.getKey() : path + "." + entry.getKey(), entry.getValue(), into));
        } else if (!path.isEmpty()) {
            into.put(path, node.isValueNode() ? node.asText() : node.toString());
        }
    }

    /** That of the command, else of the section of its action: a data set has a seed of its own, which stays the same. */
    private static Optional<String> seed(Map<String, String> spec, String action, JsonNode env, String command) {
        Matcher given = SEED.matcher(command);
        String last = "";
        while (given.find()) {
            last = given.group(1);
        }
        if (!last.isEmpty()) {
            return Optional.of(last);
        }
        Optional<String> ofSpec = spec.entrySet().stream()
                .filter(entry -> SpecLabels.isSeed(entry.getKey()))
                .min(Comparator.comparing(entry -> section(entry.getKey(), action)))
                .map(Map.Entry::getValue);
        return ofSpec.or(() -> Optional.of(env.path("SEED").asText()).filter(text -> !text.isBlank()))
                .filter(text -> !text.startsWith(MEMBERS_OWN));
    }

    /** The smaller, the more a seed is that of the work itself. */
    private static int section(String key, String action) {
        if (!action.isEmpty() && key.startsWith(action + ".")) {
            return 0;
        }
        return key.startsWith("data") ? 2 : 1;
    }

    /** What the job itself calls the version of its data, else the places of its inputs. */
    private static Optional<String> data(JsonNode job) {
        for (String name : new String[] {"DATA_VERSION", "DATASET_VERSION"}) {
            String version = job.path("env").path(name).asText();
            if (!version.isBlank()) {
                return Optional.of(Sentences.shortened(version, MOST_TEXT));
            }
        }
        String inputs = String.join(", ", texts(job.path("inputs")));
        if (inputs.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(inputs.length() <= MOST_TEXT ? inputs : "inputs " + Fingerprint.of(inputs, DIGITS));
    }

    private static java.util.List<String> texts(JsonNode list) {
        java.util.List<String> texts = new java.util.ArrayList<>();
        list.forEach(entry -> texts.add(entry.asText()));
        return texts;
    }

    private static void image(String image, ObjectNode work) {
        if (!image.isBlank()) {
            work.put("image", image);
        }
        int digest = image.indexOf("@sha256:");
        if (digest > 0) {
            work.put("imageDigest", image.substring(digest + 1));
        }
    }
}
