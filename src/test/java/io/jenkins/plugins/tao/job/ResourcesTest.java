package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ResourcesTest {
    private static final OptionalInt UNSET = OptionalInt.empty();

    @Test
    void theDefaultIsOneMachineAsTheTargetHasIt() {
        assertThat(Resources.defaults()).isEqualTo(new Resources(1, UNSET, UNSET, Optional.empty()));
    }

    @Test
    void aJobNeedsNoGpuAndMayEndAfterAMinute() {
        Resources resources =
                new Resources(2, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(1)));

        assertThat(resources.gpusPerNode()).hasValue(0);
    }

    @Test
    @Promise("TR-35")
    void eachSenselessNumberIsNamed() {
        refused("nodes must be at least 1, was 0", 0, UNSET, UNSET, Optional.empty());
        refused("gpus must not be negative, was -1", 1, OptionalInt.of(-1), UNSET, Optional.empty());
        refused("cpus must be at least 1, was 0", 1, UNSET, OptionalInt.of(0), Optional.empty());
        refused(
                "the time limit must be at least one minute, was 59s",
                1,
                UNSET,
                UNSET,
                Optional.of(Duration.ofSeconds(59)));
    }

    private static void refused(
            String message, int nodes, OptionalInt gpus, OptionalInt cpus, Optional<Duration> wallTime) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Resources(nodes, gpus, cpus, wallTime))
                .withMessageContaining(message);
    }
}
