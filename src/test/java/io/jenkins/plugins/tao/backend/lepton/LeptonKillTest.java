package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.Promise;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few moments at which an engine ends; {@link LeptonKillsIT} tries many. */
class LeptonKillTest extends LeptonKills {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    @Promise("TR-12")
    void noJobIsDoubledAndNoneIsLost(int seed) throws Exception {
        kill(seed);
    }
}
