package io.jenkins.plugins.tao.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measured promise.
 *
 * @param title what is measured
 * @param target what it should be
 * @param met whether it was, in this run
 * @param done what was done to measure it
 * @param numbers what was seen, by what it is
 */
record Figure(String title, String target, boolean met, String done, Map<String, String> numbers) {
    Figure {
        numbers = new LinkedHashMap<>(numbers);
    }

    /** The same with where and when it was measured. */
    Figure measured(String where) {
        return new Figure(title, target, met, done + " " + where, numbers);
    }

    String render() {
        StringBuilder text = new StringBuilder("## " + title + "\n\n");
        text.append("Target: ")
                .append(target)
                .append(" — **")
                .append(met ? "met" : "not met")
                .append("**.\n\n");
        text.append(done).append("\n\n| measure | seen |\n|---|---|\n");
        numbers.forEach((what, seen) ->
                text.append("| ").append(what).append(" | ").append(seen).append(" |\n"));
        return text.append('\n').toString();
    }
}
