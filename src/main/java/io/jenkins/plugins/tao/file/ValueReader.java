package io.jenkins.plugins.tao.file;

import io.jenkins.plugins.tao.bind.YamlTree;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads YAML into {@link Value}s that know their lines. Nothing is constructed from the text: no Java object can be
 * named in it. Anchors are followed; a key given twice is an error.
 */
public record ValueReader(String source) {
    /** What to write instead, by what the parser finds wrong. */
    private static final Map<String, String> HINTS = Map.of(
            "mapping values are not allowed here", "Put a text with ': ' in it into quotes.",
            "but found '<scalar>'", "Put a text with quotes in it below 'KEY: |'.",
            "found another document", "Keep one document: '---' begins another.");

    /** Reads {@code text}; messages call it {@code source}. */
    public static Value.Keyed parse(String source, String text) {
        Value root = new ValueReader(source).root(text);
        if (root instanceof Value.Keyed keyed) {
            return keyed;
        }
        throw new FileMistake(
                root.where() + ": expected keys with values, as in 'KEY: VALUE', found " + root.kind() + ".");
    }

    /** Reads the value that an option {@code source} gives, a scalar, a list or a mapping. */
    public static Value value(String source, String text) {
        Value value = new ValueReader(source).root(text);
        if (value instanceof Value.Text scalar) {
            return new Value.Text(source, scalar.text(), scalar.quoted());
        }
        return value instanceof Value.Nothing ? new Value.Nothing(source) : value;
    }

    private Value root(String text) {
        try {
            Optional<Node> node = YamlTree.document(text);
            return node.isEmpty() ? new Value.Nothing(source + ":1:1") : value(node.get(), 0);
        } catch (MarkedYAMLException e) {
            throw new FileMistake(at(e.getProblemMark()) + ": this is not YAML: " + e.getProblem() + "." + hint(e), e);
        } catch (YAMLException | UncheckedIOException e) {
            throw new FileMistake(source + ": this is not YAML: " + e.getMessage() + ".", e);
        }
    }

    private static String hint(MarkedYAMLException wrong) {
        return HINTS.entrySet().stream()
                .filter(hint -> wrong.getProblem().contains(hint.getKey()))
                .map(hint -> " " + hint.getValue())
                .findFirst()
                .orElse("");
    }

    private Value value(Node node, int depth) {
        String where = at(node.getStartMark());
        if (depth > YamlTree.MAX_DEPTH) {
            throw new FileMistake(where + ": nested more than " + YamlTree.MAX_DEPTH + " levels deep.");
        }
        if (node instanceof MappingNode mapping) {
            return keyed(mapping, where, depth);
        }
        if (node instanceof SequenceNode sequence) {
            List<Value> items = new ArrayList<>();
            for (Node item : sequence.getValue()) {
                items.add(value(item, depth + 1));
            }
            return new Value.Items(where, items);
        }
        return scalar((ScalarNode) node, where);
    }

    private static Value scalar(ScalarNode node, String where) {
        return YamlTree.isNothing(node)
                ? new Value.Nothing(where)
                : new Value.Text(where, node.getValue(), node.getScalarStyle() != ScalarStyle.PLAIN);
    }

    private Value.Keyed keyed(MappingNode mapping, String where, int depth) {
        Map<String, Value.Entry> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : YamlTree.entries(mapping)) {
            String at = at(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new FileMistake(at + ": a key must be a single word.");
            }
            Value.Entry entry = new Value.Entry(at, value(tuple.getValueNode(), depth + 1));
            Value.Entry earlier = entries.put(key.getValue(), entry);
            if (earlier != null) {
                throw new FileMistake(
                        at + ": the key '" + key.getValue() + "' stands at " + earlier.where() + " already; keep one.");
            }
        }
        return new Value.Keyed(where, entries);
    }

    private String at(@Nullable Mark mark) {
        return mark == null ? source : source + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
    }
}
