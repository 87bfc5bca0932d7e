package io.jenkins.plugins.tao.backend.kubernetes;

import io.jenkins.plugins.tao.backend.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A small cluster for tests of whoever sends jobs: its pods really run, and see a volume in a folder of this machine. */
public final class PlayedCluster implements AutoCloseable {
    private final SimulatedCluster cluster;
    private final Path folder;

    /** A cluster with one node, and its volume in {@code folder}. */
    public PlayedCluster(Path folder) throws IOException {
        cluster = new SimulatedCluster("36", folder.resolve("bin"))
                .node("gpu-1", 8, Map.of())
                .claim("tao-jobs", "data", "ReadWriteMany");
        this.folder = folder;
    }

    /** The target {@code k8s}. */
    public Target target() {
        return Sample.target(cluster)
                .with("volumes", List.of("data:" + folder + "/pvc"))
                .build();
    }

    /** How many Jobs there are. */
    public int jobs() {
        return cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace("tao-jobs")
                .list()
                .getItems()
                .size();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
