package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.Described;
import io.jenkins.plugins.tao.jenkins.TargetSamples;
import io.jenkins.plugins.tao.jenkins.config.JobOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import io.jenkins.plugins.tao.reference.Forms;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** What Jenkins' own generator of Pipeline text and its configuration as code write makes the same objects again. */
@NeedsJenkins
class RoundTripIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Evaluates Pipeline text as Pipeline does, but makes the step instead of running it; prints its properties. */
    private static final String INSTANTIATE = """
            import org.jenkinsci.plugins.structs.describable.*
            import org.jenkinsci.plugins.workflow.steps.StepDescriptor
            abstract class Said extends Script {
                def methodMissing(String name, args) {
                    def step = StepDescriptor.byFunctionName(name)
                    if (step == null) { return new UninstantiatedDescribable(name, null, args.length == 0 ? [:] : args[0]) }
                    def sole = DescribableModel.of(step.clazz).soleRequiredParameter
                    return step.newInstance(args.length == 0 ? [:] : args[0] instanceof Map ? args[0] : [(sole.name): args[0]])
                }
            }
            def how = new org.codehaus.groovy.control.CompilerConfiguration(scriptBaseClass: Said.name)
            def shell = new GroovyShell(Said.classLoader, new Binding(), how)
            def values
            values = { object -> DescribableModel.of(object.class).parameters.collectEntries { property ->
                def value = object."${property.name}"
                [property.name, value?.class?.name?.startsWith('io.jenkins.plugins.tao') ? values(value) : String.valueOf(value)]
            } }
            println groovy.json.JsonOutput.toJson(values(shell.evaluate(new String('%s'.decodeBase64(), 'UTF-8'))))
            """;

    @TempDir
    private static Path home;

    private static JenkinsProcess process;
    private static JenkinsClient jenkins;

    @BeforeAll
    static void start() throws IOException {
        process = JenkinsProcess.in(home);
        jenkins = process.start();
    }

    @AfterAll
    static void stop() {
        process.close();
    }

    @ParameterizedTest
    @Promise("JK-25")
    @MethodSource("steps")
    void theSnippetOfAFilledFormMakesTheStepThatWasFilledIn(Class<?> type) throws IOException {
        Described described = new Described(type);
        Object filled = described.make(described.sample());

        String snippet = snippet(form(filled));

        assertThat(made(snippet)).as(snippet).isEqualTo(Described.values(filled));
    }

    @ParameterizedTest
    @Promise("JK-25")
    @MethodSource("options")
    void theSnippetOfTheOptionsOfABackendMakesTheOptionsThatWereFilledIn(Class<?> type) throws IOException {
        Described options = new Described(type);
        Object filled = new Described(SubmitStep.class)
                .make(Map.of("target", "dgx", "command", "true", "options", options.make(options.sample())));

        String snippet = snippet(form(filled));

        assertThat(made(snippet)).as(snippet).isEqualTo(Described.values(filled));
    }

    @Test
    @Promise("JK-25")
    void configurationAsCodeExportsEachPropertyOfEachTargetAsItWasImported() throws IOException {
        List<Map<String, Object>> targets = new ArrayList<>();
        TargetSamples.all().forEach((kind, properties) -> targets.add(Map.of(kind, properties)));
        Map<String, Object> tao = Map.of(
                "targets",
                targets,
                "prices",
                "- {target: dgx, perGpuHour: 2.95, currency: EUR}",
                "budgets",
                "- {target: dgx, gpuHours: 5000}",
                "mlflow",
                Map.of(
                        "address", "https://mlflow.example.org",
                        "credentialsId", "mlflow",
                        "experiment", "nights"));
        imported(Map.of("unclassified", Map.of("tao", tao)));

        Object exported = exported();
        assertThat(exported)
                .usingRecursiveComparison()
                .ignoringCollectionOrder()
                .isEqualTo(tao);

        imported(Map.of("unclassified", Map.of("tao", Map.of("targets", List.of()))));
        imported(Map.of("unclassified", Map.of("tao", exported)));
        assertThat(exported()).isEqualTo(exported);
    }

    private static void imported(Map<String, Object> configuration) throws IOException {
        jenkins.post("configuration-as-code/apply", "text/plain", new Yaml().dump(configuration));
    }

    private static Object exported() throws IOException {
        Map<String, Map<String, Object>> all =
                new Yaml().load(jenkins.post("configuration-as-code/export", "text/plain", ""));
        return Objects.requireNonNull(
                Objects.requireNonNull(all.get("unclassified")).get("tao"));
    }

    private static String snippet(Map<String, Object> form) throws IOException {
        return jenkins.post(
                "pipeline-syntax/generateSnippet",
                "application/x-www-form-urlencoded",
                "json=" + URLEncoder.encode(JSON.writeValueAsString(form), StandardCharsets.UTF_8));
    }

    private static Map<?, ?> made(String snippet) throws IOException {
        String text = Base64.getEncoder().encodeToString(snippet.getBytes(StandardCharsets.UTF_8));
        String answer = jenkins.groovy(INSTANTIATE.formatted(text));
        assertThat(answer).as(snippet).startsWith("{");
        return JSON.readValue(answer, LinkedHashMap.class);
    }

    /** As a browser sends it. */
    private static Map<String, Object> form(Object filled) {
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("stapler-class", filled.getClass().getName());
        form.put("$class", filled.getClass().getName());
        Forms.properties(filled.getClass()).forEach((name, of) -> {
            Object value = Forms.value(filled, name);
            if (value != null) {
                form.put(name, value.getClass().getName().startsWith("io.jenkins") ? form(value) : value);
            }
        });
        return form;
    }

    static List<Class<?>> steps() {
        return Forms.all().stream().filter(Step.class::isAssignableFrom).toList();
    }

    static List<Class<?>> options() {
        return Forms.all().stream()
                .filter(JobOptionsConfiguration.class::isAssignableFrom)
                .toList();
    }
}
