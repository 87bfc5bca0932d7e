package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.jenkins.step.WaitStep;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchTermsTest {
    private final WaitStep request = new WaitStep("tao1:one");

    @Test
    void whatIsNotSaidIsTheDefault() {
        WatchTerms terms = WatchTerms.of(request);

        assertThat(terms.archive()).isEqualTo(ArtifactPlan.of(List.of()));
        assertThat(terms.plan().giveUpAfter()).isEqualTo(WatchPlan.defaults().giveUpAfter());
        assertThat(terms.plan().retries()).isEqualTo(WatchPlan.defaults().retries());
        assertThat(terms.log()).isTrue();
    }

    @Test
    void whatIsSaidIsTaken() {
        request.setArchive("train/*.pth, *.onnx");
        request.setGiveUpAfter("2d");
        request.setRetries("3");
        request.setLog(false);

        WatchTerms terms = WatchTerms.of(request);

        assertThat(terms.archive().globs()).containsExactly("train/*.pth", "*.onnx");
        assertThat(terms.plan().giveUpAfter()).isEqualTo(Duration.ofDays(2));
        assertThat(terms.plan().retries()).isEqualTo(3);
        assertThat(terms.log()).isFalse();
    }

    @Test
    @Promise("TR-67")
    void theLargestFilesToArchiveAreASetting() {
        request.setArchiveLimit("8G, 100G");

        assertThat(WatchTerms.of(request).archive()).isEqualTo(new ArtifactPlan(List.of(), 8L << 30, 100L << 30));

        request.setArchiveLimit("a lot");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WatchTerms.of(request))
                .withMessage("archiveLimit: 'a lot' is not a size such as 500M, 8G or 1T");
    }

    @Test
    void aPatternOutsideTheResultsIsRefusedByItsField() {
        request.setArchive("train/*.pth\n/results/x/*.pth");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> WatchTerms.of(request))
                .withMessage("archive: '/results/x/*.pth' must lie below the results directory");
    }

    @Test
    void aLengthOfTimeThatIsNoneIsRefusedByItsField() {
        request.setGiveUpAfter("soon");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WatchTerms.of(request))
                .withMessageContaining("giveUpAfter must be");

        request.setGiveUpAfter("5s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WatchTerms.of(request))
                .withMessageContaining("giveUpAfter must be");
    }

    @Test
    void aNumberOfRetriesThatIsNoneIsRefusedByItsField() {
        request.setRetries("-1");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> WatchTerms.of(request))
                .withMessageContaining("retries must");
    }
}
