package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class JobOptionsConfigurationTest {
    @Test
    void aMisspelledOptionOfAPipelineIsRefusedWithTheNearestOne() {
        assertThatThrownBy(() ->
                        new SimulatedOptionsConfiguration.DescriptorImpl().customInstantiate(Map.of("failre", "nan")))
                .hasMessageStartingWith(
                        "simulated has no parameter 'failre'. Did you mean 'failure'? Known parameters: epochTime,");
        assertThatThrownBy(() ->
                        new SlurmOptionsConfiguration.DescriptorImpl().customInstantiate(Map.of("partitions", "gpu")))
                .hasMessageStartingWith("slurm has no parameter 'partitions'. Did you mean 'partition'?");
        assertThatThrownBy(() -> new KubernetesOptionsConfiguration.DescriptorImpl()
                        .customInstantiate(Map.of("pod", Map.of("runtimeClas", "nvidia"))))
                .hasMessageStartingWith("pod has no parameter 'runtimeClas'. Did you mean 'runtimeClass'?");
    }

    @Test
    void numbersTruthValuesAndListsBecomeTheTextOfTheForm() {
        assertThat(new SimulatedOptionsConfiguration.DescriptorImpl().customInstantiate(Map.of("epochs", 5)))
                .isEqualTo(Map.of("epochs", "5"));
    }
}
