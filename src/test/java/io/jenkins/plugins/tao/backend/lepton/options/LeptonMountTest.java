package io.jenkins.plugins.tao.backend.lepton.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeptonMountTest {
    @Test
    void aMountIsReadFromItsText() {
        assertThat(LeptonMount.parse("fsw:/fsw/team=/mnt/lustre"))
                .isEqualTo(new LeptonMount(Optional.empty(), "fsw", "/fsw/team", "/mnt/lustre", false));
        assertThat(LeptonMount.parse("node-lustre:fsw=//mnt//x:ro"))
                .isEqualTo(new LeptonMount(Optional.of("lustre"), "fsw", "/", "/mnt/x", true));
    }

    @ParameterizedTest
    @CsvSource({
        "fsw=/mnt/x, node-nfs:fsw",
        "node-remote:fsw=/mnt/x, node-remote:fsw",
        "node-local:any=/mnt/x, node-local"
    })
    void theVolumeIsNamedInLeptonsWords(String text, String from) {
        assertThat(LeptonMount.parse(text).from()).isEqualTo(from);
    }

    @Test
    void theNodeGroupTellsTheTypeThatTheTextLeavesOut() {
        LeptonMount mount = LeptonMount.parse("disk=/mnt/x");

        assertThat(mount.typed(List.of(new LeptonVolume("disk", "local", "", "", 1)))
                        .from())
                .isEqualTo("node-local");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=/", "a=/usr", "a=//usr", "a=/usr/lib/../local", "a=/var", "a=/proc/sys"})
    void aDirectoryOfTheSystemIsNoPlaceForAVolume(String text) {
        assertThatThrownBy(() -> LeptonMount.parse(text)).hasMessageContaining("belongs to the system");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a=b", "=/x", "a:b=/x", "a b=/x"})
    void whatIsNoMountIsRefusedWithTheForm(String text) {
        assertThatThrownBy(() -> LeptonMount.parse(text))
                .hasMessageContaining("volume:/directory/in/volume=/mnt/point");
    }

    @Test
    void withoutAUsablePlaceOfItsOwnAVolumeGoesBelowMnt() {
        assertThat(LeptonMount.preferred(List.of(new LeptonVolume("fsw-lustre", "nfs", "", "/", 1)))
                        .orElseThrow()
                        .mountPath())
                .isEqualTo("/mnt/lustre");
    }
}
