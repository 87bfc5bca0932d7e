package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The examples for Kubernetes, and the target that the environment describes. */
class KubernetesExamplesTest {
    private static final String EXAMPLES =
            Path.of("docs/examples").toAbsolutePath().toString();

    @TempDir
    Path directory;

    private final Map<String, String> env = new HashMap<>(Map.of("HF_TOKEN", "hf_hidden"));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Surroundings here() {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        return new Surroundings(
                env,
                directory,
                directory,
                new Surroundings.Terminal(false, new ByteArrayInputStream(new byte[0]), print, print),
                Clock.systemUTC(),
                BackendTypes.load(),
                HastyTicker::new);
    }

    @Test
    void theBuildThatRunsTheCommandIsNotedOnTheJob() {
        env.put("BUILD_URL", "https://ci.example/job/nightly/7/");

        assertThat(preview("kubernetes-train.yaml"))
                .containsPattern("tao-run.jenkins.io/build: \"?https://ci.example/job/nightly/7/");
    }

    private String preview(String example) {
        out.reset();
        int code = Program.execute(
                here(),
                new Interrupts(() -> {}),
                "preview",
                "--targets",
                EXAMPLES + "/kubernetes-targets.yaml",
                EXAMPLES + "/" + example);
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isEqualTo(0);
        return text;
    }

    private String target() throws UsageException {
        return Targets.find(java.util.Optional.empty(), here())
                .named("kubernetes")
                .target()
                .toString();
    }

    @Test
    void theExampleOfOnePodIsShownExactly() {
        assertThat(preview("kubernetes-train.yaml"))
                .contains(
                        "kind: \"Job\"", "nvidia.com/gpu: \"1\"", "claimName: \"coco\"", "time-limit-seconds: \"7200\"")
                .contains("kind: \"Secret\"", "HF_TOKEN: \"***\"")
                .doesNotContain("hf_hidden", "kind: \"Service\"");
    }

    @Test
    void theExampleOfTwoNodesIsShownExactly() {
        assertThat(preview("kubernetes-nodes.yaml"))
                .contains(
                        "completionMode: \"Indexed\"",
                        "completions: 2",
                        "kind: \"Service\"",
                        "export WORLD_SIZE=2 NNODES=2")
                .contains("sizeLimit: \"32Gi\"", "start-deadline-seconds: \"1800\"");
    }

    @Test
    void theWholePreviewIsOneFileForKubectl() {
        String text = preview("kubernetes-nodes.yaml");

        List<String> kinds = new ArrayList<>();
        for (Object object : new Yaml().loadAll(text)) {
            kinds.add(String.valueOf(((Map<?, ?>) object).get("kind")));
        }
        assertThat(kinds).containsExactly("Job", "Service");
    }

    @Test
    @Promise({"KU-10", "KU-11", "KU-12", "KU-05"})
    void kubectlsOwnVariablesDescribeTheTargetKubernetes() throws Exception {
        write(".kube/config", "customary");
        assertThat(target())
                .contains(directory + "/.kube/config", "context=Optional.empty", "namespace=Optional.empty");

        write("other", "other");
        env.putAll(Map.of(
                "KUBECONFIG",
                directory + "/other",
                "TAO_K8S_CONTEXT",
                "two",
                "TAO_K8S_NAMESPACE",
                "team",
                "TAO_K8S_SKIP_NODE_RUNTIME_CHECK",
                "1",
                "https_proxy",
                "http://proxy.corp:3128"));

        assertThat(target())
                .contains(directory + "/other", "context=Optional[two]", "namespace=Optional[team]")
                .contains("managedNodes=Optional[true]", "proxy=Optional[HttpProxy[host=proxy.corp, port=3128");
    }

    @Test
    @Promise("TR-48")
    void aListOfKubeconfigsIsReadWholeWithoutThoseThatAreMissing() throws Exception {
        write("first", "one");
        write("second", "two");
        env.put("KUBECONFIG", String.join(java.io.File.pathSeparator, "", "nosuch", "first", directory + "/second"));

        assertThat(target())
                .contains("source=" + directory + "/first", "source=" + directory + "/second")
                .doesNotContain("nosuch");
    }

    @Test
    void theUserAndTheStandardOfPodsAreKeysOfATarget() throws Exception {
        write("targets.yaml", """
                targets:
                  gpu-cluster:
                    backend: kubernetes
                    podSecurity: restricted
                    securityContext:
                      runAsUser: 1000680000
                      fsGroup: 2000
                """);

        String target = Targets.find(java.util.Optional.of(directory + "/targets.yaml"), here())
                .named("gpu-cluster")
                .target()
                .toString();

        assertThat(target)
                .contains("podSecurity=Optional[RESTRICTED]", "runAsUser=OptionalLong[1000680000]")
                .contains("runAsGroup=OptionalLong.empty", "fsGroup=OptionalLong[2000]");
    }

    private void write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
