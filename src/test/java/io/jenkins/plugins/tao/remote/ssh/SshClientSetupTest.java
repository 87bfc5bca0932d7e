package io.jenkins.plugins.tao.remote.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import org.apache.sshd.common.kex.KeyExchangeFactory;
import org.junit.jupiter.api.Test;

class SshClientSetupTest {
    private static List<String> names(boolean quick) {
        return SshClientSetup.keyExchanges(quick).stream()
                .map(KeyExchangeFactory::getName)
                .toList();
    }

    @Test
    void aQuickProcessOffersTheSlowKeyExchangeLastAndLeavesNoneOut() {
        assertThat(names(false).indexOf("sntrup761x25519-sha512"))
                .isLessThan(names(false).indexOf("curve25519-sha256"));

        assertThat(names(true)).containsExactlyInAnyOrderElementsOf(names(false));
        assertThat(names(true).get(0)).isEqualTo("mlkem768x25519-sha256");
        assertThat(names(true).indexOf("curve25519-sha256"))
                .isLessThan(names(true).indexOf("sntrup761x25519-sha512"));
    }

    @Test
    void whatAConnectionNeedsCanBeCreatedBeforeIt() {
        assertThatCode(SshClientSetup::createWhatAConnectionNeeds).doesNotThrowAnyException();
    }
}
