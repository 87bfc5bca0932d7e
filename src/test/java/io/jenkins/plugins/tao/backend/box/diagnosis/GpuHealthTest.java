package io.jenkins.plugins.tao.backend.box.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuHealthTest {
    @Test
    @Promise("GB-40")
    void clocksPowerAndTemperatureTellWhatUtilisationHides() {
        assertThat(GpuHealth.of(List.of(
                        "gpu health: 0, 98, 1380, 1410, 350.0, 400.0, 70",
                        "gpu health: 1, 100, 1380, 1410, 80.0, 400.0, 60",
                        "gpu health: 2, 100, 345, 1410, 250.0, 400.0, 91",
                        "gpu health: 3, 0, 210, 1410, 60.0, 400.0, 31")))
                .containsExactly(
                        "GPU 1 calls itself 100 % busy, but draws 80.0 of 400.0 W: it waits, for data or for another process.",
                        "GPU 2 is at 91 °C and slows down; look at the cooling of the box.",
                        "GPU 2 is held at 345 of 1410 MHz.");
    }

    /** As an H200 with the driver 580.159 said it two seconds after the job's only process had ended. */
    @Test
    void utilisationOfAnEndedJobIsNoFinding() {
        assertThat(GpuHealth.afterEnd(List.of(
                        "gpu health: 0, 100, 1980, 1980, 123.39, 700.00, 38",
                        "gpu health: 1, 100, 345, 1980, 80.0, 700.0, 91")))
                .containsExactly("GPU 1 is at 91 °C and slows down; look at the cooling of the box.");
    }

    @Test
    void whatTheDriverDoesNotTellIsNoVerdict() {
        assertThat(GpuHealth.of(
                        List.of("gpu health: 0, [N/A], [N/A], [N/A], [N/A], [N/A], [N/A]", "gpu health: broken", "")))
                .isEmpty();
    }
}
