package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that cannot be read when its job has ended. Whatever is awaited has an end: news, an answer without news, or patience. */
class GapsSimulationTest extends Simulation {
    private static final JobStatus COMPLETED =
            JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0);
    private static final String WORDS = "The end of its log may be missing";

    private JobHandle job() {
        return given(1, COMPLETED);
    }

    private void ended(int misses) {
        JobHandle job = job();
        cluster.write(job, Stream.OUT, "the last words\n");
        cluster.files.miss(job, Stream.OUT, misses);
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
                .contains(WORDS, "the log store does not answer");
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    @Promise("TR-08")
    void aJobEndsWithTheFirstReadThatAnswersThoughItHasNoNews(int misses) {
        JobHandle job = given(1, RUNNING);
        cluster.write(job, Stream.OUT, "the last words\n");
        watch(job);
        cluster.set(job, COMPLETED);
        cluster.files.miss(job, Stream.OUT, misses);
        ticker.advance(Duration.ofSeconds(30));

        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
        assertThat(told(JobEvent.Notice.class)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Stream.class)
    void ofSeveralStreamsEachThatFailedIsAwaitedAndNoOther(Stream failing) {
        JobHandle job = job();
        cluster.write(job, Stream.OUT, "the last words\n");
        cluster.files.miss(job, failing, 2);
        watch(job);

        assertThat(told(JobEvent.Ended.class)).isEmpty();
        ticker.advance(Duration.ofSeconds(4));
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
        assertThat(told(JobEvent.Notice.class)).isEmpty();
    }

    @Test
    void aStreamThatNeverComesBesideOneThatGrowsHoldsTheEndForAMinute() {
        JobHandle job = job();
        cluster.files.miss(job, Stream.STATUS, 1000);
        watch(job);
        for (int second = 0; second < 50; second++) {
            cluster.write(job, Stream.OUT, second + "\n");
            ticker.advance(Duration.ofSeconds(1));
        }

        assertThat(told(JobEvent.Ended.class)).isEmpty();
        ticker.advance(Duration.ofSeconds(15));
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
        assertThat(told(JobEvent.Notice.class)).singleElement().asString().contains(WORDS);
    }

    @Test
    void failuresBeforeTheEndNeitherHoldItNorTakeItsPatienceAway() {
        JobHandle job = given(1, RUNNING);
        cluster.write(job, Stream.OUT, "the last words\n");
        cluster.files.miss(job, Stream.OUT, 12);
        watch(job);
        while (cluster.reads.get() < 10) {
            ticker.advance(Duration.ofSeconds(1));
        }
        cluster.set(job, COMPLETED);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(JobEvent.Lines.class))
                .flatExtracting(JobEvent.Lines::lines)
                .containsExactly("the last words");
        assertThat(told(JobEvent.Notice.class)).isEmpty();
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    void failuresBeforeTheEndFollowedByQuietAnswersDoNotHoldIt() {
        JobHandle job = given(1, RUNNING);
        cluster.files.miss(job, Stream.OUT, 1);
        watch(job);
        cluster.set(job, COMPLETED);
        ticker.advance(Duration.ofSeconds(20));

        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 20})
    void readsThatFailAsAWholeAreMadeAgain(int times) {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.set(job, COMPLETED);
        cluster.write(job, Stream.OUT, "the last words\n");
        cluster.files.fail(times, silence());
        ticker.advance(Duration.ofSeconds(70));

        assertThat(told(JobEvent.Lines.class))
                .flatExtracting(JobEvent.Lines::lines)
                .containsExactly("the last words");
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    void aJobWhoseTargetAnswersAndNeverLetsItsFilesBeReadEnds() {
        JobHandle job = given(1, RUNNING);
        cluster.write(job, Stream.OUT, "Traceback\n");
        watch(job);
        cluster.set(job, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(1));
        cluster.files.fail(100_000, new Denied("The log store refuses.", "Ask its owner."));
        ticker.advance(Duration.ofHours(1));

        assertThat(outcome()).isInstanceOf(Outcome.Failed.class);
        assertThat(told(JobEvent.Notice.class)).singleElement().asString().contains(WORDS, "The log store refuses");
    }

    @Test
    void aFaultOfOursInReadingDoesNotHoldTheEndEither() {
        JobHandle job = job();
        cluster.files.fail(100_000, new IllegalStateException("a line that nobody foresaw"));
        watch(job);
        ticker.advance(Duration.ofMinutes(5));

        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    void whatOneAttemptLacksIsNotAwaitedOfTheNext() {
        JobHandle job = given(1, NODE_FAIL);
        cluster.files.miss(job, Stream.OUT, 1000);
        watch(job);
        while (told(JobEvent.AttemptStarted.class).isEmpty()) {
            ticker.advance(Duration.ofSeconds(5));
        }
        cluster.set(told(JobEvent.AttemptStarted.class).get(0).next(), COMPLETED);
        ticker.advance(Duration.ofSeconds(5));

        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
        assertThat(told(JobEvent.Notice.class)).hasSize(1);
    }
}
