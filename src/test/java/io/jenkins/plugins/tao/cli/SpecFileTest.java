package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A spec from a file with values by path, and options of a command, in job files. */
class SpecFileTest {
    private static final String JOB = "target: fake\ncommand: dino train -e {config_path}\nspecFile: specs/dino.yaml\n";

    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void aBench() {
        bench = new Bench(directory);
        bench.write("specs/dino.yaml", "train: {num_epochs: 12, optim: {lr: 0.001}}\n");
    }

    @Test
    @Promise("NS-05")
    void theFileIsTheSpecAndValuesAreReplacedByTheirPaths() {
        bench.write("job.yaml", JOB + "set: {train.optim.lr: 1e-4, train.seed: 7}\n");

        assertThat(bench.tao("submit", "job.yaml", "--set", "train.num_epochs=1"))
                .isEqualTo(0);

        assertThat(bench.backend().submitted().get(0).spec())
                .isEqualTo(Map.of("train", Map.of("num_epochs", 1, "optim", Map.of("lr", 1e-4), "seed", 7)));
    }

    /** The form of NVIDIA's train_imagenet_nvdino_large.yaml. */
    @Test
    void aKeyWithNothingBehindItIsNull() {
        bench.write("specs/dino.yaml", "train:\n  num_epochs: 2\nexport:\n  checkpoint:\n");
        bench.write("job.yaml", JOB);

        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(0);

        assertThat(bench.backend().submitted().get(0).spec())
                .isEqualTo(Map.of(
                        "train", Map.of("num_epochs", 2), "export", Collections.singletonMap("checkpoint", null)));
    }

    @Test
    @Promise("NS-05")
    void aSlipIsToldBeforeAnythingIsSent() {
        bench.write("job.yaml", JOB + "set: {train.optm.lr: 1e-4}\n");

        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("the spec has no 'train.optm.lr'; did you mean 'train.optim.lr'?");

        bench.write("job.yaml", JOB);
        assertThat(bench.tao("submit", "job.yaml", "--set", "train.num_epoch=1"))
                .isEqualTo(2);
        assertThat(bench.err()).contains("did you mean 'train.num_epochs'? Write +train.num_epoch if the key is new");
        assertThat(bench.backend().submitted()).isEmpty();
    }

    @Test
    @Promise("NS-05")
    void aFileThatIsNotThereOrNoSpecIsTold() {
        bench.write("job.yaml", JOB.replace("dino.yaml", "dyno.yaml"));
        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("There is no spec file ").contains("dyno.yaml");

        bench.write("job.yaml", JOB + "spec: {train: {num_epochs: 1}}\n");
        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("the job has a 'spec' and a 'specFile'");
    }

    @Test
    @Promise("NS-06")
    void theOptionsOfACommandComeFromAMap() {
        bench.write(
                "job.yaml",
                "target: fake\ncommand: python3 train.py\nargs: {lr: 0.1, amp: true, data: '/my data', layers: [1, 2]}\n");

        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(0);

        assertThat(bench.backend().submitted().get(0).command())
                .isEqualTo("python3 train.py --lr=0.1 --amp --data='/my data' --layers 1 2");
    }

    @Test
    @Promise("NS-06")
    void aCommandReadsItsOptionsOrASpec() {
        bench.write("job.yaml", JOB + "args: {lr: 0.1}\n");

        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("has options of its command in 'args' and a spec");
    }
}
