package io.jenkins.plugins.tao.placing;

import io.jenkins.plugins.tao.Nightly;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All moments of a job with several targets; {@code -Dtao.kills=1000} plays that many runs. */
@Nightly
class PlacingKillsIT extends PlacingKills {
    private static final int RUNS = Integer.getInteger("tao.kills", 250);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whateverMomentItIsKilledAtOneJobRuns(boolean sparesBegun) {
        killAtRandom(RUNS, sparesBegun);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void killedAtEachStepOfAMoveOneJobRuns(boolean sparesBegun) {
        killAtSteps(1, sparesBegun);
    }
}
