package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.job.Outcome.Cancelled;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Outcome.Lost;
import io.jenkins.plugins.tao.job.Outcome.Succeeded;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    private static final List<Outcome> ALL = List.of(
            new Succeeded(),
            new Failed(Cause.PROGRAM, "exit code 1"),
            new Cancelled("alice"),
            new Lost(Instant.parse("2026-08-03T09:05:07Z")));

    @Test
    void eachKindIsTakenByItsOwnFunction() {
        assertThat(ALL)
                .extracting(outcome -> outcome.<String>match(
                        succeeded -> "fine",
                        failed -> failed.detail(),
                        cancelled -> cancelled.by(),
                        lost -> lost.lastSeen().toString()))
                .containsExactly("fine", "exit code 1", "alice", "2026-08-03T09:05:07Z");
    }

    @Test
    void eachKindHasItsWord() {
        assertThat(ALL).extracting(Outcome::word).containsExactly("succeeded", "failed", "cancelled", "lost");
    }

    @Test
    void onlyTheMachinesFailuresMayBeTriedAgain() {
        assertThat(Arrays.stream(Cause.values()).filter(Cause::infrastructure))
                .containsExactly(Cause.PREEMPTED, Cause.NODE_FAILURE, Cause.BOOT_FAILURE, Cause.HARDWARE, Cause.FABRIC);
    }
}
