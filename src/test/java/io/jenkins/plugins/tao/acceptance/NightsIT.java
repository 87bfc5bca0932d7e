package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.history.Verdicts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nights of the nightly example, played by the simulator with faults planted in some, in a Jenkins and in a terminal. {@code -Dtao.nights=30} plays
 * more than twelve. Leaves the table of verdicts in {@code target/nights.md}.
 */
@NeedsJenkins(plugins = "git")
class NightsIT {
    private static final int NIGHTS = Integer.getInteger("tao.nights", 12);
    private static final Path EXAMPLES = Path.of("docs/examples");
    /** What a gate of one of several trainings begins with. */
    private static final Pattern TRAINING = Pattern.compile("^nightly-\\w+: ");

    private static final Pattern RESULT = Pattern.compile("\"result\":\"(\\w+)\",\"inProgress\":false");

    @TempDir
    private Path home;

    @TempDir
    private Path there;

    private JenkinsProcess process;
    private JenkinsClient jenkins;

    @BeforeEach
    void start() throws IOException {
        process = JenkinsProcess.in(home);
        jenkins = process.start();
        jenkins.targets("new io.jenkins.plugins.tao.jenkins.config.SimulatedTargetConfiguration('sim', '"
                + home.resolve("sim") + "')");
        jenkins.groovy("hudson.plugins.git.GitSCM.ALLOW_LOCAL_CHECKOUT = true");
    }

    @AfterEach
    void stop() {
        process.close();
    }

    @Test
    @Promise({"NV-34", "NV-35"})
    void eachNightHasTheSameVerdictInJenkinsAndInATerminalAndOnlyWhatWasPlantedIsBad() throws Exception {
        createJob();
        Map<Integer, String> results = new TreeMap<>();
        for (PlantedNight night : PlantedNight.first(NIGHTS)) {
            results.put(night.number(), played(night));
            inATerminal(night);
        }

        Map<String, String> inJenkins = verdicts(home.resolve("jobs/nightly/tao"));
        Map<String, String> inATerminal = verdicts(there.resolve("tao-artifacts"));
        write(results, inJenkins);

        assertThat(inATerminal).containsAllEntriesOf(inJenkins);
        assertThat(inJenkins).hasSameSizeAs(inATerminal);
        for (PlantedNight night : PlantedNight.first(NIGHTS)) {
            assertThat(results.get(night.number())).as(night.toString()).isIn(expected(night));
        }
    }

    /** The step is more than twelve standard deviations, so its first night is a regression. A drift is found at some time. */
    private static List<String> expected(PlantedNight night) {
        return switch (night.planted()) {
            case "slow-down" -> List.of("UNSTABLE");
            case "NaN", "no GPUs", "step" -> List.of("FAILURE");
            case "slow drift" -> List.of("SUCCESS", "FAILURE");
            default -> List.of("SUCCESS");
        };
    }

    /** A Pipeline from a repository, with the parameters that its own first build would give it, and without its clock. */
    private void createJob() throws Exception {
        Path repository = Files.createDirectories(there.resolve("repository"));
        Path examples = Files.createDirectories(repository.resolve(EXAMPLES));
        Files.writeString(
                examples.resolve("nightly.Jenkinsfile"),
                Files.readString(EXAMPLES.resolve("nightly.Jenkinsfile"))
                        .replace("cron('H 22 * * *')", "")); // no night comes of itself
        Path code = Files.createDirectories(examples.resolve("nightly"));
        Files.copy(EXAMPLES.resolve("nightly/train.py"), code.resolve("train.py"));
        run(repository, Map.of(), "git", "init", "-q", "-b", "main");
        run(repository, Map.of(), "git", "add", ".");
        run(repository, Map.of(), "git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "a");
        jenkins.groovy("""
                import org.jenkinsci.plugins.workflow.job.WorkflowJob
                def job = jenkins.model.Jenkins.get().createProject(WorkflowJob, 'nightly')
                def scm = new hudson.plugins.git.GitSCM([new hudson.plugins.git.UserRemoteConfig('REPOSITORY', null, null, null)],
                    [new hudson.plugins.git.BranchSpec('*/main')], null, null, [])
                job.definition = new org.jenkinsci.plugins.workflow.cps.CpsScmFlowDefinition(scm, 'docs/examples/nightly.Jenkinsfile')
                job.addProperty(new hudson.model.ParametersDefinitionProperty(['TARGET', 'WRONG_LABELS', 'PAUSE', 'FAILURE', 'BLESS'].collect {
                    new hudson.model.StringParameterDefinition(it, '') } + [new hudson.model.BooleanParameterDefinition('SIMULATED', false, '')]))
                """.replace("REPOSITORY", repository.toUri().toString()));
    }

    /** Plays a night in Jenkins, and returns the result of its build. */
    private String played(PlantedNight night) throws IOException {
        jenkins.post(
                "job/nightly/buildWithParameters?delay=0sec", "application/x-www-form-urlencoded", night.parameters());
        String path = "job/nightly/" + night.number() + "/api/json?tree=inProgress,result";
        await("for the end of " + night)
                .atMost(Build.PATIENCE)
                .until(() -> RESULT.matcher(jenkins.find(path)).find());
        Matcher result = RESULT.matcher(jenkins.find(path));
        assertThat(result.find()).isTrue();
        return result.group(1);
    }

    /** Plays the same three jobs with the same gates by ./tao, all at once. */
    private void inATerminal(PlantedNight night) throws Exception {
        String example = Files.readString(EXAMPLES.resolve("nightly.yaml"))
                .replace("code: docs/examples/nightly\n", "")
                .replaceAll("(?m)^target: .*", "target: sim");
        Path targets = Files.writeString(
                there.resolve("targets.yaml"),
                "targets: {sim: {backend: simulated, baseDirectory: " + there.resolve("sim") + "}}\n");
        List<Process> runs = new ArrayList<>();
        for (String model : PlantedNight.MODELS) {
            Path file = Files.writeString(
                    there.resolve(model + ".yaml"),
                    example.replaceAll("(?m)^name: .*", "name: nightly-" + model)
                                    .replace("val_acc_1", String.valueOf(PlantedNight.KPIS.get(model)))
                            + night.options(model));
            runs.add(started(
                    there,
                    Map.of("TAO_NIGHT", "#" + night.number()),
                    Path.of("tao").toAbsolutePath().toString(),
                    "run",
                    file.toString(),
                    "--targets=" + targets,
                    "--id=" + String.format("nightly-%s-%012x", model, night.number()),
                    "--set=model.name=" + model,
                    "--set=train.seed=" + night.number(),
                    "--interval=1s"));
        }
        for (Process run : runs) {
            assertThat(run.waitFor(5, TimeUnit.MINUTES)).isTrue();
        }
    }

    private static Process started(Path directory, Map<String, String> variables, String... command)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("commands.log").toFile()));
        builder.environment().putAll(variables);
        return builder.start();
    }

    private static void run(Path directory, Map<String, String> variables, String... command) throws Exception {
        assertThat(started(directory, variables, command).waitFor()).isZero();
    }

    /** By night, model and gate what was answered. Gates of the other two models, which the job file has too, do not count. */
    private static Map<String, String> verdicts(Path folder) throws IOException {
        Map<String, String> answers = new TreeMap<>();
        for (PastVerdict verdict : new Verdicts(folder).read()) {
            String model = verdict.runs().get(0).split("-", 3)[1];
            String kpi = TRAINING.matcher(verdict.gate()).replaceFirst("").split(" ", 2)[0];
            if (kpi.equals(PlantedNight.KPIS.get(model)) || kpi.equals("epochTime")) {
                answers.put(
                        key(Integer.parseInt(verdict.night().substring(1)), model, kpi),
                        verdict.call().words());
            }
        }
        return answers;
    }

    private static String key(int night, String model, String kpi) {
        return String.format("%02d %s %s", night, model, kpi);
    }

    private static void write(Map<Integer, String> results, Map<String, String> verdicts) throws IOException {
        Map<String, String> columns = new LinkedHashMap<>();
        PlantedNight.MODELS.forEach(model -> columns.put(model, PlantedNight.KPIS.getOrDefault(model, "")));
        StringBuilder table = new StringBuilder("| night | planted | build | ");
        columns.forEach((model, kpi) -> table.append(kpi).append(" | "));
        table.append("epochTime |\n|---|---|---|---|---|---|---|\n");
        for (PlantedNight night : PlantedNight.first(results.size())) {
            table.append("| ").append(night.number()).append(" | ").append(night.planted());
            table.append(" | ").append(results.get(night.number()));
            columns.forEach((model, kpi) ->
                    table.append(" | ").append(verdicts.getOrDefault(key(night.number(), model, kpi), "–")));
            List<String> times = PlantedNight.MODELS.stream()
                    .map(model -> verdicts.getOrDefault(key(night.number(), model, "epochTime"), "–"))
                    .distinct()
                    .toList();
            table.append(" | ").append(String.join(", ", times)).append(" |\n");
        }
        Files.writeString(Path.of("target/nights.md"), table);
    }
}
