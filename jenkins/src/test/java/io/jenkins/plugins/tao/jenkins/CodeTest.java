package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.casc.ConfigurationAsCode;
import io.jenkins.plugins.casc.misc.ConfiguredWithCode;
import io.jenkins.plugins.casc.misc.JenkinsConfiguredWithCodeRule;
import io.jenkins.plugins.casc.misc.junit.jupiter.WithJenkinsConfiguredWithCode;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SlurmTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SshTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets as code, in and out. */
@WithJenkinsConfiguredWithCode
class CodeTest {
    private static final Pattern BLOCK = Pattern.compile("```yaml\\n(unclassified:\\n.*?)```", Pattern.DOTALL);
    private static final Pattern SETTING = Pattern.compile("^ +(?:- )?(\\w+):", Pattern.MULTILINE);

    @TempDir
    private Path directory;

    static List<String> pages() throws IOException {
        try (Stream<Path> backends = Files.walk(Path.of("../docs/backends"))) {
            return Stream.concat(Stream.of(Path.of("../README.md")), backends)
                    .map(Path::toString)
                    .filter(page -> page.endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theTargetsThatThePagesShowAreReadAndWrittenWithAllTheirSettings(JenkinsConfiguredWithCodeRule jenkins)
            throws Exception {
        List<String> symbols = new ArrayList<>();
        for (String page : pages()) {
            Matcher block = BLOCK.matcher(Files.readString(Path.of(page)));
            while (block.find()) {
                Path code = Files.writeString(directory.resolve("code.yaml"), block.group(1));
                ConfigurationAsCode.get().configure(code.toString());

                assertThat(TaoGlobalConfiguration.get().getTargets()).as(page).isNotEmpty();
                List<String> settings = SETTING.matcher(block.group(1))
                        .results()
                        .map(setting -> setting.group(1) + ":")
                        .toList();
                symbols.add(settings.get(2));
                ByteArrayOutputStream exported = new ByteArrayOutputStream();
                ConfigurationAsCode.get().export(exported);
                assertThat(exported.toString(StandardCharsets.UTF_8)).as(page).contains(settings);
            }
        }

        assertThat(symbols).contains("slurm:", "ssh:", "kubernetes:", "lepton:", "kaggle:");
    }

    @Test
    @ConfiguredWithCode("targets.yaml")
    void targetsAreReadFromCodeAndWrittenAsTheSameCode(JenkinsConfiguredWithCodeRule jenkins) throws Exception {
        var targets = TaoGlobalConfiguration.get().getTargets();
        assertThat(targets).hasSize(3);
        SlurmTargetConfiguration slurm = (SlurmTargetConfiguration) targets.get(0);
        assertThat(slurm.getName()).isEqualTo("dgx");
        assertThat(slurm.getHosts()).isEqualTo("login1.dgx.example, login2.dgx.example");
        assertThat(slurm.getCredentialsId()).isEqualTo("dgx-ssh-key");
        assertThat(slurm.getMaxGpusPerNode()).isEqualTo("8");
        assertThat(slurm.getRequeue()).isEqualTo("true");
        assertThat(((LocalTargetConfiguration) targets.get(1)).getBaseDirectory()).isEqualTo("/var/tao");

        SshTargetConfiguration box = (SshTargetConfiguration) targets.get(2);
        assertThat(box.getHosts()).isEqualTo("gpu.example.com:2222");
        assertThat(box.getDurableDirectory()).isEqualTo("/data/keep");
        assertThat(box.getProxyJump()).isNotNull().returns("gate.example.com", jump -> jump.getHost());
        assertThat(box.getProxyJump()).returns("2222", jump -> jump.getPort()).returns("ci", jump -> jump.getUser());

        ByteArrayOutputStream exported = new ByteArrayOutputStream();
        ConfigurationAsCode.get().export(exported);

        assertThat(exported.toString(StandardCharsets.UTF_8))
                .contains("  tao:\n    targets:\n    - slurm:\n", "        credentialsId: \"dgx-ssh-key\"\n")
                .contains("    - local:\n        baseDirectory: \"/var/tao\"\n")
                .contains("    - ssh:\n        baseDirectory: \"/data/tao\"\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{local: {name: 'bad name!', baseDirectory: /x}}]",
                "[{local: {name: twin, baseDirectory: /x}}, {local: {name: twin, baseDirectory: /y}}]",
                "[{local: {name: other, baseDirectory: /x, maxJobs: lots}}]"
            })
    void wrongCodeIsRefusedAndLeavesTheTargetsAsTheyWere(String targets, JenkinsConfiguredWithCodeRule jenkins)
            throws Exception {
        TaoGlobalConfiguration.get().setTargets(List.of(new LocalTargetConfiguration("before", "/tao")));
        Path code = Files.writeString(directory.resolve("wrong.yaml"), "unclassified:\n  tao:\n    targets: " + targets);

        assertThatThrownBy(() -> ConfigurationAsCode.get().configure(code.toString()))
                .hasStackTraceContaining("arget");
        assertThat(TaoGlobalConfiguration.get().getTargets())
                .extracting(TargetConfiguration::getName)
                .containsExactly("before");
    }
}
