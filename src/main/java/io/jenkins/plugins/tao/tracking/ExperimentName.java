package io.jenkins.plugins.tao.tracking;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.record.RunRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name of the experiment that a run belongs to: a pattern filled in. */
final class ExperimentName {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");
    private static final int LONGEST = 500;
    private static final Map<String, String> FACTS = new LinkedHashMap<>();

    static {
        FACTS.put("job", "origin/job");
        FACTS.put("target", "target");
        FACTS.put("network", "work/network");
        FACTS.put("action", "work/action");
        FACTS.put("user", "origin/user");
        FACTS.put("branch", "origin/branch");
    }

    private final String pattern;

    ExperimentName(Optional<String> pattern) {
        this.pattern = pattern.filter(text -> !text.isBlank()).orElse("{job}");
    }

    /**
     * Checks a pattern.
     *
     * @throws IllegalArgumentException if it has an unknown word in braces
     */
    static void check(String pattern) {
        PLACEHOLDER
                .matcher(pattern)
                .results()
                .forEach(found -> require(
                        FACTS.containsKey(found.group(1)),
                        "experiment has {%s}; known are {%s}",
                        found.group(1),
                        String.join("}, {", FACTS.keySet())));
    }

    /** The name for one run; what is not known of it is {@code unknown}. */
    String of(RunRecord run) {
        Matcher places = PLACEHOLDER.matcher(pattern);
        String name = places.replaceAll(place -> Matcher.quoteReplacement(
                run.text(FACTS.getOrDefault(place.group(1), "")).orElse("unknown")));
        return name.substring(0, Math.min(LONGEST, name.length()));
    }
}
