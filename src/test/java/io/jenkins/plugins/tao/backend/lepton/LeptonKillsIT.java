package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.Nightly;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many moments at which an engine ends; {@code -Dtao.kills=1000} tries that many. */
@Nightly
class LeptonKillsIT extends LeptonKills {
    private static final int KILLS = Integer.getInteger("tao.kills", 200);

    static IntStream moments() {
        return IntStream.range(0, KILLS);
    }

    @ParameterizedTest
    @MethodSource("moments")
    void noJobIsDoubledAndNoneIsLost(int seed) throws Exception {
        kill(seed);
    }
}
