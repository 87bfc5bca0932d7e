package io.jenkins.plugins.tao.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** docs/benchmarks.md, section by section: a run that measures some figures keeps what is told of the others. Pure. */
final class BenchmarkPage {
    private static final String SECTION = "## ";

    private BenchmarkPage() {}

    /** {@code page} with this head and these figures, in the place that each has there, new ones last. */
    static String with(String page, String head, List<Figure> figures) {
        Map<String, String> sections = new LinkedHashMap<>();
        Arrays.stream(page.split("(?m)^(?=" + SECTION + ")"))
                .filter(part -> part.startsWith(SECTION))
                .forEach(part -> sections.put(title(part), part.strip() + "\n\n"));
        figures.forEach(figure -> sections.put(figure.title(), figure.render()));
        return head + String.join("", sections.values()).strip() + "\n";
    }

    private static String title(String section) {
        return section.substring(SECTION.length()).lines().findFirst().orElse("");
    }
}
