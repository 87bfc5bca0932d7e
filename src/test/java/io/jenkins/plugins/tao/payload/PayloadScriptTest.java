package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PayloadScriptTest {
    private static final String SHELLS = "io.jenkins.plugins.tao.payload.Container#shells";

    @TempDir
    Path folder;

    private Payload payload(JobSpec.Builder spec) {
        return Payload.of(spec.build(), KEY).resultsRoot(folder + "/mnt");
    }

    private Container.Log run(String shell, JobSpec.Builder spec) throws Exception {
        return Container.of(shell).run(payload(spec).script(), folder);
    }

    /** The same; the command may wait until the file {@code log} of its directory holds what it has printed. */
    private Container.Log runLogged(String shell, JobSpec.Builder spec) throws Exception {
        return Container.of(shell)
                .logged(folder.resolve("log"))
                .run(payload(spec).script(), folder);
    }

    private Path results() {
        return folder.resolve("mnt").resolve(KEY.value());
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void theCommandsOutputComesOutAsItWentIn(String shell) throws Exception {
        Container.Log log = run(shell, JobSpec.of("printf 'one\\n\\ntwo'; echo '@tao[other] exit 9'; printf end"));

        assertThat(log.output()).isEqualTo("one\n\ntwo@tao[other] exit 9\nend");
        assertThat(log.told()).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void theExitCodeOfTheCommandIsToldAndKept(String shell) throws Exception {
        Container.Log log = run(shell, JobSpec.of("exit 42"));

        assertThat(log.exitCode()).isEqualTo(42);
        assertThat(log.told()).hasValue(42);
    }

    /** What bash 5.2 does now and then: it loses the process between two looks of its own, and knows it again when asked again. */
    @Test
    void anExitCodeThatTheShellLostForAMomentIsAskedForAgain() throws Exception {
        String loses = "wait() { command wait \"$1\"; tao_real=$?; [ -n \"$tao_lost\" ] || { tao_lost=1; return 127; };"
                + " return \"$tao_real\"; }\n";

        Container.Log log =
                Container.of("bash").run(loses + payload(JobSpec.of("exit 42")).script(), folder);

        assertThat(log.exitCode()).isEqualTo(42);
        assertThat(log.told()).hasValue(42);
    }

    /** Process numbers come again: on a busy machine after seconds. */
    @ParameterizedTest
    @MethodSource(SHELLS)
    void anotherProcessWithTheNumberOfTheCommandDoesNotKeepTheJobFromEnding(String shell) throws Exception {
        String lives = "kill() { [ \"$1${tao_rest+ in the relay}\" = '-0 in the relay' ] || command kill \"$@\"; }\n";

        Container.Log log = Container.of(shell)
                .run(
                        lives
                                + payload(JobSpec.of("echo '{\"epoch\":1}' > {results_dir}/status.json; exit 42"))
                                        .script(),
                        folder);

        assertThat(log.status()).containsExactly("{\"epoch\":1}");
        assertThat(log.told()).hasValue(42);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void aCommandMayUseEverySignal(String shell) throws Exception {
        Container.Log log = run(shell, JobSpec.of("trap 'echo checkpoint' USR1; kill -s USR1 $$; echo done"));

        assertThat(log.output()).isEqualTo("checkpoint\ndone\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("GE-11")
    void theJobKnowsItsIdAndWhereItsResultsGo(String shell) throws Exception {
        Container.Log log = run(
                shell,
                JobSpec.of(
                                "echo $TAO_JOB_ID $TAO_RESULTS_DIR $TAO_RESULTS_ROOT $TAO_API_RESULTS_DIR; ls -d {results_dir};"
                                        + " echo {job_id} {num_gpus} \"$ODD\"")
                        .env(Map.of("ODD", "it's $HOME \"q\"\n$(echo no)", "TAO_JOB_ID", "liar"))
                        .resources(new Resources(1, OptionalInt.of(4), OptionalInt.empty(), Optional.empty())));

        assertThat(log.output())
                .isEqualTo(KEY + " " + results() + " " + folder + "/mnt " + folder + "/mnt\n" + results() + "\n" + KEY
                        + " 4 it's $HOME \"q\"\n$(echo no)\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void theSpecIsWrittenAsNestedYamlWithItsResultsDirectory(String shell) throws Exception {
        Container.Log log = run(
                shell,
                JobSpec.of("cat {config_path}")
                        .spec(Map.of("train", Map.of("lr", 1e-5, "layers", List.of(1, Map.of("yes", "it's\n"))))));

        assertThat(log.output()).contains("results_dir: \"" + results() + "\"\n");
        assertThat(log.output()).contains("  lr: 1.0E-5\n");
        assertThat(log.output()).contains("  layers:\n  - 1\n  - \"yes\": \"it's\\n\"\n");
        assertThat(log.exitCode()).isZero();
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void eachNodeHasASpecOfItsOwnThatItsLauncherMayRewrite(String shell) throws Exception {
        JobSpec.Builder spec = JobSpec.of("echo mine >> {config_path}; tail -n 1 {config_path}; echo {config_path}")
                .spec(Map.of("lr", 1))
                .resources(new Resources(2, OptionalInt.of(1), OptionalInt.empty(), Optional.empty()));

        String script = payload(spec).script();
        String first =
                Container.of(shell).env("NODE_RANK", "0").run(script, folder).output();
        String second =
                Container.of(shell).env("NODE_RANK", "1").run(script, folder).output();

        assertThat(List.of(first, second))
                .containsExactly(
                        "mine\n" + results() + "/tao-spec.nodes/0.yaml\n",
                        "mine\n" + results() + "/tao-spec.nodes/1.yaml\n");
        assertThat(results().resolve("tao-spec.yaml")).content().doesNotContain("mine");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void theCommandReadsNothingFromStandardInput(String shell) throws Exception {
        assertThat(run(shell, JobSpec.of("cat; echo done")).output()).isEqualTo("done\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void statusLinesComeThroughTheLogAndNotAsOutput(String shell) throws Exception {
        Container.Log log = runLogged(
                shell,
                JobSpec.of(
                        "mkdir -p {results_dir}/train; printf 'working... ';"
                                + " echo '{\"status\":\"STARTED\", \"message\": \"a \\\\ b\"}' > {results_dir}/train/status.json;"
                                + " until grep -q STARTED log; do sleep 0.1; done; printf '{\"status\":\"SUCCESS\"}' >> {results_dir}/train/status.json; echo done"));

        assertThat(log.output()).isEqualTo("working... done\n");
        assertThat(log.status())
                .containsExactly("{\"status\":\"STARTED\", \"message\": \"a \\\\ b\"}", "{\"status\":\"SUCCESS\"}");
        assertThat(log.raw()).contains("\n@tao[" + KEY + "] exit 0\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void linesOfAnEarlierAttemptAreNotToldAgain(String shell) throws Exception {
        Files.createDirectories(results());
        Files.writeString(results().resolve("status.json"), "{\"status\":\"FAILURE\"}\n");

        Container.Log log = run(shell, JobSpec.of("echo '{\"status\":\"STARTED\"}' >> {results_dir}/status.json"));

        assertThat(log.status()).containsExactly("{\"status\":\"STARTED\"}");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void aReplacedFileIsToldFromItsStart(String shell) throws Exception {
        Files.createDirectories(results());
        Files.writeString(results().resolve("status.json"), "{\"status\":\"FAILURE\"}\n");

        Container.Log log = run(
                shell,
                JobSpec.of("cd {results_dir}; echo '{\"status\":\"STARTED\",\"n\":\"longer than before\"}' > new;"
                        + " mv new status.json"));

        assertThat(log.status()).containsExactly("{\"status\":\"STARTED\",\"n\":\"longer than before\"}");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void ofSeveralFilesTheNewestWinsAndTheOneBeforeIsToldToItsEnd(String shell) throws Exception {
        Container.Log log = runLogged(
                shell,
                JobSpec.of(
                        "log=$PWD/log; cd {results_dir}; mkdir train evaluate 'odd name'; echo 1 > train/status.json;"
                                + " until grep -q 'status 1$' \"$log\"; do sleep 0.1; done; echo 2 >> train/status.json;"
                                + " echo 3 > 'odd name/status.json'; touch -t 203801010000 'odd name/status.json'"));

        assertThat(log.status()).containsExactly("1", "2", "3");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void aLineTooLongToTellIsLeftOut(String shell) throws Exception {
        Container.Log log = run(
                shell,
                JobSpec.of("cd {results_dir}; { echo first; head -c 600000 /dev/zero | tr '\\0' x; echo; echo last; }"
                        + " > status.json"));

        assertThat(log.status()).first().isEqualTo("first");
        assertThat(log.status()).last().isEqualTo("last");
        assertThat(log.raw().length()).isLessThan(200_000);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void onlyTheFirstRankTellsStatus(String shell) throws Exception {
        String script = payload(JobSpec.of("echo '{}' > {results_dir}/status.json; exit 3"))
                .script();

        Container.Log log = Container.of(shell).env("NODE_RANK", "1").run(script, folder);

        assertThat(log.status()).isEmpty();
        assertThat(log.told()).hasValue(3);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void theProloguesVariablesReachTheCommand(String shell) throws Exception {
        Payload payload = payload(JobSpec.of("echo $NODE_RANK $ADDR")).prologue("ADDR=a-0.b\nexport NODE_RANK=2 ADDR");

        assertThat(Container.of(shell).run(payload.script(), folder).output()).isEqualTo("2 a-0.b\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void aFailedPrologueStillTellsAnExitCode(String shell) throws Exception {
        Payload payload = payload(JobSpec.of("echo never")).prologue(": \"${NOT_THERE:?not in a Lepton job}\"");

        Container.Log log = Container.of(shell).run(payload.script(), folder);

        assertThat(log.told()).hasValue(log.exitCode());
        assertThat(log.exitCode()).isNotZero();
        assertThat(log.output()).contains("not in a Lepton job").doesNotContain("never");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void aTermReachesTheWholeProcessGroupAndItsExitCodeIsKept(String shell) throws Exception {
        JobSpec.Builder spec = JobSpec.of("trap 'echo heard; exit 7' TERM; (trap 'echo child; exit' TERM;"
                + " echo ready > ready; sleep 60 & wait) & wait; echo not reached");
        Process process = Container.of(shell).start(payload(spec).script(), folder);
        await().until(() -> Files.exists(folder.resolve("ready")));

        process.toHandle().destroy();
        Container.Log log = Container.finish(process);

        assertThat(log.output()).contains("heard").contains("child").doesNotContain("not reached");
        assertThat(log.told()).hasValue(7);
        assertThat(log.exitCode()).isEqualTo(7);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("TR-80")
    void aTrainingBehindALauncherThatHandsNothingOnSavesItsCheckpoint(String shell) throws Exception {
        JobSpec.Builder spec = JobSpec.of("(trap 'sleep 2; echo saved; exit 0' TERM; echo ready > ready;"
                + " while :; do sleep 0.1; done) & trap 'exit 143' TERM; wait");
        Process process = Container.of(shell).start(payload(spec).script(), folder);
        await().until(() -> Files.exists(folder.resolve("ready")));

        process.toHandle().destroy();
        Container.Log log = Container.finish(process);

        assertThat(log.output()).contains("saved");
        assertThat(log.told()).hasValue(143);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("TR-80")
    void anInterruptedCommandThatEndsWithZeroIsNoSuccess(String shell) throws Exception {
        JobSpec.Builder spec = JobSpec.of("trap 'exit 0' TERM; echo ready > ready; while :; do sleep 0.1; done");
        Process process = Container.of(shell).start(payload(spec).script(), folder);
        await().until(() -> Files.exists(folder.resolve("ready")));

        process.toHandle().destroy();

        assertThat(Container.finish(process).told()).hasValue(143);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void aResultsDirectoryThatCannotBeMadeIsNamed(String shell) throws Exception {
        Files.writeString(folder.resolve("mnt"), "a file");

        Container.Log log = run(shell, JobSpec.of("echo never"));

        assertThat(log.output()).contains("the results directory " + results() + " cannot be made");
        assertThat(log.told()).hasValue(73);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("GE-13")
    void resultsThatAreLostAreToldLoudly(String shell) throws Exception {
        JobSpec.Builder spec = JobSpec.of("exit 5").resultsDirectory(folder + "/inside");
        Payload lost = Payload.of(spec.build(), KEY);
        Payload kept = lost.mounts(List.of(folder + "/"));

        assertThat(Container.of(shell).run(lost.script(), folder).output())
                .contains("WARNING: the results in " + folder);
        assertThat(Container.of(shell).run(kept.script(), folder).output()).isEmpty();
    }

    @Test
    void neitherTheScriptNorAnyPieceOfItHoldsTheWholeMark() throws Exception {
        assertThat(payload(JobSpec.of("true")).script()).doesNotContain("@tao[" + KEY);
    }

    @Test
    void aConfigPathWithoutASpecIsRefused() {
        assertThatThrownBy(() -> payload(JobSpec.of("train {config_path}")).script())
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("{config_path}");
    }

    @Test
    void moreTextThanAnArgumentCarriesIsRefused() {
        assertThatThrownBy(() -> payload(JobSpec.of("x".repeat(140_000))).script())
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("131071");
    }

    @Test
    @Promise("GE-10")
    void theContainerNeedsNoMoreThanAShell() throws Exception {
        Path applets = Files.createDirectory(folder.resolve("bin"));
        new ProcessBuilder("busybox", "--install", "-s", applets.toString())
                .start()
                .waitFor();
        JobSpec.Builder spec = JobSpec.of("command -v bash python3 python || echo bare; cat {config_path};"
                        + " mkdir -p {results_dir}/train; echo '{\"status\":\"SUCCESS\"}' >{results_dir}/train/status.json;"
                        + " exit 7")
                .spec(Map.of("train", Map.of("lr", 0.5)));

        Container.Log log = Container.of("busybox sh")
                .env("PATH", applets.toString())
                .run(payload(spec).script(), folder);

        assertThat(log.output()).startsWith("bare\n").contains("lr: 0.5", "results_dir: \"" + results() + "\"");
        assertThat(log.status()).containsExactly("{\"status\":\"SUCCESS\"}");
        assertThat(log.told()).hasValue(7);
        assertThat(log.raw()).doesNotContain("not found");
        try (Stream<Path> links = Files.list(applets)) {
            for (Path link : links.toList()) {
                Files.delete(link);
            }
        }
    }
}
