package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.Preview;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The lines in which the texts that two requests send are different; pure. */
final class ScriptChanges {
    private static final int MOST = 100;

    private ScriptChanges() {}

    /**
     * Lines that are in one of them alone, in their order: the first that went beside the first that came, and so on.
     *
     * @return each with {@code what}, the text it is in, {@code before} and {@code now}; the first hundred
     */
    static List<Map<String, String>> between(Preview before, Preview now) {
        List<Map<String, String>> changes = new ArrayList<>();
        for (Preview.Part part : now.parts()) {
            Optional<Preview.Part> same = before.parts().stream()
                    .filter(old -> old.name().equals(part.name()))
                    .findFirst();
            String old = same.map(Preview.Part::text).orElse("");
            pair(part.name(), without(old, part.text()), without(part.text(), old), changes);
        }
        for (Preview.Part part : before.parts()) {
            if (now.parts().stream().noneMatch(kept -> kept.name().equals(part.name()))) {
                pair(part.name(), part.text().lines().toList(), List.of(), changes);
            }
        }
        return changes.size() > MOST ? List.copyOf(changes.subList(0, MOST)) : changes;
    }

    /** The lines of {@code text} that {@code other} has not, or not as often. */
    private static List<String> without(String text, String other) {
        Map<String, Integer> known = new HashMap<>();
        other.lines().forEach(line -> known.merge(line, 1, Integer::sum));
        return text.lines()
                .filter(line -> known.merge(line, -1, Integer::sum) < 0)
                .toList();
    }

    private static void pair(String what, List<String> gone, List<String> come, List<Map<String, String>> changes) {
        for (int i = 0; i < Math.max(gone.size(), come.size()); i++) {
            Map<String, String> change = new LinkedHashMap<>();
            change.put("what", what);
            change.put("before", i < gone.size() ? gone.get(i) : "");
            change.put("now", i < come.size() ? come.get(i) : "");
            changes.add(change);
        }
    }
}
