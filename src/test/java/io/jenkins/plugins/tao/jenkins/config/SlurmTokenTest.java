package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.cloudbees.plugins.credentials.common.IdCredentials;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmRest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When Jenkins looks up the token of a slurmrestd. */
class SlurmTokenTest {
    private final List<String> asked = new ArrayList<>();

    /** Has nothing, and notes what is asked for. */
    private final class Empty implements CredentialStore {
        @Override
        public <C extends IdCredentials> Optional<C> find(String id, Class<C> type) {
            asked.add(id);
            return Optional.empty();
        }

        @Override
        public String reach() {
            return "folder/job";
        }
    }

    private SlurmRest rest(String url, String plainText) {
        SlurmRestConfiguration form = new SlurmRestConfiguration(url, "tao", "slurm-token");
        form.setPlainText(plainText);
        return form.toSettings(new Empty());
    }

    @Test
    @Promise("NS-27")
    void theTokenIsLookedUpWhenItIsUsedAndAMissingOneIsNamed() {
        SlurmRest rest = rest("https://slurm.example/", "");
        assertThat(asked).isEmpty();
        assertThat(rest.toString()).contains("https://slurm.example,").doesNotContain("slurm-token");
        assertThat(rest).isEqualTo(rest("https://slurm.example", ""));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> rest.token().read())
                .withMessageContaining("There is no credential 'slurm-token' that may be used here");
    }

    @Test
    void anAddressWithoutTlsIsTakenWhereTheFormSaysSo() {
        assertThat(rest("http://slurm.example:6820", "true").plainText()).hasValue(true);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rest("http://slurm.example:6820", ""))
                .withMessageContaining("plainText");
    }
}
