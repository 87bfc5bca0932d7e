package io.jenkins.plugins.tao.placing;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Some moments of a job with several targets; {@link PlacingKillsIT} tries all. */
class PlacingKillsTest extends PlacingKills {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Promise("NS-13")
    void whateverMomentItIsKilledAtOneJobRuns(boolean sparesBegun) {
        killAtRandom(50, sparesBegun);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Promise("NS-13")
    void killedAtEachStepOfAMoveOneJobRuns(boolean sparesBegun) {
        killAtSteps(7, sparesBegun);
    }

    @Test
    @Promise("NS-14")
    void aTargetThatRefusesForItsLimitIsAskedAgainWhereThatIsAskedFor() {
        waitsWhenRefused = true;
        PlayedPlaces places = new PlayedPlaces(new Random(1), clock, true, 0);
        places.fullUntil = Optional.of(clock.now().plus(Duration.ofMinutes(5)));
        places.waits.put("a", Duration.ZERO);
        DoorProcess process = new DoorProcess(places, Integer.MAX_VALUE);
        clock.advance(Duration.ofMinutes(4));

        assertThat(process.placer.result()).isNotDone();
        assertThat(said).containsExactly("waits for target a, whose own limits are reached: 'a' has too many jobs.");
        clock.advance(Duration.ofMinutes(4));
        assertThat(process.placer.result())
                .isCompletedWithValueMatching(job -> job.target().equals("a"));
    }

    @Test
    @Promise("NS-13")
    void whatAllRefuseIsOneErrorWithEachRefusal() {
        PlayedPlaces places = new PlayedPlaces(new Random(1), clock, true, 0);
        DoorProcess process = new DoorProcess(places, Integer.MAX_VALUE);
        clock.advance(Duration.ofMinutes(1));

        assertThat(process.placer.result())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .withMessage(
                        "None of 3 targets runs the job. a: 'a' refuses. Ask elsewhere. b: 'b' refuses. Ask elsewhere."
                                + " c: 'c' refuses. Ask elsewhere.");
        assertThat(places.jobs).isEmpty();
    }
}
