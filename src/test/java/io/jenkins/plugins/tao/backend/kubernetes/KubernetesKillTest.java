package io.jenkins.plugins.tao.backend.kubernetes;

import io.jenkins.plugins.tao.Promise;
import org.junit.jupiter.api.Test;

/** A few kills of an engine; {@link KubernetesKillsIT} makes many. */
class KubernetesKillTest extends KubernetesKills {
    @Test
    @Promise("TR-04")
    void noJobIsDoubledNoneIsLostAndNoneStaysSuspendedUnseen() throws Exception {
        kill(6);
    }
}
