package io.jenkins.plugins.tao.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.FakeType;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesType;
import io.jenkins.plugins.tao.backend.slurm.SlurmType;
import io.jenkins.plugins.tao.cli.Bench;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.sweep.CellEnd;
import io.jenkins.plugins.tao.sweep.SweepTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps that one job carries. */
class ArraySweepTest {
    private static final String JOB = """
            target: dgx
            command: dino train -e {config_path}
            spec: {train: {seed: 7, optim: {lr: 0.1}}}
            """;

    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void aBench() {
        bench = new Bench(directory, BackendTypes.of(new SlurmType(), new KubernetesType(), new FakeType("fake")));
        bench.write("key", "no key");
        bench.write("tao-targets.yaml", """
                targets:
                  dgx: {backend: slurm, hosts: [login], user: ann, key: key, baseDirectory: /lustre/ann}
                  k8s: {backend: kubernetes, server: "https://k8s:6443", token: "file:key", namespace: jobs}
                  fake: {backend: fake}
                """);
    }

    @Test
    @Promise("NS-08")
    void anArrayOfSlurmCarriesTheCellsWithItsBound() {
        bench.write(
                "sweep.yaml",
                JOB
                        + "carry: array\nmaxParallel: 2\nmatrix: {train.optim.lr: [1e-3, 1e-4], train.seed: 0..1, env.MODEL: [a]}\n");

        assertThat(bench.tao("preview", "sweep.yaml", "--id", "study"))
                .as(bench::err)
                .isZero();

        assertThat(bench.out())
                .contains("--array=0-3%2")
                .contains("case \"$SLURM_ARRAY_TASK_ID\" in")
                .contains("export MODEL=")
                .contains("|1.0E-4|g")
                .contains("lr: \"tao-axis-0-\"", "seed: \"tao-axis-1-\"")
                .contains("dino train -e ");
    }

    @Test
    @Promise("NS-08")
    void anIndexedJobOfKubernetesCarriesTheCellsWithItsBound() {
        bench.write(
                "sweep.yaml",
                JOB.replace("dgx", "k8s")
                        + "image: nvcr.io/nvidia/tao/tao-toolkit:6.26.3-pyt\n"
                        + "carry: array\nmaxParallel: 2\nmatrix: {train.optim.lr: [1e-3, 1e-4], env.MODEL: [a, b]}\n");

        assertThat(bench.tao("preview", "sweep.yaml", "--id", "study"))
                .as(bench::err)
                .isZero();

        assertThat(bench.out())
                .contains("completionMode: \"Indexed\"", "completions: 4", "parallelism: 2", "backoffLimitPerIndex: 0")
                .contains("tao-run.jenkins.io/members: \"0-3\"")
                .contains("$TAO_MEMBER")
                .contains("/results/study/{tao_member}");
    }

    @Test
    @Promise("NS-08")
    void whatDoesNotFitAnArrayIsToldBeforeAnythingIsSent() {
        refused("endEarly: NaN of loss\nmatrix: {train.seed: 0..1}\n", "'endEarly' and 'groupGates' need cells");
        bench.write("sweep.yaml", "target: dgx\ncommand: train\ncarry: array\nmatrix: {args.lr: [1, 2]}\n");
        assertThat(bench.tao("submit", "sweep.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("an axis of 'args' changes the command itself");
        refused("matrix: {train.seed: 0..1}\nmaxParallel: 0\n", "maxParallel must be at least 1");
        bench.write("sweep.yaml", JOB.replace("dgx", "fake") + "carry: array\nmatrix: {train.seed: 0..1}\n");
        assertThat(bench.tao("submit", "sweep.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("backend 'fake' has no jobs with members", "Leave out 'carry'");
        bench.write("sweep.yaml", JOB + "carry: pods\nmatrix: {train.seed: 0..1}\n");
        assertThat(bench.tao("submit", "sweep.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("carry");
    }

    private void refused(String more, String why) {
        bench.write("sweep.yaml", JOB + "carry: array\n" + more);
        assertThat(bench.tao("submit", "sweep.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains(why);
    }

    @Test
    @Promise("NS-08")
    void theMembersOfTheJobAreTheCellsOfTheTable() {
        ArrayCells cells = new ArrayCells(
                "max acc", List.of(Map.of("train.seed", "0"), Map.of("train.seed", "1"), Map.of("train.seed", "2")));
        RunRecord record = RunRecord.parse("""
                {"schema":1,"id":"study","outcome":{"word":"failed"},"members":{"count":3,"each":{
                 "0":{"outcome":"succeeded","metrics":{"acc":{"last":0.4,"count":1}}},
                 "1":{"outcome":"failed","detail":"exit code 7","metrics":{}},
                 "2":{"metrics":{"acc":{"last":0.3,"count":1}}}}}}""");

        List<CellEnd> ends = cells.ends(record);

        assertThat(ends).extracting(CellEnd::outcome).containsExactly("succeeded", "failed", "not known");
        assertThat(ends).extracting(CellEnd::job).containsExactly("study[0]", "study[1]", "study[2]");
        assertThat(SweepTable.lines(ends, cells.rule()).get(1))
                .matches("\\w{8}\\*  0 +succeeded +0.400000 +study\\[0]");
    }
}
