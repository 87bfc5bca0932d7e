package io.jenkins.plugins.tao.backend.kubernetes;

import io.jenkins.plugins.tao.Nightly;
import org.junit.jupiter.api.Test;

/** Many kills of an engine; {@code -Dtao.kills=1000} makes that many, {@code -Dtao.seed=…} at other moments. */
@Nightly
class KubernetesKillsIT extends KubernetesKills {
    private static final int KILLS = Integer.getInteger("tao.kills", 200);

    @Test
    void noJobIsDoubledNoneIsLostAndNoneStaysSuspendedUnseen() throws Exception {
        kill(KILLS);
    }
}
