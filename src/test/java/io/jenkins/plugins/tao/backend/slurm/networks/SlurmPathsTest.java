package io.jenkins.plugins.tao.backend.slurm.networks;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.spec.SpecTree;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SlurmPathsTest {
    private static final List<String> ROOTS = List.of("/lustre", "/home/ada/tao");

    @ParameterizedTest
    @Promise({"SL-27", "SL-28"})
    @CsvSource({
        "slurm://None/lustre/a, /lustre/a",
        "slurm:///lustre/a, /lustre/a",
        "slurm://lustre/a, /lustre/a",
        "lustre:///lustre/a, /lustre/a",
        "lustre://lustre/a, /lustre/a",
        "/lustre/a, /lustre/a",
        "s3://b/k, s3://b/k",
        "slurm://Nonesuch/a, /Nonesuch/a",
        "see slurm://x, see slurm://x"
    })
    void addressesOfTheClusterBecomePaths(String given, String path) {
        assertThat(SlurmPaths.rewrite(given)).isEqualTo(path);
    }

    @Test
    @Promise("SL-28")
    void addressesAreRewrittenInNestedMapsAndLists() {
        Map<String, Object> spec =
                Map.of("a", List.of("slurm://None/x", Map.of("b", "lustre:///y")), "n", 3, "t", "plain");

        assertThat(SpecTree.rewritten(spec, SlurmPaths::rewrite))
                .isEqualTo(Map.of("a", List.of("/x", Map.of("b", "/y")), "n", 3, "t", "plain"));
    }

    @ParameterizedTest
    @Promise({"SL-02", "SL-29", "SL-81"})
    @ValueSource(
            strings = {
                "file:///data",
                "local:///data",
                "/local/path",
                "/lustrex/a",
                "data/x",
                "ftp://x/y",
                "https://x/y"
            })
    void whatTheNodesCannotSeeIsRefused(String input) {
        assertThat(SlurmPaths.problemOfInput(input, ROOTS)).hasValueSatisfying(problem -> {
            assertThat(problem.fatal()).isTrue();
            assertThat(problem.what()).contains(input);
            assertThat(problem.remedy()).containsAnyOf("lustre://", "Use lustre");
        });
    }

    @ParameterizedTest
    @Promise("SL-36")
    @ValueSource(strings = {"s3://bucket/train", "aws://bucket/train"})
    void trainingDataOnS3IsWarnedOf(String input) {
        assertThat(SlurmPaths.problemOfInput(input, ROOTS))
                .hasValueSatisfying(problem -> assertThat(problem.fatal()).isFalse());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/lustre/a", "lustre:///lustre/a", "/home/ada/tao/x", "/lustre", "hf_model://o/r", "ngc://o/m:1"
            })
    void whatTheNodesSeeOrFetchPasses(String input) {
        assertThat(SlurmPaths.problemOfInput(input, ROOTS)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/tmp/x, true",
        "/tmp, true",
        "/local/ssd/x, true",
        "/localscratch, true",
        "/lustre/tmp, false",
        "/tmpfoo, false"
    })
    void placesThatAreEmptiedAreKnown(String path, boolean local) {
        assertThat(SlurmPaths.isNodeLocal(path)).isEqualTo(local);
    }
}
