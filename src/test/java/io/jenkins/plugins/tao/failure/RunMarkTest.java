package io.jenkins.plugins.tao.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunMarkTest {
    private static final String MARK = "tao: run 2 starts here: Slurm had put the job back into the queue";

    @Test
    @Promise("TR-07")
    void onlyTheLinesOfTheNewestRunCount() {
        assertThat(RunMark.newest(List.of("DUE TO NODE FAILURE", MARK, "exit 4")))
                .containsExactly("exit 4");
        assertThat(RunMark.newest(List.of("a", MARK, "b", MARK.replace('2', '3'))))
                .isEmpty();
        assertThat(RunMark.newest(List.of("a", "b"))).containsExactly("a", "b");
    }

    @Test
    void theMarkTellsTheNumberOfItsRun() {
        assertThat(RunMark.of(MARK)).contains(2);
        assertThat(RunMark.of("tao: run along")).isEmpty();
    }
}
