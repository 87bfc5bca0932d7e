package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.FakeType.FakeOptions;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void setUp() {
        bench = new Bench(directory);
        bench.write("good.yaml", "target: fake\nname: good\ncommand: exit 0\n");
        bench.write("bad.yaml", "target: fake\ncommand: exit 7\n");
        bench.write("long.yaml", "target: fake\ncommand: stay\n");
    }

    @Test
    void aJobThatSucceedsExitsWith0AndLeavesItsFiles() {
        int code = bench.tao("run", "good.yaml", "--id", "good-1", "--interval", "1s");

        assertThat(code).isEqualTo(0);
        assertThat(bench.out())
                .contains("✔ fake answers: yes", "[tao] fake/1 submitted as good-1, results in /results/good-1")
                .contains("hello from exit 0", "[tao] good-1 succeeded, exit code 0", "[tao] 1 file in ");
        assertThat(directory.resolve("tao-artifacts/good-1/logs/main.out")).hasContent("hello from exit 0");
    }

    @Test
    @Promise("GE-18")
    void theLastHundredLinesAreShownAndNoMore() {
        bench.write("chatty.yaml", "target: fake\ncommand: exit 7\nenv: {CHATTER: '150'}\n");

        bench.tao("run", "chatty.yaml", "--no-log", "--id", "chatty");

        List<String> shown = bench.out()
                .lines()
                .filter(line -> line.contains("] line ") || line.contains("] hello from"))
                .toList();
        assertThat(shown).hasSize(100);
        assertThat(shown.get(0)).endsWith("line 52");
        assertThat(shown.get(99)).endsWith("hello from exit 7");
        assertThat(bench.out()).contains("**Next step**: look at its log");
    }

    @Test
    @Promise("GE-06")
    void theImageThatWillBeUsedIsShownAndCanBeReplaced() {
        bench.write("image.yaml", "target: fake\nimage: nvcr.io/tao:1\ncommand: exit 0\n");

        bench.tao("run", "image.yaml");
        assertThat(bench.out()).contains("nvcr.io/tao:1");

        bench.tao("run", "image.yaml", "--image", "nvcr.io/tao:2");
        assertThat(bench.out()).contains("nvcr.io/tao:2");
        assertThat(bench.backend().submitted())
                .extracting(spec -> spec.image().orElse(""))
                .containsExactly("nvcr.io/tao:1", "nvcr.io/tao:2");
    }

    @Test
    @Promise("GE-18")
    void aJobThatFailsExitsWith1AndShowsItsLastLinesAndADiagnosis() {
        int code = bench.tao("run", "bad.yaml", "--no-log", "--id", "bad-1");

        assertThat(code).isEqualTo(1);
        assertThat(bench.out())
                .contains("[tao] bad-1 failed, exit code 7")
                .contains("the last lines of its log:", "hello from exit 7")
                .contains("the command ended by itself", "**Next step**: look at its log");
    }

    @Test
    void aRefusalExitsWith2AndNothingIsSubmitted() {
        bench.backend()
                .willReport(new Report(List.of(Report.Check.failed("input is there", "no /data", "Stage it first."))));

        assertThat(bench.tao("run", "good.yaml")).isEqualTo(2);

        assertThat(bench.out()).contains("✖ input is there: no /data\n    Stage it first.");
        assertThat(bench.err()).isEqualTo("tao: Nothing was sent to 'fake', because checks failed: input is there.\n");
        assertThat(bench.backend().submitted()).isEmpty();
        assertThat(bench.tao("preflight", "good.yaml")).isEqualTo(2);
    }

    @Test
    void preflightAsksEachTargetAndReadsEachCellOfASweep() {
        bench.write("tao-targets.yaml", "targets: {fake: {backend: fake}, other: {backend: fake}}");
        bench.write("several.yaml", "targets: [fake, other]\ncommand: exit 0\n");
        bench.write("sweep.yaml", "target: fake\ncommand: exit 0\nmatrix: {env.SEED: 1..3}\n");

        assertThat(bench.tao("preflight", "several.yaml")).isZero();
        assertThat(bench.out()).contains("fake:\n", "other:\n");
        assertThat(bench.tao("preflight", "several.yaml", "--json")).isZero();
        assertThat(bench.out().lines()).hasSize(2).last().asString().contains("\"target\":\"other\"");
        assertThat(bench.tao("preflight", "sweep.yaml")).isZero();
        assertThat(bench.out()).contains("fake, the first of 3 cells:");
    }

    @Test
    void aTargetThatDoesNotAnswerExitsWith3() {
        bench.backend().willFail(new BackendException.Unreachable("No answer from fake.", "Wait."));

        assertThat(bench.tao("preflight", "good.yaml")).isEqualTo(3);

        assertThat(bench.err()).isEqualTo("tao: No answer from fake.\n     Wait.\n");
    }

    @Test
    void aDeniedCredentialExitsWith2() {
        bench.backend().willFail(new BackendException.Denied("The key is not accepted.", "Install it."));

        assertThat(bench.tao("run", "good.yaml")).isEqualTo(2);
    }

    @Test
    void aCancelledJobExitsWith4() {
        assertThat(bench.tao("submit", "long.yaml", "--id", "long-1")).isEqualTo(0);

        assertThat(bench.tao("cancel", "long-1")).isEqualTo(0);

        assertThat(bench.backend().cancelled()).hasSize(1);
        assertThat(bench.tao("wait", "long-1")).isEqualTo(4);
    }

    @Test
    @Promise("GE-04")
    void aJobWithoutTargetIsRefusedWithTheTargetsThereAre() {
        bench.write("nowhere.yaml", "command: x\n");

        assertThat(bench.tao("run", "nowhere.yaml")).isEqualTo(2);

        assertThat(bench.err())
                .contains("nowhere.yaml:1:1: the job names no target.")
                .contains("Known targets: fake, local.");
    }

    @Test
    void submitPrintsTheTokenAloneOnStandardOutput() {
        assertThat(bench.tao("submit", "good.yaml")).isEqualTo(0);

        assertThat(bench.out()).matches("tao1:fake:fake:1\\?key=good-\\S+\n");
        assertThat(bench.err()).contains("✔ fake answers");
        bench.tao("submit", "good.yaml", "--quiet");
        assertThat(bench.err()).isEmpty();
    }

    @Test
    void theSameIdIsNeverStartedTwice() {
        bench.tao("submit", "good.yaml", "--id", "same");
        String first = bench.out();

        bench.tao("submit", "good.yaml", "--id", "same");

        assertThat(bench.out()).isEqualTo(first);
        assertThat(bench.backend().submitted()).hasSize(1);
    }

    @Test
    @Promise("GE-19")
    void aLaterProcessTakesAJobUpByIdTokenOrAsTheLastOne() {
        bench.tao("submit", "good.yaml", "--id", "later");
        String token = bench.out().strip();

        assertThat(bench.tao("wait")).isEqualTo(0);
        assertThat(bench.out()).contains("[tao] later succeeded");
        assertThat(bench.tao("wait", "later")).isEqualTo(0);
        assertThat(bench.out()).contains("later ended before: succeeded");
        assertThat(bench.tao("status", token)).isEqualTo(0);
        assertThat(bench.out()).contains("fake/1 (later) COMPLETED, exit code 0");
        assertThat(bench.tao("logs", "later")).isEqualTo(0);
        assertThat(bench.out()).isEqualTo("hello from exit 0\n");
        assertThat(bench.tao("list")).isEqualTo(0);
        assertThat(bench.out()).containsPattern("later +fake/1 +succeeded");
    }

    @Test
    @Promise("GE-22")
    void aRunLeavesAFolderThatTellsAllThatHappened() throws IOException {
        bench.tao("run", "bad.yaml", "--id", "bad-1");
        Path folder = directory.resolve("tao-artifacts/bad-1");

        assertThat(folder.resolve("job.json")).content().contains("\"command\" : \"exit 7\"", "\"token\" : \"tao1:");
        assertThat(Files.readAllLines(folder.resolve("events.jsonl")))
                .anyMatch(line -> line.startsWith("{\"event\":\"submitted\""))
                .anyMatch(line -> line.startsWith("{\"event\":\"state\""))
                .anyMatch(line -> line.startsWith("{\"event\":\"ended\",\"outcome\":\"failed\""))
                .last()
                .asString()
                .startsWith("{\"event\":\"diagnosis\"");
        assertThat(folder.resolve("state.json")).content().contains("\"outcome\" : \"failed\"");
        assertThat(folder.resolve("failure.json")).content().contains("the command ended by itself");
        assertThat(folder.resolve("logs/main.out")).hasContent("hello from exit 7");
        assertThat(folder.resolve(".incomplete")).doesNotExist();
    }

    @Test
    @Promise("GE-23")
    void aRunIsTakenUpAgainFromItsFolderEvenOnAnotherMachine() throws IOException {
        bench.tao("run", "good.yaml", "--id", "good-1");
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("good-1."))
                    .toList()) {
                Files.delete(file);
            }
        }

        assertThat(bench.tao("wait", "tao-artifacts/good-1")).isEqualTo(0);
        assertThat(bench.out()).contains("[tao] good-1 succeeded");
        assertThat(bench.tao("status", directory.resolve("tao-artifacts/good-1").toString()))
                .isEqualTo(0);
        assertThat(bench.out()).contains("fake/1 (good-1) COMPLETED");
    }

    @Test
    void anUnknownJobIsToldWithTheNearestKnownOne() {
        bench.tao("submit", "good.yaml", "--id", "good-1");

        assertThat(bench.tao("status", "goood-1")).isEqualTo(2);

        assertThat(bench.err()).contains("No job 'goood-1' is known here. Did you mean 'good-1'?");
    }

    @Test
    void leavingByInterruptDetachesAndSaysHowToComeBack() {
        bench.interrupts.strike();

        int code = bench.tao("run", "long.yaml", "--id", "left", "--on-interrupt", "detach");

        assertThat(code).isEqualTo(130);
        assertThat(bench.err()).containsAnyOf("tao wait left", "--id left");
        assertThat(bench.backend().cancelled()).isEmpty();
    }

    @Test
    void anInterruptMayCancelAndTheEndIsAwaited() {
        bench.tao("submit", "long.yaml", "--id", "stopped");
        bench.interrupts.strike();

        assertThat(bench.tao("wait", "stopped", "--on-interrupt", "cancel")).isEqualTo(4);

        assertThat(bench.out()).contains("[tao] stopped cancelled: by Ctrl-C");
    }

    @Test
    @Promise({"GE-02", "GE-03"})
    void aSecretIsReadWhenNeededAndIsNowhereOnDiskOrInPrint() throws IOException {
        bench.write("secret.yaml", "target: fake\ncommand: exit 0\nsecrets: {NGC_KEY: env:NGC}\n");
        assertThat(bench.tao("run", "secret.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("The environment variable NGC is not set; secret NGC_KEY needs it.");
        bench.env.put("NGC", "nvapi-hidden");

        assertThat(bench.tao("run", "secret.yaml")).isEqualTo(0);

        assertThat(bench.backend().submitted().get(0).secrets()).containsEntry("NGC_KEY", Secret.of("nvapi-hidden"));
        assertThat(bench.out() + bench.err()).doesNotContain("nvapi-hidden");
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.filter(Files::isRegularFile)).isNotEmpty().allSatisfy(file -> {
                assertThat(file).content().doesNotContain("nvapi-hidden");
            });
        }
    }

    @Test
    void recordsAreReadableByTheirOwnerAlone() throws IOException {
        bench.tao("run", "good.yaml", "--id", "mine");

        Path state = directory.resolve("home/.local/state/tao-run");
        for (String file : List.of("mine.json", "mine.watch")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.resolve(file))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void previewReadsNoSecretAndShowsTheText() {
        bench.write("secret.yaml", "target: fake\ncommand: train\nsecrets: {NGC_KEY: env:NGC}\n");

        assertThat(bench.tao("preview", "secret.yaml")).isEqualTo(0);

        assertThat(bench.out()).isEqualTo("# ==> job.sh <==\n#!/bin/sh\n# secrets: NGC_KEY\ntrain\n");
    }

    @Test
    void theImageMayBeReplacedAndIsShown() {
        bench.write("image.yaml", "target: fake\ncommand: exit 0\nimage: old:1\n");

        bench.tao("run", "image.yaml", "--image", "new:2");

        assertThat(bench.backend().submitted().get(0).image()).contains("new:2");
        assertThat(bench.out()).contains("[tao] image new:2\n");
    }

    @Test
    void optionsAreReadAsTheTargetsBackendKnowsThem() {
        bench.write("options.yaml", "target: fake\ncommand: exit 0\noptions: {queue: polar, exclusive: true}\n");
        bench.write("wrong.yaml", "target: fake\ncommand: x\noptions:\n  partition: polar\n");

        bench.tao("submit", "options.yaml");

        assertThat(bench.backend().submitted().get(0).options().orElseThrow())
                .isInstanceOfSatisfying(
                        FakeOptions.class,
                        options -> assertThat(options.queue()).contains("polar"));
        assertThat(bench.tao("submit", "wrong.yaml")).isEqualTo(2);
        assertThat(bench.err())
                .contains("wrong.yaml:4:3: unknown key 'partition'. Known keys: exclusive, labels, queue.");
    }

    @Test
    void jsonGivesOneObjectALine() {
        bench.tao("run", "good.yaml", "--json", "--id", "json-1");

        assertThat(bench.out().lines().toList())
                .allMatch(line -> line.startsWith("{\"event\":\"") && line.endsWith("\"at\":\"2026-11-21T12:00:00Z\"}"))
                .anyMatch(line -> line.startsWith("{\"event\":\"ended\",\"outcome\":\"succeeded\""));
    }

    @Test
    void wrongUsageExitsWith2() {
        assertThat(bench.tao("rum")).isEqualTo(2);
        assertThat(bench.tao()).isEqualTo(2);
        assertThat(bench.tao("run", "missing.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("There is no job file " + directory.resolve("missing.yaml"));
        assertThat(bench.tao("--help")).isEqualTo(0);
    }

    @Test
    void waitingForAnEndedJobBringsTheFilesThatAreNotHereYet() {
        bench.tao("run", "good.yaml", "--id", "good-1", "--interval", "1s", "--no-archive");
        assertThat(directory.resolve("tao-artifacts")).doesNotExist();

        assertThat(bench.tao("wait", "good-1", "--no-archive")).isEqualTo(0);
        assertThat(directory.resolve("tao-artifacts")).doesNotExist();

        assertThat(bench.tao("wait", "good-1")).isEqualTo(0);
        assertThat(bench.out()).contains("good-1 ended before: succeeded", "[tao] 1 file in ");
        assertThat(directory.resolve("tao-artifacts/good-1/logs/main.out")).hasContent("hello from exit 0");

        assertThat(bench.tao("wait", "good-1")).isEqualTo(0);
        assertThat(bench.out()).contains("ended before").doesNotContain("file in");
    }

    @Test
    void filesThatCameOnlyInPartAreBroughtAgainByTheNextWait() throws IOException {
        bench.tao("run", "good.yaml", "--id", "good-1", "--interval", "1s", "--no-archive");
        bench.backend().willFail(new BackendException.Unreachable("No answer from fake.", "Wait."));

        assertThat(bench.tao("wait", "good-1")).isEqualTo(3);
        assertThat(bench.out()).contains("not all files could be brought to ", "Try again with: tao wait good-1");

        bench.backend().willAnswer();
        assertThat(bench.tao("wait", "good-1")).isEqualTo(0);
        assertThat(directory.resolve("tao-artifacts/good-1")).isDirectoryNotContaining("glob:**/.incomplete");
        assertThat(directory.resolve("tao-artifacts/good-1/logs/main.out")).exists();
    }

    @Test
    void aSecretOfAJobFileIsReadQuotedOrNot() {
        bench.env.put("TRIAL_TOKEN", "swordfish");
        bench.write(
                "secret.yaml",
                "target: fake\ncommand: exit 0\nsecrets: {MY_TOKEN: \"env:TRIAL_TOKEN\", OTHER: env:TRIAL_TOKEN}\n");

        assertThat(bench.tao("run", "secret.yaml", "--interval", "1s")).isEqualTo(0);

        assertThat(bench.backend().submitted().get(0).secrets())
                .containsOnlyKeys("MY_TOKEN", "OTHER")
                .allSatisfy((name, secret) -> assertThat(secret.reveal()).isEqualTo("swordfish"));
        assertThat(bench.tao("preview", "secret.yaml")).isEqualTo(0);
    }
}
