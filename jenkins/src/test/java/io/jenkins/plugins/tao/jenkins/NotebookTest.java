package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import com.cloudbees.plugins.credentials.CredentialsScope;
import com.cloudbees.plugins.credentials.SystemCredentialsProvider;
import com.cloudbees.plugins.credentials.impl.UsernamePasswordCredentialsImpl;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import hudson.ExtensionList;
import hudson.diagnosis.OldDataMonitor;
import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.config.KaggleOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.KaggleTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jenkinsci.plugins.workflow.cps.SnippetizerTester;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.jenkinsci.plugins.workflow.steps.StepConfigTester;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

/** Kaggle in a real Jenkins: forms, and Pipelines against a Kaggle that plays one notebook. */
@WithJenkins
class NotebookTest {
    private static final Pattern KEY = Pattern.compile("tao-([a-z0-9-]+)");

    private JenkinsRule jenkins;

    @BeforeEach
    void start(JenkinsRule rule) {
        jenkins = rule;
    }

    private static KaggleTargetConfiguration kaggle(String credentialsId) {
        KaggleTargetConfiguration target = new KaggleTargetConfiguration("kaggle", credentialsId);
        target.setUsername("ada");
        target.setAccelerator("NvidiaTeslaP100");
        target.setInternet("false");
        target.setGpuSession("12h");
        target.setCpuSession("10h");
        target.setUrl("https://kaggle.example");
        return target;
    }

    private static KaggleOptionsConfiguration options() {
        KaggleOptionsConfiguration options = new KaggleOptionsConfiguration();
        options.setAccelerator("NvidiaTeslaT4");
        options.setInternet("true");
        options.setGit("https://github.com/ada/train.git");
        options.setRevision("v1");
        options.setDatasets("ada/coco\nada/more");
        options.setCompetitions("titanic");
        options.setKernels("ada/other");
        options.setModels("google/gemma/pyTorch/2b");
        options.setResumeFrom("ada/tao-before");
        options.setSecretsDataset("ada/private");
        options.setSessions("3");
        options.setOnCancel("delete");
        options.setDockerImage("gcr.io/kaggle-gpu-images/python@sha256:1");
        return options;
    }

    @Test
    void theTargetsSurviveTheSystemPage() throws Exception {
        List<TargetConfiguration> given = List.of(kaggle("kaggle-token"));
        TaoGlobalConfiguration.get().setTargets(given);

        jenkins.configRoundtrip();

        assertThat(TaoGlobalConfiguration.get().getTargets())
                .usingRecursiveComparison()
                .isEqualTo(given);
    }

    @Test
    void theOptionsSurviveTheFormOfTaoSubmit() throws Exception {
        TaoGlobalConfiguration.get().setTargets(List.of(kaggle("kaggle-token")));
        SubmitStep step = new SubmitStep("kaggle", "true");
        step.setOptions(options());

        SubmitStep back = new StepConfigTester(jenkins).configRoundTrip(step);

        jenkins.assertEqualDataBoundBeans(step, back);
    }

    @Test
    void theSnippetGeneratorWritesWhatAPersonWould() throws Exception {
        TaoGlobalConfiguration.get().setTargets(List.of(kaggle("kaggle-token")));
        SubmitStep step = new SubmitStep("kaggle", "true");
        KaggleOptionsConfiguration options = new KaggleOptionsConfiguration();
        options.setGit("https://github.com/ada/train.git");
        options.setSessions("3");
        step.setOptions(options);

        new SnippetizerTester(jenkins)
                .assertRoundTrip(
                        step,
                        "taoSubmit command: 'true', options: kaggle(git: 'https://github.com/ada/train.git', sessions: '3'),"
                                + " target: 'kaggle'");
    }

    @Test
    void aTargetThatWasSavedForColabIsDroppedWithWhatToUseInstead() throws Exception {
        TaoGlobalConfiguration tao = TaoGlobalConfiguration.get();
        tao.setTargets(List.of(kaggle("kaggle-token")));
        Path file = jenkins.jenkins
                .getRootDir()
                .toPath()
                .resolve(TaoGlobalConfiguration.class.getName() + ".xml");
        String colab = "io.jenkins.plugins.tao.jenkins.config.ColabTargetConfiguration";
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("</targets>", "<" + colab + "><name>old</name></" + colab + "></targets>"));

        tao.load();

        assertThat(tao.getTargets()).extracting(TargetConfiguration::getName).containsExactly("kaggle");
        assertThat(ExtensionList.lookupSingleton(OldDataMonitor.class).getData().values())
                .extracting(old -> old.extra)
                .anyMatch(text -> text.contains("The target 'old' is dropped"))
                .anyMatch(text -> text.contains("./tao notebook colab JOB_FILE"));
    }

    @Test
    void aPipelineRunsANotebook() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", new OneNotebook()::answer);
        server.start();
        SystemCredentialsProvider.getInstance()
                .getCredentials()
                .add(new UsernamePasswordCredentialsImpl(
                        CredentialsScope.GLOBAL, "kaggle-key", "", "ada", "0123456789abcdef"));
        KaggleTargetConfiguration target = new KaggleTargetConfiguration("kaggle", "kaggle-key");
        target.setUrl("http://127.0.0.1:" + server.getAddress().getPort());
        TaoGlobalConfiguration.get().setTargets(List.of(target));

        WorkflowRun build = Lab.of(jenkins)
                .run(
                        "def job = taoSubmit target: 'kaggle', command: 'true', gpus: 1, options: kaggle(sessions: 2)\n"
                                + "def result = taoWait job: job\necho \"ended ${result.outcome}\"",
                        Result.SUCCESS);
        server.stop(0);

        assertThat(JenkinsRule.getLog(build)).contains("trained well").doesNotContain("0123456789abcdef");
    }

    /** Takes one push and says that it ran to its end. */
    private static final class OneNotebook {
        private final AtomicReference<String> key = new AtomicReference<>("");

        void answer(HttpExchange exchange) throws IOException {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().getPath();
            if (path.endsWith("SaveKernel")) {
                Matcher slug = KEY.matcher(body);
                key.set(slug.find() ? slug.group(1) : "");
                send(exchange, 200, "{\"ref\":\"ada/tao-" + key.get() + "\"}");
            } else if (path.endsWith("GetAcceleratorQuotaStatistics")) {
                send(exchange, 200, "{\"gpuQuota\":{\"timeUsed\":\"0s\",\"totalTimeAllowed\":\"108000s\"}}");
            } else if (key.get().isEmpty()) {
                send(exchange, 403, "{\"code\":403,\"message\":\"Permission 'kernels.get' was denied\"}");
            } else if (path.contains("/logs/stream/")) {
                send(exchange, 200, "[{\"stream_name\":\"stdout\",\"time\":1,\"data\":\"trained well\\n\"},"
                        + "{\"stream_name\":\"stderr\",\"time\":2,\"data\":\"tao-run[" + key.get()
                        + ".1] exit 0 done \\n\"}]");
            } else {
                send(exchange, 200, path.endsWith("Status") ? "{\"status\":\"COMPLETE\"}" : "{\"files\":[]}");
            }
        }

        private static void send(HttpExchange exchange, int status, String body) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        }
    }
}
