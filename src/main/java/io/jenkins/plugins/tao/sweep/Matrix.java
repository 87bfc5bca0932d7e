package io.jenkins.plugins.tao.sweep;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** Every combination of the values of some axes. Bounded: what is too large is refused before any cell is made. */
public final class Matrix {
    /** No sweep has more cells. */
    public static final int MOST_CELLS = 1000;

    /** Meant as a range, and taken as one value else. */
    private static final Pattern NEARLY = Pattern.compile("-?[\\d.]*\\d *\\.\\.\\.? *-?[\\d.]*\\d\\b.*");

    private static final Pattern RANGE = Pattern.compile("(-?\\d{1,15})\\.\\.(-?\\d{1,15})");

    private final Map<String, List<String>> axes = new LinkedHashMap<>();

    /**
     * A matrix.
     *
     * @param axes the values of each axis by its path; a single text {@code 0..4} is a range of whole numbers, both ends included
     * @throws IllegalArgumentException if an axis has no value or one twice, or there are too many cells
     */
    public Matrix(Map<String, List<String>> axes) {
        require(!axes.isEmpty(), "the matrix has no axes; write one as in train.seed: 0..4");
        long cells = 1;
        for (Map.Entry<String, List<String>> axis : axes.entrySet()) {
            List<String> values = values(axis.getKey(), axis.getValue());
            cells *= values.size();
            require(cells <= MOST_CELLS, "the matrix has more than %d cells; take values or axes away", MOST_CELLS);
            this.axes.put(axis.getKey(), values);
        }
    }

    private static List<String> values(String path, List<String> given) {
        require(!given.isEmpty(), "the axis '%s' of the matrix has no values", path);
        require(
                new LinkedHashSet<>(given).size() == given.size(),
                "the axis '%s' of the matrix names a value twice: %s",
                path,
                given);
        Matcher range = RANGE.matcher(given.get(0));
        require(
                given.size() > 1
                        || range.matches()
                        || !NEARLY.matcher(given.get(0)).matches(),
                "the axis '%s' has '%s', and a range is of whole numbers, as in 0..4; write other values as a list",
                path,
                given.get(0));
        return given.size() == 1 && range.matches()
                ? numbers(path, Long.parseLong(range.group(1)), Long.parseLong(range.group(2)))
                : given;
    }

    private static List<String> numbers(String path, long first, long last) {
        require(first <= last, "the range %d..%d of the axis '%s' goes down", first, last, path);
        require(
                last - first < MOST_CELLS,
                "the axis '%s' has %d values, and a sweep has at most %d cells",
                path,
                last - first + 1,
                MOST_CELLS);
        return LongStream.rangeClosed(first, last).mapToObj(Long::toString).toList();
    }

    /** The paths of its axes. */
    public Set<String> axes() {
        return Collections.unmodifiableSet(axes.keySet());
    }

    /** All cells; the last axis changes first. */
    public List<Cell> cells() {
        List<Map<String, String>> all = List.of(Map.of());
        for (Map.Entry<String, List<String>> axis : axes.entrySet()) {
            List<Map<String, String>> more = new ArrayList<>();
            for (Map<String, String> before : all) {
                for (String value : axis.getValue()) {
                    Map<String, String> next = new LinkedHashMap<>(before);
                    next.put(axis.getKey(), value);
                    more.add(next);
                }
            }
            all = more;
        }
        return all.stream().map(Cell::new).toList();
    }
}
