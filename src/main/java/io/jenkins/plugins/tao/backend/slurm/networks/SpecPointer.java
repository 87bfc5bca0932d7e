package io.jenkins.plugins.tao.backend.slurm.networks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A place in an experiment spec, as in {@code dataset.train_data_sources[0].image_dir}. */
public record SpecPointer(List<Object> steps) {
    private static final Pattern STEP = Pattern.compile("([A-Za-z_][A-Za-z0-9_-]*)((?:\\[\\d{1,4}])*)");
    private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

    /** Reads one; empty for a text that cannot be one, such as a path or a URI. */
    public static Optional<SpecPointer> parse(String text) {
        List<Object> steps = new ArrayList<>();
        for (String part : text.split("\\.", -1)) {
            Matcher step = STEP.matcher(part);
            if (!step.matches()) {
                return Optional.empty();
            }
            steps.add(step.group(1));
            Matcher index = INDEX.matcher(step.group(2));
            while (index.find()) {
                steps.add(Integer.valueOf(index.group(1)));
            }
        }
        return steps.size() < 2 ? Optional.empty() : Optional.of(new SpecPointer(steps));
    }

    /** All texts at this place: one, or those of a list. */
    public List<String> texts(Map<String, Object> spec) {
        Object at = spec;
        for (Object step : steps) {
            Object next = step instanceof Integer index
                    ? (at instanceof List<?> list && index < list.size() ? list.get(index) : null)
                    : (at instanceof Map<?, ?> map ? map.get(step) : null);
            if (next == null) {
                return List.of();
            }
            at = next;
        }
        if (at instanceof List<?> list) {
            return list.stream()
                    .filter(String.class::isInstance)
                    .map(String.class::cast)
                    .toList();
        }
        return at instanceof String text && !text.isBlank() ? List.of(text) : List.of();
    }

    /** The same spec with {@code value} here; what is there already stays. */
    Map<String, Object> filled(Map<String, Object> spec, String value) {
        if (!texts(spec).isEmpty()) {
            return spec;
        }
        @SuppressWarnings("unchecked") // the outermost step is a name, which makes a map
        Map<String, Object> filled = (Map<String, Object>) put(spec, 0, value);
        return filled;
    }

    private Object put(@org.jspecify.annotations.Nullable Object at, int depth, String value) {
        if (depth == steps.size()) {
            return value;
        }
        if (steps.get(depth) instanceof Integer index) {
            List<Object> list = new ArrayList<>(at instanceof List<?> given ? given : List.of());
            while (list.size() <= index) {
                list.add(new LinkedHashMap<>());
            }
            list.set(index, put(list.get(index), depth + 1, value));
            return list;
        }
        Map<Object, Object> map = new LinkedHashMap<>();
        if (at instanceof Map<?, ?> given) {
            map.putAll(given);
        }
        map.put(steps.get(depth), put(map.get(steps.get(depth)), depth + 1, value));
        return map;
    }
}
