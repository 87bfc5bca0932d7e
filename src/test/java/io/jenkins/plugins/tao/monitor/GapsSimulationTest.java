package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A log that cannot be read when its job has ended. */
class GapsSimulationTest extends Simulation {
    private void ended(int misses) {
        JobHandle job = given(1, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        cluster.write(job, Stream.OUT, "the last words\n");
        cluster.miss(job, Stream.OUT, misses);
        watch(job);
        ticker.advance(Duration.ofMinutes(20));
    }

    @Test
    @Promise("TR-08")
    void whatCouldNotBeReadAtTheEndIsReadWithTheNextLook() {
        ended(2);

        assertThat(told(JobEvent.Lines.class))
                .flatExtracting(JobEvent.Lines::lines)
                .containsExactly("the last words");
        assertThat(told(JobEvent.Notice.class)).isEmpty();
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    @Promise("TR-08")
    void whatNeverCameIsToldAndDoesNotHoldTheEndForEver() {
        ended(1000);

        assertThat(told(JobEvent.Lines.class)).isEmpty();
        assertThat(told(JobEvent.Notice.class))
                .singleElement()
                .asString()
                .contains("The end of its log may be missing", "the log store does not answer");
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }
}
