package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.casc.ConfigurationAsCode;
import io.jenkins.plugins.casc.misc.ConfiguredWithCode;
import io.jenkins.plugins.casc.misc.JenkinsConfiguredWithCodeRule;
import io.jenkins.plugins.casc.misc.junit.jupiter.WithJenkinsConfiguredWithCode;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SlurmTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SshTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Targets as code, in and out. */
@WithJenkinsConfiguredWithCode
class CodeTest {
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

        ByteArrayOutputStream exported = new ByteArrayOutputStream();
        ConfigurationAsCode.get().export(exported);

        assertThat(exported.toString(StandardCharsets.UTF_8))
                .contains("  tao:\n    targets:\n    - slurm:\n", "        credentialsId: \"dgx-ssh-key\"\n")
                .contains("    - local:\n        baseDirectory: \"/var/tao\"\n")
                .contains("    - ssh:\n        baseDirectory: \"/data/tao\"\n");
    }
}
