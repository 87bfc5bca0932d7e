package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.Night;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nights before tonight.
 *
 * @param nights the comparable ones, the oldest first
 * @param leftOut the others since the last blessed level: label and what differs, the oldest first
 * @param level the blessed level since which nights count
 */
record Before(List<Night> nights, Map<String, List<String>> leftOut, Optional<Blessed> level) {
    /** What people should know of the nights that do not count; empty when all do. */
    String note() {
        if (leftOut.isEmpty()) {
            return "";
        }
        List<String> labels = new ArrayList<>(leftOut.keySet());
        String newest = labels.get(labels.size() - 1);
        return " " + Words.count(leftOut.size(), "night") + " cannot be compared; " + newest + ": "
                + String.join("; ", leftOut.getOrDefault(newest, List.of())) + ".";
    }

    /** The nights with a value. */
    List<Night> valid() {
        return nights.stream().filter(Night::valid).toList();
    }
}
