package io.jenkins.plugins.tao.bind;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** YAML as both front ends read it: anchors and {@code <<} are followed, a tag makes no Java object, and a key given twice is an error. */
public final class YamlTree {
    /** How deep values may be nested. */
    public static final int MAX_DEPTH = 50;

    /** An experiment spec may be long: SnakeYAML would stop at 3 Mi. */
    private static final int MAX_CHARACTERS = 64 << 20;

    /** Anchors in anchors make a short text large. */
    private static final int MAX_VALUES = 4_000_000;

    private final boolean typed;
    private int values;

    /** A key that stands there twice, or is not a word; the message is the reason in words for a person. */
    public static final class BadKey extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        BadKey(String what) {
            super(what);
        }
    }

    private YamlTree(boolean typed) {
        this.typed = typed;
    }

    /**
     * The nodes of the one document in {@code text}; empty where it holds no value.
     *
     * @throws YAMLException if it is not YAML
     */
    public static Optional<Node> document(String text) {
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(MAX_CHARACTERS);
        return Optional.ofNullable(
                new Composer(new ParserImpl(new StreamReader(text), limits), new Resolver(), limits).getSingleNode());
    }

    /** Whether {@code node} is {@code null}, {@code ~}, or nothing behind a key. */
    public static boolean isNothing(ScalarNode node) {
        String text = node.getValue();
        return node.getScalarStyle() == ScalarStyle.PLAIN
                && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
    }

    /**
     * The mapping in {@code text}; empty where it holds something else.
     *
     * @param typed whether words without quotes are the numbers and truth values that they look like; else they are texts as written
     * @throws YAMLException if it is not YAML
     * @throws BadKey if a key stands there twice, or is not a word
     */
    public static Optional<Map<String, Object>> mapping(String text, boolean typed) {
        Optional<Node> root = document(text);
        if (root.isEmpty()) {
            return Optional.of(Map.of());
        }
        return root.filter(MappingNode.class::isInstance)
                .map(MappingNode.class::cast)
                .map(node -> new YamlTree(typed).map(node, 0));
    }

    /**
     * The keys of a mapping with their values; those that {@code <<} takes from another mapping stand as if written there.
     *
     * @throws YAMLException if {@code <<} takes them from something else
     */
    public static List<NodeTuple> entries(MappingNode mapping) {
        if (mapping.isMerged()) {
            if (mapping.isTwoStepsConstruction()) {
                throw new YAMLException("a mapping takes its keys from itself by '<<'");
            }
            new Merges(new LoaderOptions()).flattenMapping(mapping);
        }
        return mapping.getValue();
    }

    private static final class Merges extends SafeConstructor {
        Merges(LoaderOptions limits) {
            super(limits);
            setAllowDuplicateKeys(false);
        }

        @Override
        protected void flattenMapping(MappingNode mapping) {
            super.flattenMapping(mapping);
        }
    }

    private @Nullable Object value(Node node, int depth) {
        values++;
        if (depth > MAX_DEPTH || values > MAX_VALUES) {
            throw new YAMLException("nested too deep");
        }
        if (node instanceof MappingNode mapping) {
            return map(mapping, depth);
        }
        if (node instanceof SequenceNode sequence) {
            List<Object> items = new ArrayList<>();
            sequence.getValue().forEach(item -> items.add(value(item, depth + 1)));
            return items;
        }
        ScalarNode scalar = (ScalarNode) node;
        boolean free = typed && scalar.getScalarStyle() == ScalarStyle.PLAIN;
        return isNothing(scalar) ? null : free ? FreeValues.scalar(scalar.getValue()) : scalar.getValue();
    }

    private Map<String, Object> map(MappingNode node, int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (NodeTuple tuple : entries(node)) {
            int line = tuple.getKeyNode().getStartMark().getLine() + 1;
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new BadKey("a key must be a single word, in line " + line);
            }
            if (map.containsKey(key.getValue())) {
                throw new BadKey(
                        "the key '" + key.getValue() + "' stands there twice, again in line " + line + "; keep one");
            }
            map.put(key.getValue(), value(tuple.getValueNode(), depth + 1));
        }
        return map;
    }
}
