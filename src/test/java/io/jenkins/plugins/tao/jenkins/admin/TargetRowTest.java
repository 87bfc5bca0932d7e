package io.jenkins.plugins.tao.jenkins.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.monitor.TargetHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The targets as administrators see them. */
class TargetRowTest {
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    private static TargetHealth health(String name, int failures, String error) {
        return new TargetHealth(
                name,
                List.of(name + "/1 RUNNING 5m", name + "/2 PENDING 1m"),
                1,
                Optional.of(NOW.minusSeconds(12)),
                Duration.ofMillis(230),
                failures,
                error);
    }

    @Test
    @Promise("JK-07")
    void aRowTellsLastAnswerLatencyJobsQueueAndError() {
        List<TargetRow> rows =
                TargetRow.of(Set.of("dgx", "idle"), List.of(health("dgx", 3, "login.dgx does not answer.")), NOW);

        TargetRow dgx = rows.get(0);
        assertThat(dgx.getKind()).isEqualTo("failed");
        assertThat(dgx.getState()).isEqualTo("no answer, 3 in a row");
        assertThat(dgx.getLastAnswer()).isEqualTo("12s ago");
        assertThat(dgx.getLatency()).isEqualTo("230 ms");
        assertThat(dgx.getJobs()).isEqualTo(2);
        assertThat(dgx.getWaiting()).isEqualTo(1);
        assertThat(dgx.getRemark()).isEqualTo("login.dgx does not answer.");
        assertThat(rows.get(1).getState()).isEqualTo("idle");
    }

    @Test
    void aTargetThatIsConfiguredNoMoreAndHasNoJobsIsNotInTheList() {
        TargetHealth unused = new TargetHealth("old", List.of(), 0, Optional.empty(), Duration.ZERO, 0, "");

        assertThat(TargetRow.of(Set.of("dgx"), List.of(unused), NOW))
                .extracting(TargetRow::getName)
                .containsExactly("dgx");
    }

    @Test
    @Promise("JK-12")
    void aTargetThatWaitsAreHeldForIsInTheListThoughItIsConfiguredNoMore() {
        TargetRow missing = TargetRow.of(Set.of("dgx"), List.of(), NOW, List.of("dgx"), List.of("old", "old"))
                .get(1);

        assertThat(missing.getName()).isEqualTo("old");
        assertThat(missing.getState()).isEqualTo("cannot be asked");
        assertThat(missing.getRemark())
                .startsWith("No target of this name is configured any more. Jobs of it run on and 2 waits are held");
    }

    @Test
    @Promise("JK-12")
    void aTargetThatIsConfiguredNoMoreStaysInTheListWithItsJobsAndSaysSo() {
        TargetRow removed =
                TargetRow.of(Set.of(), List.of(health("dgx", 0, "")), NOW).get(0);

        assertThat(removed.getKind()).isEqualTo("lost");
        assertThat(removed.getJobs()).isEqualTo(2);
        assertThat(removed.getRemark())
                .startsWith("No target of this name is configured any more: its running jobs continue");
    }
}
