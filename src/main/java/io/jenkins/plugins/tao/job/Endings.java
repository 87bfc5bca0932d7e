package io.jenkins.plugins.tao.job;

import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The words by which schedulers and TAO say how a job ended, and what each of them means. The table is data, {@code endings.txt}; the page
 * docs/troubleshooting.md shows it.
 */
public final class Endings {
    private static final String ANY = "*";
    /** By system and word; one that ends in {@code *} stands for all that begin so. */
    static final Map<String, Map<String, Ending>> TABLE = read();

    private Endings() {}

    private static Map<String, Map<String, Ending>> read() {
        Map<String, Map<String, Ending>> table = new LinkedHashMap<>();
        OwnFile.text(Endings.class, "endings.txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(" "))
                .forEach(parts -> {
                    for (int i = 2; i < parts.length; i++) {
                        table.computeIfAbsent(parts[0], system -> new LinkedHashMap<>())
                                .put(parts[i], Ending.valueOf(parts[1]));
                    }
                });
        return table;
    }

    /** What {@code word} of {@code system} means, such as {@code NODE_FAIL} of {@code slurm}; empty for one that is not known. */
    public static Optional<Ending> of(String system, String word) {
        Map<String, Ending> words = TABLE.getOrDefault(system, Map.of());
        return Optional.ofNullable(words.get(word))
                .or(() -> words.entrySet().stream()
                        .filter(entry -> entry.getKey().endsWith(ANY)
                                && word.startsWith(entry.getKey().replace(ANY, "")))
                        .map(Map.Entry::getValue)
                        .findFirst());
    }

    /** A constant's name in small letters, as people read it. */
    static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
