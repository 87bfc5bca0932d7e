package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.htmlunit.html.DomElement;
import org.jenkinsci.plugins.workflow.actions.ArgumentsAction;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jenkinsci.plugins.workflow.graphanalysis.DepthFirstScanner;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

@WithJenkins
class PipelineTest {
    private static final String TRAINING =
            """
            mkdir -p "$TAO_RESULTS_DIR/train"
            echo "the first $COLOUR line"
            echo weights >"$TAO_RESULTS_DIR/train/model.pth"
            printf '{"date": "%s", "time": "%s", "status": "SUCCESS", "verbosity": "INFO", "message": "Train finished successfully.", "kpi": {"val_mAP": 0.5}}\\\\n' \
            "$(date +%-m/%-d/%Y)" "$(date +%-H:%-M:%-S)" \
            >"$TAO_RESULTS_DIR/train/status.json"
            """;

    @TempDir
    private Path directory;

    private JenkinsRule jenkins;
    private Lab lab;

    @BeforeEach
    void start(JenkinsRule rule) {
        jenkins = rule;
        lab = Lab.withTarget(rule, directory);
    }

    @Test
    void aSandboxedScriptReadsTheJobAndHowItEnded() throws Exception {
        WorkflowRun build = lab.run(
                """
                def job = taoSubmit target: 'local', name: 'first', env: [COLOUR: 'green'], command: '''%s'''
                echo "id=${job.id} native=${job.nativeId} on=${job.target} in=${job.resultsDir}"
                echo "token=${job.token}"
                def r = taoWait job: job, archive: 'train/*.pth'
                echo "status=${r.status} ok=${r.success} outcome=${r.outcome} code=${r.exitCode} mAP=${r.kpis.val_mAP} took=${r.durationMillis >= 0} from=${r.startTime}"
                echo "to=${r.endTime} attempts=${r.attempts.size()} same=${r.id == job.id}"
                """
                        .formatted(TRAINING),
                Result.SUCCESS);

        String log = JenkinsRule.getLog(build);
        assertThat(log).containsPattern("id=first-[0-9a-f]+ native=first-[0-9a-f]+\\.1 on=local in=/.*/results/first-");
        assertThat(log).containsPattern("token=tao1:local:local:first-");
        assertThat(log).contains("the first green line", "status=SUCCESS ok=true outcome=");
        assertThat(log).containsPattern("code=0 mAP=0.5 took=true from=20\\S+Z\\s")
                .containsPattern("to=20\\S+Z attempts=0 same=true");
    }

    @Test
    void logsStatusAndNamedFilesAreArchivedAndTheBuildShowsItsJob() throws Exception {
        WorkflowRun build = lab.run(
                "taoWait job: taoSubmit(target: 'local', env: [COLOUR: 'red'], command: '''" + TRAINING
                        + "'''), archive: ['train/*.pth']",
                Result.SUCCESS);

        var job = build.getAction(TaoRunAction.class).getJobs().get(0);
        var archived = build.getArtifactManager().root().list("**", null, true);
        assertThat(archived).anyMatch(path -> path.matches("tao/" + job.getId() + "/logs/.*main\\.out"));
        assertThat(archived).anyMatch(path -> path.endsWith("train/status.json"));
        assertThat(archived).anyMatch(path -> path.endsWith("train/model.pth"));
        assertThat(job.getState()).isEqualTo("SUCCESS");
        // HtmlUnit cannot read all of today's JavaScript
        var browser = jenkins.createWebClient().withJavaScriptEnabled(false);
        var page = browser.getPage(build, "tao");
        assertThat(page.getBody().getTextContent()).contains(job.getNativeId(), "SUCCESS");
        assertThat(page.<DomElement>querySelector("[text^='tao1:']").getAttribute("text")).isEqualTo(job.getToken());
        var api = jenkins.getJSON(build.getUrl() + "tao/api/json").getJSONObject();
        assertThat(api.getJSONArray("jobs").getJSONObject(0).getString("token")).isEqualTo(job.getToken());
    }

    @Test
    void declarativeStagesSubmitWaitAndCancel() throws Exception {
        WorkflowRun build = lab.run(
                """
                pipeline {
                    agent none
                    options { timeout(time: 5, unit: 'MINUTES') }
                    stages {
                        stage('Train') {
                            steps {
                                script {
                                    def job = taoSubmit(target: 'local', command: 'echo from a stage')
                                    def r = taoWait(job)
                                    taoCancel(job)
                                    echo "ended ${r.status}"
                                }
                            }
                        }
                    }
                    post { success { echo 'and after it' } }
                }
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("from a stage", "ended SUCCESS", "and after it");
    }

    @Test
    void aDeclarativeStageNeedsNoScriptBlock() throws Exception {
        WorkflowRun build = lab.run(
                """
                pipeline {
                    agent none
                    stages {
                        stage('Train') {
                            steps {
                                taoWait taoSubmit(target: 'local', command: 'echo bare')
                            }
                        }
                    }
                }
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("bare");
    }

    @Test
    void aFailedJobFailsTheStepInOneLine() throws Exception {
        WorkflowRun build = lab.run("taoWait taoSubmit(target: 'local', command: 'exit 3')", Result.FAILURE);

        assertThat(JenkinsRule.getLog(build)).contains("exit code 3").doesNotContain("\tat io.jenkins");
    }

    @Test
    void aFailedJobIsAValueWhenItNeedNotFail() throws Exception {
        WorkflowRun build = lab.run(
                """
                def r = taoWait job: taoSubmit(target: 'local', command: 'exit 3'), failOnError: false
                echo "status=${r.status} ok=${r.success} code=${r.exitCode}"
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("status=FAILURE ok=false code=3");
    }

    @Test
    void aListOfJobsGivesAListOfResultsInOrder() throws Exception {
        WorkflowRun build = lab.run(
                """
                def jobs = ['0', '4', '0'].collect { code -> taoSubmit(target: 'local', command: "exit $code") }
                def results = taoWait job: jobs, failOnError: false
                echo 'codes ' + results.collect { it.exitCode }.join(',')
                echo 'same ' + (results.collect { it.id } == jobs.collect { it.id })
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("codes 0,4,0", "same true");
        assertThat(build.getAction(TaoRunAction.class).getJobs()).hasSize(3);
    }

    @Test
    void branchesInParallelStartJobsOfTheirOwn() throws Exception {
        WorkflowRun build = lab.run(
                """
                def ends = [:]
                parallel(['a', 'b', 'c'].collectEntries { name -> [name, {
                    ends[name] = taoWait(taoSubmit(target: 'local', name: name, command: "echo I am $name")).status
                }] })
                echo "ends ${ends.sort()}"
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build))
                .contains("I am a", "I am b", "I am c", "ends [a:SUCCESS, b:SUCCESS, c:SUCCESS]");
    }

    @Test
    void aTokenIsEnoughToTakeAJobUpOrEndIt() throws Exception {
        WorkflowRun build = lab.run(
                """
                String token = taoSubmit(target: 'local', command: 'sleep 600').token
                taoCancel token
                def r = taoWait job: token, failOnError: false
                echo "status=${r.status}"
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("status=ABORTED");
    }

    @Test
    void aJobThatSomeoneCancelledAbortsTheBuild() throws Exception {
        lab.run("def job = taoSubmit(target: 'local', command: 'sleep 600'); taoCancel job; taoWait job", Result.ABORTED);
    }

    @Test
    void wrongParametersFailWithTheirNames() throws Exception {
        WorkflowRun build = lab.run(
                """
                def message = { body -> try { body(); 'nothing' } catch (e) { e.message } }
                echo message { taoSubmit(target: 'nowhere', command: 'true') }
                echo message { taoSubmit(target: 'local', command: 'true', gpus: 'many') }
                echo message { taoSubmit(target: 'local', command: 'true', secrets: [KEY: 'no-such-id']) }
                echo message { taoSubmit(target: 'local', command: 'true', options: slurm(partition: 'polar')) }
                echo message { taoWait('no token') }
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build))
                .contains("There is no TAO target 'nowhere'", "gpus must be a whole number", "no credential 'no-such-id'")
                .contains("belong to another backend", "'no token'")
                .doesNotContain("nothing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "taoSubmit target: 'local', command: 'true', env: 'X=1' | env must be a mapping in YAML",
                "taoSubmit target: 'local', command: 'true', spec: [1, 2] | spec must be a mapping in YAML",
                "taoSubmit target: 'local', command: 'true', options: 'slurm' | options must be those of a backend",
                "taoSubmit target: 'local', command: 'true', options: [foo: 1] | options must be those of a backend",
                "taoSubmit target: 'local', command: 'true', inputs: [null] | null",
                "taoSubmit target: 'local', command: 'true', gpus: [1, 2] | gpus must be a whole number",
                "taoSubmit target: 'local', command: 'true', timeLimit: '6s' | timeLimit must be at least one minute, was '6s'",
                "taoWait job: 'x', onAbort: 'explode' | onAbort must be 'cancel' or 'detach', was 'explode'",
                "taoWait null | Give a job",
                "taoCancel 'x' | is not a job token"
            })
    void aWrongValueIsOneLineWithoutATrace(String script, String message) throws Exception {
        String log = JenkinsRule.getLog(lab.run(script, Result.FAILURE));

        assertThat(log).contains(message).doesNotContain("\tat ", "Exception");
    }

    @Test
    void aListOfPatternsIsAListAndOneThatMatchesNothingIsNamed() throws Exception {
        WorkflowRun build = lab.run(
                "taoWait job: taoSubmit(target: 'local', env: [COLOUR: 'red'], command: '''" + TRAINING
                        + "'''), archive: ['train/*.{pth,onnx}', 'eval/*.csv']",
                Result.SUCCESS);

        assertThat(build.getArtifactManager().root().list("**/model.pth", null, true)).hasSize(1);
        assertThat(JenkinsRule.getLog(build))
                .contains("not archived: eval/*.csv, matches no file below the results directory")
                .doesNotContain("not archived: train");
    }

    @Test
    void theGraphNamesJobsAndHowTheyEnded() throws Exception {
        WorkflowRun build = lab.run("taoWait([taoSubmit(target: 'local', command: 'true')])", Result.SUCCESS);

        List<String> names = new ArrayList<>();
        for (FlowNode node : new DepthFirstScanner().allNodes(build.getExecution())) {
            names.add(node.getDisplayName());
            names.add(String.valueOf(ArgumentsAction.getStepArgumentsAsString(node)));
        }
        assertThat(names).anyMatch(name -> name.matches("local/\\S+ succeeded")).contains("true on local");
    }
}
