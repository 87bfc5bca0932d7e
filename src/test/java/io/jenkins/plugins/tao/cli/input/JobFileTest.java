package io.jenkins.plugins.tao.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.cli.Bench;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.JobFile;
import io.jenkins.plugins.tao.file.SecretRef;
import io.jenkins.plugins.tao.job.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobFileTest {
    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void setUp() {
        bench = new Bench(directory);
    }

    private JobFile read(String yaml) throws UsageException {
        return new FileBinder(bench.surroundings()).bind(YamlText.parse("job.yaml", yaml), JobFile.class, Map.of());
    }

    private void refuses(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(UsageException.class).hasMessage(message);
    }

    @Test
    void everyKeyIsRead() throws UsageException {
        JobFile job = read("""
            target: dgx
            name: bert
            image: nvcr.io/nvidia/tao/tao-toolkit:6.0.0-pyt
            command: dino train -e {config_path}
            nodes: 2
            gpus: 8
            cpus: 16
            time: 1-12:00:00
            env: {A: 1, B: "", C: null}
            secrets: {NGC_KEY: env:NGC, HF: file:~/hf}
            inputs: [/lustre/data, /lustre/model.pth]
            resultsDir: /lustre/out
            options: {queue: q}
            archive: train/*.pth
            """);

        assertThat(job.target()).contains("dgx");
        assertThat(job.nodes()).hasValue(2);
        assertThat(job.gpus()).hasValue(8);
        assertThat(job.cpus()).hasValue(16);
        assertThat(job.time()).contains(Duration.ofHours(36));
        assertThat(job.env()).containsExactly(Map.entry("A", "1"), Map.entry("B", ""), Map.entry("C", ""));
        assertThat(job.secrets()).containsEntry("HF", new SecretRef("file", "~/hf"));
        assertThat(job.inputs()).containsExactly("/lustre/data", "/lustre/model.pth");
        assertThat(job.archive()).containsExactly("train/*.pth");
    }

    @Test
    void aPatternOutsideTheResultsIsRefusedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> read("command: x\narchive: ../model.pth\n"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'../model.pth' must lie below the results directory");
    }

    @Test
    void wordsOfAnExperimentSpecKeepTheirTypes() throws UsageException {
        JobFile job = read("""
            command: x
            spec:
              train: {num_epochs: 10, lr: 1e-4, resume: yes, name: "12", on: true, gpu_ids: [0, 1]}
            """);

        assertThat(job.spec())
                .isEqualTo(Map.of(
                        "train",
                        Map.of(
                                "num_epochs",
                                10,
                                "lr",
                                1e-4,
                                "resume",
                                "yes",
                                "name",
                                "12",
                                "on",
                                true,
                                "gpu_ids",
                                List.of(0, 1))));
    }

    @Test
    void anUnknownKeyIsRefusedWithItsPlaceTheNearestKeyAndAllKeys() {
        refuses(
                "command: x\ngpu: 8\n",
                "job.yaml:2:1: unknown key 'gpu'. Did you mean 'gpus'? Known keys: after, archive, args, code, command, cpus, endEarly, env, gates, gpus,"
                        + " image, inputs, keepCheckpoints, name, nodes, options, outputs, post, pre, resultsDir, resume, retryBudget, secrets, set, spec, specFile, specFormat, startWithin, target, targetOrder, targets, time.");
    }

    @Test
    void whatIsWrongIsToldWithItsPlace() {
        refuses("nodes: 1\n", "job.yaml:1:1: 'command' is missing.");
        refuses("command:\n", "job.yaml:1:1: 'command' is missing.");
        refuses("command: x\nnodes: two\n", "job.yaml:2:8: 'nodes': expected a whole number, found 'two'.");
        refuses("command: x\nnodes: [1, 2]\n", "job.yaml:2:8: 'nodes' must be a single value, found a list.");
        refuses(
                "command: x\ntime: soon\n",
                "job.yaml:2:7: 'time': expected a length of time such as 1d12h, 4h, 90m, 30s, 1-12:00:00, or a number of minutes, found"
                        + " 'soon'.");
        refuses("command: x\nenv: A\n", "job.yaml:2:6: 'env' must hold keys and values, found a single value.");
        refuses(
                "command: x\ncommand: y\n",
                "job.yaml:2:1: the key 'command' stands at job.yaml:1:1 already; keep one.");
        refuses("- command: x\n", "job.yaml:1:1: expected keys with values, as in 'KEY: VALUE', found a list.");
    }

    @Test
    void textThatIsNotYamlIsToldWithItsPlace() {
        assertThatThrownBy(() -> read("command: [x\nnodes: 1"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("job.yaml:2:6: this is not YAML: ");
    }

    @Test
    @Promise("GE-03")
    void aSecretWrittenInlineIsRefusedWithoutBeingRepeated() {
        assertThatThrownBy(() -> read("command: x\nsecrets: {KEY: hunter2}\n"))
                .hasMessageStartingWith("job.yaml:2:16: 'KEY': a secret is never written here itself")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> read("command: x\nsecrets: hunter2\n")).hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> read("command: x\nsecrets: [hunter2]\n")).hasMessageNotContaining("hunter2");
    }

    @Test
    void anchorsAreFollowedAndCyclesRefused() throws UsageException {
        assertThat(read("command: &c echo\nname: *c\n").name()).contains("echo");
        assertThatThrownBy(() -> read("command: x\nspec: &s {again: *s}\n")).hasMessageContaining("levels deep");
    }

    @Test
    @Promise("GE-14")
    void aDottedKeyOfTheSpecIsRefusedWithTheNestedFormToWrite() {
        bench.write("job.yaml", "target: fake\ncommand: x\nspec: {train.num_epochs: 10}\n");

        assertThat(bench.tao("preview", "job.yaml")).isEqualTo(2);

        assertThat(bench.err()).contains("job.yaml:3:7: spec key 'train.num_epochs' has a dot; nest it instead");
    }

    @ParameterizedTest
    @CsvSource({
        "4h, PT4H",
        "90m, PT1H30M",
        "1-12:00:00, PT36H",
        "90, PT1H30M",
        "1d12h, PT36H",
        "3.8h, PT3H48M",
        "04:00:00, PT4H",
        "30s, PT30S"
    })
    void lengthsOfTimeAreReadAsPeopleWriteThem(String text, Duration expected) {
        assertThat(Durations.parse(text)).contains(expected);
    }

    @ParameterizedTest
    @CsvSource({"4:00", "h", "''", "-1h", "4x", "1.5", "h4"})
    void whatCouldMeanTwoThingsIsNoLengthOfTime(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0s", "PT3M12S, 3m12s", "PT2H11M40S, 2h11m", "PT49H, 2d1h", "PT1H, 1h", "PT24H5M, 1d"})
    void lengthsOfTimeAreShownByTheirTwoLargestUnits(Duration time, String expected) {
        assertThat(Durations.words(time)).isEqualTo(expected);
    }
}
