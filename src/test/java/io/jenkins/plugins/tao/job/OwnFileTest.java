package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.jenkins.plugins.tao.backend.lepton.LeptonType;
import org.junit.jupiter.api.Test;

class OwnFileTest {
    @Test
    void aFileIsLookedForBesideItsClass() {
        assertThat(OwnFile.text(LeptonType.class, "rendezvous.sh")).contains("MASTER_ADDR");
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> OwnFile.text(OwnFile.class, "rendezvous.sh"))
                .withMessageContaining("rendezvous.sh is missing");
    }
}
