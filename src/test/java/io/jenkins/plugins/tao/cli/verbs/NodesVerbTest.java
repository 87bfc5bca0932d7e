package io.jenkins.plugins.tao.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.simulated.SimulatedType;
import io.jenkins.plugins.tao.cli.Bench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs in a terminal on a place whose nodes fail. */
class NodesVerbTest {
    private static final Pattern NODE = Pattern.compile("dino train on (\\S+), attempt 1");

    @TempDir
    private Path directory;

    private Bench bench;

    @BeforeEach
    void place() {
        bench = new Bench(directory, BackendTypes.of(new SimulatedType()));
        targets("12h");
        job("lost.yaml", "  failure: node_lost\n  failAttempts: 9\n");
        job("good.yaml", "");
    }

    private void targets(String time) {
        bench.write(
                "tao-targets.yaml",
                "targets: {sim: {backend: simulated, baseDirectory: " + directory + "/sim, speed: 100000, nodes: 2,"
                        + " avoidFailedNodesFor: " + time + "}}");
    }

    private void job(String file, String failure) {
        bench.write(
                file,
                "target: sim\ncommand: dino train\nspec: {train: {num_epochs: 2}}\noptions:\n  seed: 7\n" + failure);
    }

    private String ranOn() {
        Matcher node = NODE.matcher(bench.out());
        assertThat(node.find()).as(bench.out()).isTrue();
        return node.group(1);
    }

    private int run(String file, String id) {
        return bench.tao("run", file, "--id", id, "--interval", "1s", "--retries", "0");
    }

    @Test
    @Promise("NV-30")
    void aLaterRunAvoidsTheNodeThatFailedAndSaysWhichAndWhy() throws Exception {
        assertThat(run("lost.yaml", "one")).isEqualTo(1);
        String failed = Files.readString(directory.resolve("home/.local/state/tao-run/nodes/sim.json"))
                .replaceAll("(?s).*\"node\" : \"([^\"]*)\".*", "$1");

        for (String id : List.of("two", "three", "four", "five")) {
            assertThat(run("good.yaml", id)).isZero();
            assertThat(bench.out())
                    .containsPattern("avoids " + failed + " until \\S+: it failed at \\S+ under one: NODE_FAILURE, ");
            assertThat(ranOn()).isNotEqualTo(failed);
        }
    }

    @Test
    @Promise("NV-30")
    void theListShowsANodeAndAnAllowedOneIsUsedAgain() {
        run("lost.yaml", "one");

        assertThat(bench.tao("nodes")).isZero();
        Matcher line = Pattern.compile("sim: (\\S+) until \\S+: it failed at \\S+ under one: NODE_FAILURE")
                .matcher(bench.out());
        assertThat(line.find()).as(bench.out()).isTrue();
        assertThat(bench.tao("nodes", "allow", "gpu99")).isEqualTo(2);
        assertThat(bench.err()).contains("No node 'gpu99' is avoided; 'tao nodes' lists those that are.");
        assertThat(bench.tao("nodes", "allow", line.group(1), "--target", "sim"))
                .isZero();

        bench.tao("nodes");
        assertThat(bench.out()).contains("No node is avoided.");
        assertThat(run("good.yaml", "two")).isZero();
        assertThat(bench.out()).doesNotContain("avoids ");
    }

    @Test
    @Promise("NV-30")
    void aTargetThatDoesNotAskForItKeepsAndAvoidsNothing() {
        targets("0");

        run("lost.yaml", "one");

        bench.tao("nodes");
        assertThat(bench.out()).contains("No node is avoided.");
    }
}
