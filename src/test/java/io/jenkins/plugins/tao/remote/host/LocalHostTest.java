package io.jenkins.plugins.tao.remote.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.remote.LargeHostContract;
import org.junit.jupiter.api.Test;

class LocalHostTest extends LargeHostContract {
    private final LocalHost host = new LocalHost();

    @Override
    public Host host() {
        return host;
    }

    @Test
    void aChildInTheBackgroundThatHoldsTheOutputDoesNotHoldTheAnswer() throws Exception {
        Reply reply = host.run("sleep 3000 & echo $!", LIMIT);

        ProcessHandle child =
                ProcessHandle.of(Long.parseLong(reply.text().strip())).orElseThrow();
        assertThat(child.isAlive()).isTrue();
        child.destroy();
    }
}
