package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SlurmTypeTest {
    @Test
    @Promise("SL-25")
    void slurmIsFoundByName() {
        assertThat(BackendTypes.load().named("slurm")).isInstanceOf(SlurmType.class);
        assertThat(BackendTypes.load().of(Sample.target().build())).isInstanceOf(SlurmType.class);
    }

    @Test
    void equalTargetsShareAConnection() {
        assertThat(Sample.target().build()).isEqualTo(Sample.target().build());
    }

    @Test
    void theBaseDirectoryAlwaysCountsAsShared() {
        assertThat(Sample.target()
                        .with("sharedRoots", List.of("/data/"))
                        .build()
                        .roots())
                .containsExactly("/data", "/lustre/tao");
    }

    @ParameterizedTest
    @ValueSource(strings = {"relative", "/with blank", "/a/../b", "/", "/a\nb", "/a%j"})
    void aBaseDirectoryThatSlurmWouldMisreadIsRefused(String path) {
        var login = Sample.target().build().login();

        assertThatThrownBy(() -> Records.of(SlurmTarget.class, "name", "x", "login", login, "baseDirectory", path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("baseDirectory");
    }
}
