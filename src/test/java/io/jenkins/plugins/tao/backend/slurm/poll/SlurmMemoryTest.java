package io.jenkins.plugins.tao.backend.slurm.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines are those of squeue -O and sstat, Slurm 22.05.8, 2026-11. */
final class SlurmMemoryTest {
    private static final List<String> GRANTED = List.of(
            "2                   1           cpu=1,mem=300M,node=1,billing=1",
            "3                   2           cpu=2,mem=1000G,node=2,billing=2,gres/gpu=2");

    private final SlurmMemory memory = new SlurmMemory();

    private static List<String> held(long mebibytes) {
        return List.of("2.extern|77824", "2.batch|" + (mebibytes << 20), "3.0|106496");
    }

    @Test
    @Promise("SG-18")
    void growthBeyondFourFifthsIsToldOnceForEachLevel() {
        assertThat(memory.look(GRANTED, held(100))).isEmpty();
        assertThat(memory.look(GRANTED, held(245)).get("2"))
                .contains("245 of the 300 MiB", "(81 %)", "145 MiB more", "step 2.batch", "mem: '360M'");
        assertThat(memory.look(GRANTED, held(250))).isEmpty();
        assertThat(memory.look(GRANTED, held(275))).containsOnlyKeys("2");
        assertThat(memory.look(GRANTED, held(275))).isEmpty();
    }

    @Test
    void aJobThatStandsStillBelowNineTenthsIsLeftAlone() {
        assertThat(memory.look(GRANTED, held(250))).isEmpty();
        assertThat(memory.look(GRANTED, held(250))).isEmpty();
    }

    @Test
    void whatIsGrantedCountsByNode() {
        assertThat(memory.look(GRANTED, List.of("3.0|" + (490L << 30)))).containsOnlyKeys("3");
    }

    @Test
    void withoutFiguresNothingIsTold() {
        assertThat(memory.look(GRANTED, List.of())).isEmpty();
        assertThat(memory.look(List.of(), held(299))).isEmpty();
        assertThat(memory.look(List.of("9 1 cpu=1,node=1"), List.of("9.batch|", "sstat: error: no steps")))
                .isEmpty();
    }
}
