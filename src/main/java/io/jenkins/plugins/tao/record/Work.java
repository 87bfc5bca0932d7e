package io.jenkins.plugins.tao.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What was run: network, action, spec, seed, data, image; from {@code job.json}. */
final class Work {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern ACTION = Pattern.compile(
            "(?:^|[\\s;&|/])([a-z][a-z0-9_-]*)\\s+"
                    + "(train|evaluate|inference|export|quantize|prune|distill|gen_trt_engine|dataset_convert|convert)(?:\\s|$)");
    private static final Pattern SEED = Pattern.compile("(?:^|[.\\s])(?:random_)?seed[=\\s](-?\\d{1,18})\\b");
    private static final Pattern SEED_KEY = Pattern.compile("(?i)(.*[._])?(random_)?seed");
    /** What differs from run to run and does not make another experiment. */
    private static final Pattern PLACE_KEY =
            Pattern.compile("(.*\\.)?(results_dir|output_dir|resume_training_checkpoint_path|timestamp|run_id)");

    private static final int DIGITS = 16;
    private static final int MOST_KEYS = 120;
    private static final int MOST_TEXT = 120;

    private Work() {}

    static ObjectNode of(JsonNode job) {
        ObjectNode work = JSON.createObjectNode();
        String command = job.path("command").asText();
        Map<String, String> spec = new TreeMap<>();
        flatten("", job.path("spec"), spec);
        Map<String, String> constant = new TreeMap<>(spec);
        constant.keySet()
                .removeIf(key -> SEED_KEY.matcher(key).matches()
                        || PLACE_KEY.matcher(key).matches());
        Matcher action = ACTION.matcher(command);
        if (action.find()) {
            work.put("network", action.group(1)).put("action", action.group(2));
        }
        if (!command.isEmpty()) {
            work.put("commandHash", Fingerprint.of(withoutSeed(command), DIGITS));
            work.put("specHash", Fingerprint.of(constant.toString(), DIGITS));
        }
        seed(spec, job.path("env"), command).ifPresent(seed -> work.put("seed", seed));
        data(job).ifPresent(data -> work.put("data", data));
        image(job.path("image").asText(), work);
        ObjectNode values = work.putObject("spec");
        constant.entrySet().stream()
                .limit(MOST_KEYS)
                .forEach(entry -> values.put(entry.getKey(), cut(entry.getValue())));
        return work;
    }

    private static String withoutSeed(String command) {
        return SEED.matcher(command).replaceAll(" seed=*");
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

    private static Optional<String> seed(Map<String, String> spec, JsonNode env, String command) {
        Matcher given = SEED.matcher(command);
        String last = "";
        while (given.find()) {
            last = given.group(1);
        }
        if (!last.isEmpty()) {
            return Optional.of(last);
        }
        Optional<String> ofSpec = spec.entrySet().stream()
                .filter(entry -> SEED_KEY.matcher(entry.getKey()).matches())
                .map(Map.Entry::getValue)
                .findFirst();
        return ofSpec.or(() -> Optional.of(env.path("SEED").asText()).filter(text -> !text.isBlank()));
    }

    /** What the job itself calls the version of its data, else the places of its inputs. */
    private static Optional<String> data(JsonNode job) {
        for (String name : new String[] {"DATA_VERSION", "DATASET_VERSION"}) {
            String version = job.path("env").path(name).asText();
            if (!version.isBlank()) {
                return Optional.of(cut(version));
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

    private static String cut(String text) {
        return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "…";
    }
}
