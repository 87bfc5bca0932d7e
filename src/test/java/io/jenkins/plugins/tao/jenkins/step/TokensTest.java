package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.run.TaoJob;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the graph of a Pipeline shows of a step before it has begun. */
@Promise("TR-39")
class TokensTest {
    private static final String TOKEN =
            "tao1:slurm:dgx:4711?key=train-1&attempt=1&job=%2Fj%2Ft&results=%2Fr%2Ft&at=1795358761";

    private enum NotStored {
        UNSERIALIZABLE
    }

    @Test
    void jobsAreNamedInWhateverFormTheyAreGiven() {
        assertThat(Tokens.named(TOKEN)).isEqualTo("dgx/4711");
        assertThat(Tokens.named(new TaoJob(TOKEN))).isEqualTo("dgx/4711");
        assertThat(Tokens.named(Arrays.asList(new TaoJob(TOKEN), null, TOKEN))).isEqualTo("dgx/4711, dgx/4711");
        assertThat(Tokens.named("params.TOKEN")).isEqualTo("params.TOKEN");
    }

    @Test
    void whatJenkinsHasNotKeptIsNotNamedNull() {
        assertThat(Tokens.named(null)).isNull();
        assertThat(Tokens.named("")).isNull();
        assertThat(Tokens.named(NotStored.UNSERIALIZABLE)).isNull();
        assertThat(Tokens.named(List.of())).isNull();
        assertThat(Tokens.named(List.of(NotStored.UNSERIALIZABLE))).isNull();
    }
}
