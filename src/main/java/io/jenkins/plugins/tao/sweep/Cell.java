package io.jenkins.plugins.tao.sweep;

import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One combination of values.
 *
 * @param values by the path of the axis, in the order of the matrix
 */
public record Cell(Map<String, String> values) {
    private static final int DIGITS = 8;

    public Cell {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** 8 hexadecimal digits that depend on the values alone: a matrix that grows keeps the ids of the cells it had. */
    public String id() {
        return Fingerprint.of(new TreeMap<>(values).toString(), DIGITS);
    }

    /** The values for a person: {@code train.lr=1e-3, train.seed=0}. */
    public String label() {
        return values.entrySet().stream()
                .map(value -> value.getKey() + "=" + value.getValue())
                .collect(Collectors.joining(", "));
    }
}
