package io.jenkins.plugins.tao.backend.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PendingWordsTest {
    @ParameterizedTest
    @CsvSource({
        "pull-limit, the registry lets no more pulls through now",
        "other-platform, not made for the processors of this node",
        "sandbox, its node cannot prepare it: Failed to create pod sandbox"
    })
    void aPodThatWaitsNamesWhatItsKubeletMet(String name, String words) {
        JobView view = Captured.view(name);

        assertThat(PendingWords.of(view, view.pods().get(0), Optional.empty()).sentence())
                .contains(words);
    }
}
