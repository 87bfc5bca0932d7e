package io.jenkins.plugins.tao.backend.slurm.networks;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The files that networks read below the root of a data set, and where their specs name them. */
public final class DatasetFiles {
    /** What a root can be given for. */
    static final List<String> ROLES = List.of("train", "eval", "inference", "calibration");

    private static final List<Row> ROWS = OwnFile.text(DatasetFiles.class, "dataset-files.tsv")
            .lines()
            .filter(line -> !line.startsWith("#") && !line.isBlank())
            .map(Row::parse)
            .toList();

    private DatasetFiles() {}

    private record Row(String network, String action, String role, SpecPointer key, String path) {
        static Row parse(String line) {
            String[] columns = line.split("\t", -1);
            return new Row(
                    columns[0],
                    columns[1],
                    columns[2],
                    SpecPointer.parse(columns[3]).orElseThrow(),
                    columns[4]);
        }

        String below(String root) {
            return path.equals(".") ? root : root + "/" + path;
        }
    }

    /**
     * Reads {@code train=/lustre/coco/train2017} and the like.
     *
     * @return root by role
     */
    public static Map<String, String> roots(List<String> datasets) {
        Map<String, String> roots = new LinkedHashMap<>();
        for (String dataset : datasets) {
            String[] roleAndRoot = dataset.split("=", 2);
            require(
                    roleAndRoot.length == 2 && ROLES.contains(roleAndRoot[0]),
                    "datasets must be ROLE=ROOT with one of the roles %s, was '%s'",
                    String.join(", ", ROLES),
                    dataset);
            String root = SlurmPaths.rewrite(roleAndRoot[1]).replaceAll("(?<=.)/+$", "");
            require(roots.put(roleAndRoot[0], root) == null, "datasets names '%s' twice", roleAndRoot[0]);
        }
        return roots;
    }

    /**
     * The spec with the paths that the network of {@code command} reads below {@code roots}; what the spec names itself
     * stays.
     *
     * @param found gets each path that was derived
     * @throws IllegalArgumentException if the network's files are not known
     */
    public static Map<String, Object> fill(
            String command, Map<String, Object> spec, Map<String, String> roots, List<String> found) {
        Map<String, Object> filled = spec;
        if (roots.isEmpty()) {
            return filled;
        }
        List<Row> rows = rowsOf(command, roots);
        for (Row row : rows) {
            String root = roots.get(row.role());
            if (root != null) {
                filled = row.key().filled(filled, row.below(root));
                found.addAll(row.key().texts(filled));
            }
        }
        return filled;
    }

    private static List<Row> rowsOf(String command, Map<String, String> roots) {
        List<String> words = new ArrayList<>(List.of(command.strip().split("\\s+", -1)));
        String network = words.get(0).replaceFirst(".*/", "");
        String action = words.stream()
                .skip(1)
                .filter(word -> !word.startsWith("-"))
                .findFirst()
                .orElse("");
        List<Row> rows = ROWS.stream()
                .filter(row -> row.network().equals(network) && row.action().equals(action))
                .toList();
        require(
                !rows.isEmpty(),
                "which files '%s %s' reads below a root is not known (known: %s); name their keys or paths as inputs",
                network,
                action,
                ROWS.stream()
                        .map(row -> row.network() + " " + row.action())
                        .collect(Collectors.toCollection(TreeSet::new)));
        roots.keySet()
                .forEach(role -> require(
                        rows.stream().anyMatch(row -> row.role().equals(role)),
                        "'%s %s' reads no %s data set",
                        network,
                        action,
                        role));
        return rows;
    }
}
