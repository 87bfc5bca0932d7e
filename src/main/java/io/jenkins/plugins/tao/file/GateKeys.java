package io.jenkins.plugins.tao.file;

import io.jenkins.plugins.tao.gate.criteria.GateText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Gates as a file has them: the keys of docs/gates.md, each with a text. */
public final class GateKeys {
    private GateKeys() {}

    /**
     * The keys of each gate, checked.
     *
     * @throws FileMistake if a gate is written wrong
     */
    public static List<Map<String, String>> of(List<Value.Keyed> written) {
        List<Map<String, String>> gates = new ArrayList<>();
        for (Value.Keyed gate : written) {
            Map<String, String> keys = new LinkedHashMap<>();
            gate.checked(new TreeSet<>(GateText.KEYS))
                    .entries()
                    .forEach((key, entry) -> keys.put(key, text(key, entry)));
            gate.read(() -> GateText.parse(keys));
            gates.add(keys);
        }
        return gates;
    }

    private static String text(String key, Value.Entry entry) {
        Value value = entry.value();
        if (value instanceof Value.Text text) {
            return text.text();
        }
        if (value instanceof Value.Items items
                && GateText.LISTS.contains(key)
                && items.values().stream().allMatch(Value.Text.class::isInstance)) {
            return items.values().stream()
                    .map(item -> ((Value.Text) item).text())
                    .collect(Collectors.joining(", "));
        }
        throw new FileMistake(
                entry.where() + ": '" + key + "' of a gate must be a single value, found " + value.kind() + ".");
    }
}
