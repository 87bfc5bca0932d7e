package io.jenkins.plugins.tao.backend.notebook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a session finds below its input directory.
 *
 * @param datasets by {@code owner/name}, mounted below {@code datasets}, as Kaggle does of late
 * @param outputs of other notebooks, by their names
 */
record SimulatedMounts(Map<String, Path> datasets, Map<String, Path> outputs) {
    void mount(Path input) throws IOException {
        for (Map.Entry<String, Path> dataset : datasets.entrySet()) {
            Path there = input.resolve("datasets").resolve(dataset.getKey());
            Files.createDirectories(there.getParent());
            Files.createSymbolicLink(there, dataset.getValue());
        }
        for (Map.Entry<String, Path> output : outputs.entrySet()) {
            copy(output.getValue(), input.resolve(output.getKey()));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
