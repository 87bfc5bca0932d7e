package io.jenkins.plugins.tao.status;

import io.jenkins.plugins.tao.job.GpuUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads what {@code gpus.sh} tells of a job's nodes; lines and values that it does not know pass by. A line of a node but the
 * first begins with the node's rank: {@code [1] } or {@code [worker 1] }; of a job array, one of a member with its index.
 */
public final class MachineReader {
    /** The facts, as a run record names them. */
    public static final String GPU_TYPE = "gpuType";

    private static final String DRIVER = "driver";
    private static final String CUDA = "cuda";
    private static final String DIGEST = "imageDigest";

    private static final Pattern GPU = Pattern.compile("gpu \\d{1,4}, ([^,]{1,100}), ([^,]{1,40}), (\\S{1,20})");
    private static final Pattern CUDA_VERSION = Pattern.compile("cuda (\\d{1,3}(\\.\\d{1,3}){0,2})");
    private static final Pattern IMAGE = Pattern.compile("image (sha256:[0-9a-f]{64})");
    private static final Pattern USE = Pattern.compile("use (\\d{9,11})((?: \\d{1,4},[^ ,]{1,20},[^ ,]{1,20}){1,64})");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");
    private static final Pattern RANKED = Pattern.compile("\\[(?:worker )?(\\d{1,7})] (.*)");
    private static final int MOST_KINDS = 4;

    /** By the rank of the node. */
    private final Map<Integer, Node> nodes = new TreeMap<>();

    private Optional<String> digest = Optional.empty();

    /** What one node told in its newest run. */
    private static final class Node {
        private final Set<String> kinds = new TreeSet<>();
        private final Set<String> drivers = new TreeSet<>();
        private final Set<String> cudas = new TreeSet<>();
    }

    /**
     * What some lines told.
     *
     * @param facts all so far where one is new
     * @param samples in the order of the lines
     * @param ended the nodes that tell no more, because their part of the job has ended
     */
    public record Told(Map<String, String> facts, List<GpuUse> samples, Set<Integer> ended) {}

    /** Takes whole lines. */
    public Told take(List<String> lines) {
        Map<String, String> before = facts();
        List<GpuUse> samples = new ArrayList<>();
        Set<Integer> ended = new TreeSet<>();
        for (String line : lines) {
            Matcher ranked = RANKED.matcher(line.strip());
            int rank = ranked.matches() ? Integer.parseInt(ranked.group(1)) : 0;
            String words = ranked.matches() ? ranked.group(2) : line.strip();
            if (words.equals("end")) {
                ended.add(rank);
            } else if (words.startsWith("use ")) {
                sample(rank, words).ifPresent(samples::add);
            } else {
                fact(rank, words);
            }
        }
        Map<String, String> now = facts();
        return new Told(now.equals(before) ? Map.of() : now, samples, ended);
    }

    private void fact(int rank, String line) {
        Matcher gpu = GPU.matcher(line);
        Matcher cuda = CUDA_VERSION.matcher(line);
        Matcher image = IMAGE.matcher(line);
        if (line.startsWith("node ")) {
            nodes.put(rank, new Node()); // a new run, perhaps elsewhere
        } else if (gpu.matches()) {
            known(gpu.group(1)).ifPresent(node(rank).kinds::add);
            known(gpu.group(2)).ifPresent(node(rank).drivers::add);
        } else if (cuda.matches()) {
            node(rank).cudas.add(cuda.group(1));
        } else if (image.matches()) {
            digest = Optional.of(image.group(1));
        }
    }

    private Node node(int rank) {
        return nodes.computeIfAbsent(rank, any -> new Node());
    }

    /** Where nodes differ, what each of them told. */
    private Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        put(facts, GPU_TYPE, node -> node.kinds);
        put(facts, DRIVER, node -> node.drivers);
        put(facts, CUDA, node -> node.cudas);
        digest.ifPresent(text -> facts.put(DIGEST, text));
        return Map.copyOf(facts);
    }

    private void put(Map<String, String> facts, String name, Function<Node, Set<String>> of) {
        String text = nodes.values().stream()
                .flatMap(node -> of.apply(node).stream())
                .distinct()
                .sorted()
                .limit(MOST_KINDS)
                .collect(Collectors.joining(", "));
        if (!text.isEmpty()) {
            facts.put(name, text);
        }
    }

    /** nvidia-smi writes {@code [N/A]}, {@code [Not Supported]} and the like where it cannot tell. */
    private static Optional<String> known(String text) {
        String plain = text.strip();
        return plain.isEmpty() || plain.startsWith("[") ? Optional.empty() : Optional.of(plain);
    }

    private static Optional<GpuUse> sample(int node, String line) {
        Matcher use = USE.matcher(line.strip());
        if (!use.matches()) {
            return Optional.empty();
        }
        List<GpuUse.Gpu> gpus = new ArrayList<>();
        for (String part : use.group(2).strip().split(" ", -1)) {
            String[] values = part.split(",", -1);
            OptionalDouble percent = number(values[1]);
            gpus.add(new GpuUse.Gpu(
                    node,
                    Integer.parseInt(values[0]),
                    percent.isPresent() && percent.getAsDouble() > 100 ? OptionalDouble.empty() : percent,
                    number(values[2])));
        }
        return Optional.of(new GpuUse(Instant.ofEpochSecond(Long.parseLong(use.group(1))), gpus));
    }

    private static OptionalDouble number(String text) {
        return NUMBER.matcher(text).matches() ? OptionalDouble.of(Double.parseDouble(text)) : OptionalDouble.empty();
    }
}
