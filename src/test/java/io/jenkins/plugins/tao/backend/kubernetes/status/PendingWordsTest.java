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
        "pull-limit, the registry limits pulls: a login, or a mirror, may pull more",
        "other-platform, the image is for another kind of processor than the node has",
        "sandbox, its node gives it no network: Failed to create pod sandbox"
    })
    void aPodThatWaitsNamesWhatItsKubeletMet(String name, String words) {
        JobView view = Captured.view(name);

        assertThat(PendingWords.of(view, view.pods().get(0), Optional.empty()).sentence())
                .contains(words);
    }
}
