package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.simulated.SimulatedType;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Job files and options that are wrong: exit code 2 and one sentence or two, never a fault of tao itself. */
class WrongFilesTest {
    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void setUp() {
        bench = new Bench(directory);
        bench.write("spec.yaml", "target: fake\ncommand: exit 0\nspec: {train: {num_epochs: 1, gpu_ids: [0]}}\n");
    }

    private void refuses(String words, String... arguments) {
        int code = bench.tao(arguments);

        assertThat(bench.err()).as(bench.out()).startsWith("tao: ").contains(words);
        assertThat(bench.err()).doesNotContain("fault of tao", "\tat ", "java.", "Exception");
        assertThat(bench.err().lines()).hasSizeLessThan(4);
        assertThat(code).isEqualTo(2);
    }

    static Stream<Arguments> files() {
        return Stream.of(
                arguments("", "job.yaml:1:1: expected keys with values, as in 'KEY: VALUE', found nothing"),
                arguments("# nothing\n", "found nothing"),
                arguments("just words\n", "found a single value"),
                arguments("command: x\n\tgpus: 1\n", "job.yaml:2:1: this is not YAML"),
                arguments("command: x\n---\ncommand: y\n", "Keep one document: '---' begins another."),
                arguments("command: \u0000x\n", "this is not YAML"),
                arguments("command: 'x\n", "this is not YAML"),
                arguments("command: *nowhere\n", "undefined alias"),
                arguments("command: @x\n", "this is not YAML"),
                arguments("? [a, b]\n: c\n", "a key must be a single word"),
                arguments("<<: 3\ncommand: x\n", "this is not YAML"),
                arguments("a: &a {<<: *a}\n", "from itself"),
                arguments("command: [a, b]\n", "'command' must be a single value, found a list"),
                arguments("command: {a: b}\n", "'command' must be a single value, found a mapping"),
                arguments("command:\n", "'command' is missing"),
                arguments("Command: x\n", "unknown key 'Command'. Did you mean 'command'?"),
                arguments("command: x\ngpu: 1\n", "Did you mean 'gpus'?"),
                arguments("command: x\ngpus: 1.5\n", "'gpus': expected a whole number, found '1.5'"),
                arguments("command: x\ngpus: -1\n", "gpus"),
                arguments("command: x\ngpus: 0x10\n", "expected a whole number, found '0x10'"),
                arguments("command: x\ngpus: 99999999999\n", "expected a whole number, found '99999999999'"),
                arguments("command: x\ngpus: yes\n", "expected a whole number, found 'yes'"),
                arguments("command: x\ngpus: [1]\n", "'gpus' must be a single value, found a list"),
                arguments("command: x\ntime: -4h\n", "expected a length of time"),
                arguments("command: x\ntime: 4:00\n", "expected a length of time"),
                arguments("command: x\ntime: 2024-01-01\n", "expected a length of time"),
                arguments("command: x\ntime: 99999999999h\n", "expected a length of time"),
                arguments("command: x\nenv: [A=1]\n", "'env' must hold keys and values, found a list"),
                arguments("command: x\nenv: {A: [1]}\n", "'A' must be a single value, found a list"),
                arguments("command: x\nenv: {1A: x}\n", "1A"),
                arguments("command: x\ninputs: {a: b}\n", "inputs"),
                arguments("command: x\noptions: fast\n", "options"),
                arguments("command: x\nspec: 3\n", "spec"),
                arguments("command: x\nset: {train.: 1}\n", "write the keys with dots"),
                arguments("command: x\nsecrets: {A: hunter2}\n", "never written here itself"));
    }

    static Stream<Arguments> placed() {
        return Stream.of(
                arguments("command: echo a: b\n", "1:16: this is not YAML: mapping values are not allowed here. Put a"),
                arguments("command: 'echo it's\n", "Put a text with quotes in it below 'KEY: |'."),
                arguments("command: x\nendEarly: soon\n", "job.yaml:2:11: endEarly of a job must be as in"),
                arguments("command: x\nretryBudget: lots\n", "job.yaml:2:14: retryBudget must be"),
                arguments("command: x\nkeepCheckpoints: lst 2\n", "job.yaml:2:18: keepCheckpoints is like"),
                arguments("command: x\nnodes: 0\n", "job.yaml:2:8: nodes must be at least 1, was 0"),
                arguments(
                        "command: x\ngates: [{kpi: a, atleast: 1}]\n",
                        "job.yaml:2:18: unknown key 'atleast'. Did you mean 'atLeast'?"),
                arguments("command: x\ngates: [{kpi: a, effect: fail}]\n", "job.yaml:2:26: effect must be"),
                arguments("command: x\ngates: [{kpi: a, effect: fail}]\n", "was 'fail'"),
                arguments("command: x\nmaxParalel: 2\n", "Did you mean 'maxParallel'?"));
    }

    @ParameterizedTest
    @MethodSource({"files", "placed"})
    void aWrongFileIsRefusedWithItsPlaceAndWhatIsWrong(String text, String words) {
        bench.write("job.yaml", text.contains(":") ? text + "target: fake\n" : text);

        refuses(words, "preview", "job.yaml");
    }

    /** Values that are refused by what reads them later, each with its own line and column. */
    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            archive: [train/*.pth, ../model.pth]~3:24~must lie below
            archive: ../model.pth~3:10~must lie below
            retryBudget: much~3:14~retryBudget
            endEarly: 'NaN of'~3:11~endEarly
            resume: perhaps~3:9~resume must be
            keepCheckpoints: last none~3:18~keepCheckpoints
            outputs: [/results/a, model.pth]~3:23~must begin with an absolute path
            resultsDir: out/nightly~3:13~must be an absolute path
            inputs: [/data, data/coco]~3:17~must be an absolute path
            name: coco ;inputs: [/data, coco]~4:17~must be an absolute path
            name: out ;resultsDir: out~4:13~must be an absolute path
            nodes: 0~3:8~nodes must be at least 1
            env: {A: x, 1A: y}~3:17~1A
            args: {epochs: 3} ;spec: {train: {num_epochs: 1}}~3:7~'args'
            targets: [fake, other]~1:9~'targets'
            gates: [{kpi: val_acc, atLeast: much}]~3:33~much
            """)
    void whatIsRefusedLateHasItsOwnPlace(String line, String place, String words) {
        bench.write("job.yaml", "target: fake\ncommand: x\n" + line.replace(" ;", "\n") + "\n");

        refuses("job.yaml:" + place + ": ", "preview", "job.yaml");
        assertThat(bench.err()).contains(words);
    }

    /** Prices, budgets and limits beside the targets; a list has the place of its first entry. */
    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            prices: [{perGpuHour: 1, currency: EUR}, {perGpuHour: dear, currency: EUR}]~2:55~found 'dear'
            prices: [{target: fake, perGpuHour: 1}]~2:10~'currency' is missing
            prices: [{perGpuHour: -1, currency: EUR}]~2:10~must be a number that is not negative, was -1.0
            prices: [{taget: fake, perGpuHour: 1, currency: EUR}]~2:11~Did you mean 'target'?
            prices: [{perGpuHour: 1, currency: EUR}, {perGpuHour: 2, currency: EUR}]~2:9~there are two prices
            budgets: [{gpuHours: 1}, {gpuHours: 1, money: 2}]~2:26~a budget needs either gpuHours or money
            budgets: [{gpuHours: 1}, {gpuHours: many}]~2:37~'gpuHours': expected a number, found 'many'
            budgets: [{gpuHours: 1, warnAt: 2}]~2:33~warnAt must be a share between 0 and 1, was 2.0
            budgets: [{gpuHours: 1, above: refus}]~2:32~Did you mean 'refuse'?
            limits: [{target: fake, jobs: 1}, {target: dgx, jobs: few}]~2:55~'jobs': expected a whole number
            limits: [{target: fake, jobs: 0}]~2:19~must be at least 1
            limits: [{target: fake, refused: wat}]~2:34~Did you mean 'wait'?
            limits: [{jobs: 1}]~2:10~'target' is missing
            limits: [{target: fake, jobs: 1}, {target: fake, gpus: 2}]~2:9~keep one
            budgets: [{folder: a, gpuHours: 1}] ;limits: [{target: fake, folder: a, jobs: 1}]~3:33~for Jenkins
            """)
    void aWrongPriceBudgetOrLimitIsRefusedWithItsPlace(String line, String place, String words) {
        bench.write("targets.yaml", "targets: {fake: {backend: fake}}\n" + line.replace(" ;", "\n") + "\n");

        refuses("targets.yaml:" + place + ": ", "preview", "spec.yaml", "--targets", "targets.yaml");
        assertThat(bench.err()).contains(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "--set~train.num_epochs~--set takes a name and a value",
                "--set~=5~--set takes a name and a value",
                "--set~train..lr=1~write the keys with dots",
                "--set~.=1~write the keys with dots",
                "--set~train.num_epoch=1~did you mean 'train.num_epochs'",
                "--set~train.num_epochs.deep=1~holds a single value",
                "--set~train.gpu_ids.first=1~holds a list",
                "--set~train.num_epochs=[1~Put a text into quotes: --set train.num_epochs='\"…\"'",
                "--set~train.num_epochs=*~Put a text into quotes",
                "--set~train.num_epochs=@x~Put a text into quotes",
                "--set~train.num_epochs={a~Put a text into quotes",
                "--set~train.num_epochs=a: b: c~Put a text into quotes",
                "--env~A~--env takes a name and a value",
                "--env~=x~--env takes a name and a value",
                "--nodes~two~'nodes': expected a whole number, found 'two'",
                "--gpus~-1~gpus",
                "--gpus~99999999999~expected a whole number",
                "--time~soon~expected a length of time",
                "--target~nowhere~nowhere",
            })
    void aWrongOptionIsRefusedByItsName(String option, String value, String words) {
        refuses(words, "preview", "spec.yaml", option, value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "rnu spec.yaml|'tao' has no command 'rnu'. Did you mean 'run'? 'tao --help'",
                "run|Missing required parameter: 'JOB_FILE'. 'tao run --help'",
                "run spec.yaml more.yaml|'tao run' has no use for 'more.yaml'",
                "run spec.yaml -t|Missing required parameter for option '--target'",
                "run spec.yaml --targest x|'tao run' has no option '--targest'. Did you mean '--target'?",
                "run spec.yaml --give-up-after soon|'soon' must be a length of time such as 1d12h, 4h, 90m, 30s",
                "logs --stream screen|--stream has no value 'screen'. Known values: out, err, status, machine.",
                "history --format jsn|--format has no value 'jsn'. Did you mean 'json'? Known values: text, csv,",
                "history --last many|'many' must be a whole number, 0 or more",
                "history --last -3|'-3' must be a whole number, 0 or more",
                "run spec.yaml --retries -1|'-1' must be a whole number, 0 or more",
                "spec.yaml run|'tao' has no command 'spec.yaml'. 'tao --help'",
                "box port fake 70000|a port is a number from 1 to 65535, was 70000",
                "help rnu|'tao' has no command 'rnu'. Did you mean 'run'?",
                "box care dgx|'tao box' has no command 'care'",
                "nodes frob|'tao nodes' has no command 'frob'",
                "bless spec|Missing required option: '--why=TEXT'",
            })
    void aWrongCommandIsRefusedInOneSentence(String line, String words) {
        refuses(words, line.split(" ", -1));
        assertThat(bench.err()).hasLineCount(1);
    }

    @Test
    void aSpecThatTheCommandDoesNotReadIsWarnedOf() {
        bench.write(
                "slip.yaml", "target: fake\ncommand: exit 0 {confg_path} ${HOME}\nspec: {train: {num_epochs: 1}}\n");
        bench.write("named.yaml", "target: fake\ncommand: exit 0 {config_path}\nspec: {train: {num_epochs: 1}}\n");

        assertThat(bench.tao("preflight", "slip.yaml")).isZero();
        assertThat(bench.out())
                .contains("the command does not name {config_path}, so no value of the spec is used")
                .doesNotContain("{HOME}");
        assertThat(bench.tao("preflight", "named.yaml")).isZero();
        assertThat(bench.out()).doesNotContain("does not name {config_path}");
        assertThat(bench.tao("run", "spec.yaml")).isZero();
        assertThat(bench.out()).contains("does not name {config_path}");
    }

    @Test
    void theSeedOfAConfirmingRunIsLookedForBeforeTheJobIsSent() {
        bench.write(
                "seed.yaml",
                "target: fake\ncommand: x\nspec: {train: {seed: 1}}\ngates: [{kpi: mAP, confirm: train.sed}]\n");

        refuses("confirm: the spec has no 'train.sed'; did you mean 'train.seed'?", "preview", "seed.yaml");
    }

    @Test
    void theOnlyKeyThatBeginsAsAWrongOneIsSuggested() {
        bench.write("start.yaml", "target: fake\ncommand: x\nstart: 4h\n");

        refuses("Did you mean 'startWithin'?", "preview", "start.yaml");
    }

    @Test
    void aFileOrFolderThatIsNotThereIsNamedWithWhatIsWrong() {
        refuses(
                "rules.txt cannot be read: no such file or directory.",
                "run",
                "spec.yaml",
                "--failure-rules",
                "rules.txt");

        bench.write("taken", "a file");
        assertThat(bench.tao("run", "spec.yaml", "--archive-dir", "taken/below", "--id", "x-1"))
                .isEqualTo(3);
        assertThat(bench.out() + bench.err())
                .contains("this machine cannot write there: ")
                .doesNotContain("Exception");
    }

    @Test
    void aCommandThatSaysNothingIsAnsweredWithTheHelp() {
        assertThat(bench.tao()).isEqualTo(2);
        assertThat(bench.err()).contains("Usage: tao", "run  ");
    }

    @Test
    void whatIsNoFileOfTextIsRefused() throws IOException {
        Files.createDirectories(directory.resolve("folder"));
        Files.write(directory.resolve("latin.yaml"), "command: caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        Files.write(directory.resolve("wide.yaml"), "command: x\n".getBytes(StandardCharsets.UTF_16));

        refuses("There is no job file", "preview", "missing.yaml");
        refuses("cannot be read", "preview", "folder");
        refuses("cannot be read", "preview", "spec.yaml/below");
        refuses("it is not UTF-8 text", "preview", "latin.yaml");
        refuses("it is not UTF-8 text", "preview", "wide.yaml");
    }

    /** As on a full disk, or with the permissions of another user. */
    @ParameterizedTest
    @CsvSource({
        "'', run spec.yaml",
        "'', submit spec.yaml",
        "'', list",
        "'', history spec",
        "'', status gone",
        "'', cost",
        "'', nodes",
        "'', sweep spec.yaml",
        "turns, run spec.yaml",
        "ledger, run spec.yaml",
        "ledger, cost",
        "nodes, run spec.yaml",
        "nodes, nodes",
        "x-1.watch/inside, run spec.yaml --id x-1",
        "x-1.watch/inside, submit spec.yaml --id x-1",
        "x-1.json/inside, run spec.yaml --id x-1",
        "x-1.json/inside, status x-1",
        "x-1.placing/inside, run spec.yaml --id x-1",
        "metrics.tsv/inside, run spec.yaml --id x-1",
        "sweeps, sweep spec.yaml"
    })
    void aStateThatCannotBeKeptIsSaidWithoutAStackTrace(String part, String command) {
        Path state = bench.surroundings().stateDirectory().resolve(part);
        bench.write(directory.relativize(state).toString(), "a file in its place");

        bench.tao(command.split(" ", -1));

        assertThat(bench.err()).doesNotContain("fault of tao", "\tat ", "Exception:");
    }

    @Test
    void aByteOrderMarkAndCarriageReturnsAreNoFault() {
        bench.write("job.yaml", "\ufefftarget: fake\r\ncommand: exit 0\r\nenv:\r\n  A: 1\r\n");

        assertThat(bench.tao("preview", "job.yaml")).as(bench.err()).isZero();
    }

    @Test
    void keysThatComeFromAnotherMappingStandAsIfWrittenThere() {
        bench.write("job.yaml", """
                target: fake
                command: exit 0
                spec:
                  base: &base {lr: 0.1, epochs: 10}
                  train: {<<: *base, lr: 0.2}
                env: {<<: {A: 1, B: 2}, A: 3}
                """);

        assertThat(bench.tao("run", "job.yaml")).as(bench.err()).isZero();
        assertThat(bench.backend().submitted().get(0).env())
                .containsEntry("A", "3")
                .containsEntry("B", "2")
                .doesNotContainKey("<<");
        assertThat(bench.backend().submitted().get(0).spec()).asString().doesNotContain("<<");
    }

    @Test
    void whyAFileCannotBeReadIsSaidWhereJavaSaysItsNameAlone() {
        List<FileSystemException> kinds =
                List.of(new AccessDeniedException("a"), new FileSystemException("a", null, "Is a directory"));
        List<String> said = new ArrayList<>();
        kinds.forEach(kind -> said.add(
                new UsageException("The file a cannot be read: " + kind.getMessage() + ".", kind).getMessage()));

        assertThat(said)
                .containsExactly(
                        "The file a cannot be read: a. This user may not access it.",
                        "The file a cannot be read: a: Is a directory.");
    }

    @Test
    void aMisspelledTargetIsAnsweredWithTheOneThatIsAlwaysThere() {
        Bench simulated = new Bench(directory, BackendTypes.of(new SimulatedType()));
        simulated.write("far.yaml", "target: simulatd\ncommand: x\n");

        assertThat(simulated.tao("preflight", "far.yaml")).isEqualTo(2);

        assertThat(simulated.err()).contains("There is no target 'simulatd'", "Did you mean 'simulated'?");
    }
}
