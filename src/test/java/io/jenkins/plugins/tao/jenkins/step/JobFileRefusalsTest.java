package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job file in Jenkins must have, and what it cannot have. */
class JobFileRefusalsTest extends JobFileBench {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gpu: 8                                | nightly.yaml:7:1: unknown key 'gpu'. Did you mean 'gpus'?
            nodes: two                            | nightly.yaml:7:8: 'nodes': expected a whole number, found 'two'.
            name: x                               | nightly.yaml:7:1: the key 'name' stands at nightly.yaml:2:1 already
            best: max acc                         | nightly.yaml:7:7: 'best' belongs to a sweep
            gates: [{kpi: acc, atleast: 1}]       | nightly.yaml:7:20: unknown key 'atleast'. Did you mean 'atLeast'?
            options: {queue: x}                   | nightly.yaml:7:11: unknown key 'queue'.
            options: 7                            | nightly.yaml:7:10: 'options' must hold keys and values
            archive: ../x                         | nightly.yaml:7:10: '../x' must lie below the results directory
            specFile: spec.yaml                   | the job has a spec and a specFile
            secrets: {HF: env:HF}                 | nightly.yaml:7:10: 'secrets': the secret 'HF' is found in a terminal alone. In Jenkins name a credential
            after: nightly-1                      | nightly.yaml:7:8: 'after': 'nightly-1' is known in a terminal alone. In Jenkins name the job by its token
            code: {git: g, commit: c, credential: env:X} | nightly.yaml:7:7: 'code': its credential is found in a terminal alone. In Jenkins give the commit in the step
            code: ../other                        | code is a path below the workspace
            targets: [a, b]                       | the job has a 'target' and 'targets'
            endEarly: soon                        | endEarly of a job must be
            matrix: {train.seed: 1..2000}         | a sweep has at most 1000 cells
            matrix: {train.sed: 1..2}             | did you mean 'train.seed'?
            """)
    @Promise("JK-13")
    void whatCannotBeIsRefusedInOneLineAndNothingIsSent(String line, String why) throws Exception {
        file(line + "\n");

        Throwable failure = run(step()).failure();

        assertThat(failure).isInstanceOf(hudson.AbortException.class).hasMessageContaining(why);
        assertThat(failure.getMessage()).doesNotContain("\n");
        assertThat(runs()).isZero();
        assertThat(directory.resolve("base")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "other.yaml, there is no file 'other.yaml' in the workspace",
        "../nightly.yaml, file is a path below the workspace",
        "/etc/passwd, file is a path below the workspace",
        "sub, the file 'sub' cannot be read"
    })
    void aFileThatIsNotInTheWorkspaceIsRefused(String name, String why) throws Exception {
        Files.createDirectories(workspace.resolve("sub"));
        file("");
        RunStep step = step();
        step.setFile(name);

        assertThat(run(step).failure())
                .isInstanceOf(hudson.AbortException.class)
                .hasMessageContaining(why);
        StepProbe outside = new StepProbe(build);
        outside.start(step());
        assertThat(outside.failure()).hasMessageContaining("put the step into node { … }");
    }

    @Test
    void aFileWithoutATargetTakesThatOfTheStepAndElseNamesWhatIsMissing() throws Exception {
        file("");
        Path path = workspace.resolve("nightly.yaml");
        Files.writeString(path, Files.readString(path).replace("target: here\n", ""));

        assertThat(run(step()).failure()).hasMessageContaining("the job names no target. Add 'target: NAME' here");
        RunStep here = new RunStep("here", null);
        here.setFile("nightly.yaml");
        assertThat(((TaoResult) run(here).answer()).isSuccess()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nightly", "hello", "fallback"})
    void theExamplesOfATerminalAreReadWhole(String name) throws Exception {
        RunStep step = new RunStep("here", null);
        step.setFile(name + ".yaml");
        String text = Files.readString(Path.of("docs/examples").resolve(step.getFile()));

        FiledJob job = FiledJob.read(step, text, new BuildScope(build, build.listener()));

        assertThat(job.step().getCommand()).isNotEmpty();
        assertThat(job.step().getFile()).isEmpty();
        assertThat(job.gates()).hasSize(text.contains("gates:") ? 2 : 0);
    }

    @Test
    void taoRetryRefusesAFile() {
        RetryStep retry = new RetryStep("token");
        retry.setFile("nightly.yaml");

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> new StepProbe(build).start(retry))
                .hasMessageContaining("run a file with taoRun");
    }
}
