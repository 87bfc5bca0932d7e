package io.jenkins.plugins.tao.file;

import com.fasterxml.jackson.databind.node.TextNode;
import io.jenkins.plugins.tao.bind.Unquoted;
import io.jenkins.plugins.tao.sweep.Matrix;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.BiFunction;

/**
 * The axes of a sweep.
 *
 * @param choices the values of each axis by its path, or one range such as {@code 0..4}
 */
public record SweepAxes(Map<String, List<Choice>> choices) {
    /**
     * One value of an axis.
     *
     * @param text as it is written: ids of cells, variables and options are made of it
     * @param value what a spec gets: a number or a truth value where it looks like one and has no quotes
     */
    public record Choice(String text, Object value) {}

    /**
     * Reads the {@code matrix} of a job file.
     *
     * @throws FileMistake if it has other values than single ones
     */
    public static SweepAxes of(Value matrix) {
        return of(matrix, (written, value) -> written);
    }

    /** The same with other texts, made of what is written and what a spec gets. */
    public static SweepAxes of(Value matrix, BiFunction<String, Object, String> texts) {
        if (!(matrix instanceof Value.Keyed keyed)) {
            throw new FileMistake(matrix.where() + ": 'matrix' takes keys with their values, as in train.seed: 0..4.");
        }
        Map<String, List<Choice>> choices = new LinkedHashMap<>();
        keyed.entries().forEach((axis, entry) -> {
            List<Value> values = entry.value() instanceof Value.Items items ? items.values() : List.of(entry.value());
            choices.put(
                    axis,
                    values.stream().map(value -> choice(axis, value, texts)).toList());
        });
        return new SweepAxes(choices);
    }

    private static Choice choice(String axis, Value one, BiFunction<String, Object, String> texts) {
        if (!(one instanceof Value.Text written)) {
            throw new FileMistake(one.where() + ": the axis '" + axis
                    + "' takes single values, as in [1e-3, 1e-4], and this is " + one.kind() + ".");
        }
        String text = written.text();
        Object value = written.quoted() ? text : Objects.requireNonNullElse(new Unquoted(text).value(), text);
        return new Choice(texts.apply(text, value), value);
    }

    /** All combinations; refused where an axis has no value or one twice, or there are too many. */
    public Matrix matrix() {
        Map<String, List<String>> texts = new LinkedHashMap<>();
        choices.forEach(
                (axis, all) -> texts.put(axis, all.stream().map(Choice::text).toList()));
        return new Matrix(texts);
    }

    /** What a spec gets where a cell has {@code text} for {@code axis}; of a range it is a whole number. */
    public Object value(String axis, String text) {
        return choices.getOrDefault(axis, List.of()).stream()
                .filter(choice -> choice.text().equals(text))
                .map(Choice::value)
                .findFirst()
                .orElseGet(() -> Long.valueOf(text));
    }

    /** The YAML that {@link #of} reads as the same axes; JSON is YAML too. */
    public String render() {
        StringJoiner lines = new StringJoiner("\n");
        choices.forEach((axis, all) -> lines.add(TextNode.valueOf(axis) + ": "
                + all.stream()
                        .map(one -> one.value() instanceof String text ? TextNode.valueOf(text) : one.text())
                        .toList()));
        return lines.toString();
    }
}
