package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WatchRecordTest {
    private static final Instant AT = Instant.parse("2026-11-21T01:02:03Z");
    private static final JobHandle HANDLE = SimulatedCluster.handle(7, AT);

    @ParameterizedTest
    @EnumSource(names = {"NOT_STARTED", "STALLED", "ENDED_EARLY"})
    void whatIsKeptIsReadBackUnchanged(Cause givenUp) {
        WatchRecord record = new WatchRecord(
                HANDLE,
                Map.of(Stream.OUT, new Position("/lustre/a b\"c/main.out:77", 12_345_678_901L)),
                List.of(new Attempt(
                        1, "6", Cause.NODE_FAILURE, "A node failed\n(gpu01).", AT, Set.of("gpu01"), Duration.ZERO, "")),
                Optional.of("user 'alice'"),
                Optional.of(new Failed(givenUp, "The job can never start.")),
                "RUNNING",
                AT,
                2);

        assertThat(WatchRecord.parse(record.render())).isEqualTo(record);
        assertThat(record.render()).doesNotContain("\n");
    }

    @Test
    void aWatchThatBeginsIsReadBackUnchanged() {
        WatchRecord record = WatchRecord.begin(HANDLE);

        assertThat(WatchRecord.parse(record.render())).isEqualTo(record);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"token\":\"nonsense\"}"})
    void aDamagedRecordIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> WatchRecord.parse(text));
    }
}
