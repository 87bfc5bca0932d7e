package io.jenkins.plugins.tao.backend.box.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.box.diagnosis.BoxDeath.Cause;
import io.jenkins.plugins.tao.job.Ending;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Each cause with its evidence, and what is no evidence. */
class BoxDeathTest {
    private static final List<String> QUIET = List.of("boot b1 b1", "uptime 5000.1", "oom 0 0");

    private static List<String> and(String... facts) {
        return java.util.stream.Stream.concat(QUIET.stream(), List.of(facts).stream())
                .toList();
    }

    private static Cause cause(List<String> facts, OptionalInt code) {
        return BoxDeath.of(facts, code).orElseThrow().cause();
    }

    @Test
    @Promise("GB-38")
    void eachCauseIsToldByItsOwnEvidence() {
        OptionalInt none = OptionalInt.empty();

        assertThat(cause(List.of("boot b1 b2", "uptime 61.5", "oom 0 0"), none)).isEqualTo(Cause.REBOOT);
        assertThat(cause(List.of("boot b1 b1", "oom 2 3"), none)).isEqualTo(Cause.OUT_OF_MEMORY);
        assertThat(cause(and("kernel [99.1] Out of memory: Killed process 123 (python)"), OptionalInt.of(137)))
                .isEqualTo(Cause.OUT_OF_MEMORY);
        assertThat(cause(and("container-oom yes"), OptionalInt.of(137))).isEqualTo(Cause.OUT_OF_MEMORY);
        assertThat(cause(and("signal HUP 1790000000"), none)).isEqualTo(Cause.HANG_UP);
        assertThat(cause(QUIET, none)).isEqualTo(Cause.OUTSIDE);
        assertThat(cause(and("signal TERM 1790000000"), OptionalInt.of(143))).isEqualTo(Cause.KILLED);
        assertThat(BoxDeath.of(and("signal TERM 1790000000"), none)
                        .orElseThrow()
                        .what())
                .contains("the wrapper got SIGTERM, which we did not send");
    }

    /** Seen on a machine with an H200: a killed training was said to have run out of memory, and its machine had counted no such kill. */
    @Test
    void aKillThatTheMachineDidNotCountIsNotForMemory() {
        OptionalInt killed = OptionalInt.of(137);

        assertThat(BoxDeath.of(QUIET, killed).orElseThrow().ending()).isEqualTo(Ending.KILLED);
        assertThat(BoxDeath.of(List.of("boot b1 b1", "oom - -"), killed)
                        .orElseThrow()
                        .ending())
                .isEqualTo(Ending.UNKNOWN);
        assertThat(BoxDeath.of(List.of("boot b1 b1", "oom 2 3"), killed)
                        .orElseThrow()
                        .ending())
                .isEqualTo(Ending.OUT_OF_MEMORY);
    }

    @Test
    @Promise("GB-39")
    void twoFaultsOfAGpuAreFatalAndOthersAreNot() {
        for (int xid : new int[] {48, 79}) {
            BoxDeath death = BoxDeath.of(
                            and("kernel [9.9] NVRM: Xid (PCI:0000:3b:00): " + xid + ", pid=7, name=python"),
                            OptionalInt.empty())
                    .orElseThrow();
            assertThat(death.cause()).isEqualTo(Cause.DEAD_GPU);
            assertThat(death.what()).contains("Xid " + xid + " of PCI:0000:3b:00");
            assertThat(death.remedy()).startsWith("Change the machine");
        }
        assertThat(cause(and("kernel [9.9] NVRM: Xid (PCI:0000:3b:00): 31, pid=7"), OptionalInt.empty()))
                .isEqualTo(Cause.OUTSIDE);
    }

    @Test
    void aProgramThatFailsByItselfIsNobodyElsesFault() {
        assertThat(BoxDeath.of(QUIET, OptionalInt.of(1))).isEmpty();
        assertThat(BoxDeath.of(QUIET, OptionalInt.of(139))).isEmpty();
    }

    @Test
    void aRebootAfterTheEndIsNoCause() {
        assertThat(BoxDeath.of(List.of("boot b1 b2", "oom 0 0"), OptionalInt.of(1)))
                .isEmpty();
    }
}
