package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobHandleTest {
    private static final Instant AT = Instant.parse("2026-08-03T09:05:07.250Z");
    private static final JobHandle JOB =
            new JobHandle("dgx", "slurm", new JobKey("bert-ft"), 1, "4711", "/lustre/tao/jobs/b", "/lustre/tao/r", AT);

    /** Of a job with a further attempt, the files of the first one are its own. */
    @Test
    void aFurtherAttemptKeepsWhenTheFirstBegan() {
        Instant first = JOB.submittedAt();
        JobHandle third = JOB.nextAttempt("4712", first.plusSeconds(60)).nextAttempt("4713", first.plusSeconds(120));

        assertThat(JOB.begunAt()).isEqualTo(first);
        assertThat(JobHandle.parse(third.token())).isEqualTo(third);
        assertThat(third.begunAt()).isEqualTo(first);
        assertThat(JobHandle.parse(third.token().replaceFirst("&first=\\d+", ""))
                        .begunAt())
                .isEqualTo(third.submittedAt());
    }

    @Test
    void theTokenIsOneReadableLine() {
        assertThat(JOB.token())
                .isEqualTo("tao1:slurm:dgx:4711?key=bert-ft&attempt=1&job=%2Flustre%2Ftao%2Fjobs%2Fb"
                        + "&results=%2Flustre%2Ftao%2Fr&at=1785747907");
    }

    @RepeatedTest(100)
    void theTokenOfAnyHandleReadsBackTheSame(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        JobHandle job = new JobHandle(
                nasty(random),
                "slurm",
                new JobKey("k" + random.nextInt(1000)),
                1 + random.nextInt(20),
                nasty(random),
                "/" + nasty(random),
                "/" + nasty(random),
                Instant.ofEpochSecond(random.nextInt(Integer.MAX_VALUE), 5),
                maybe(random).map(Instant.EPOCH::plus),
                maybe(random),
                maybe(random),
                random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(100)),
                maybe(random).map(time -> new RetryBudget("20 GPU-hours")));

        assertThat(job.token()).doesNotContainAnyWhitespaces();
        assertThat(JobHandle.parse(job.token())).isEqualTo(job);
    }

    private static Optional<Duration> maybe(Random random) {
        return random.nextBoolean() ? Optional.empty() : Optional.of(Duration.ofSeconds(60 + random.nextInt(100_000)));
    }

    @Test
    void blanksAroundATokenAndParametersOfANewerVersionPassBy() {
        assertThat(JobHandle.parse("  " + JOB.token() + "&colour=green\n")).isEqualTo(JOB);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "4711",
                "tao2:slurm:dgx:4711?key=a&attempt=1&job=b&results=c&at=1",
                "tao1:slurm:dgx:4711?",
                "tao1:slurm:dgx:4711?key=a&attempt",
                "tao1:slurm:dgx:4711?key=a&attempt=1&job=b&results=c",
                "tao1:slurm:dgx:4711?key=a&attempt=one&job=b&results=c&at=1",
                "tao1:slurm:dgx:4711?key=a&attempt=0&job=b&results=c&at=1",
                "tao1:slurm:dgx:4711?key=a&attempt=1&job=b&results=c&at=9999999999999999999",
                "tao1:slurm:dgx:4711?key=a&attempt=1&job=%zz&results=c&at=1"
            })
    void whatIsNoTokenIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> JobHandle.parse(text));
    }

    @Test
    void aCutTokenSaysWhatItLacks() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobHandle.parse("tao1:slurm:dgx:4711?key=a"))
                .withMessageContaining("has no attempt")
                .withMessageContaining("copy it again");
    }

    @Test
    void theNextAttemptKeepsTheJobsIdAndPlacesUnderANewNativeId() {
        JobHandle next = JOB.nextAttempt("4712", AT.plusSeconds(60));

        assertThat(next.key()).isEqualTo(JOB.key());
        assertThat(next.resultsDirectory()).isEqualTo(JOB.resultsDirectory());
        assertThat(next.jobDirectory()).isEqualTo(JOB.jobDirectory());
        assertThat(next.attempt()).isEqualTo(2);
        assertThat(next.shortName()).isEqualTo("dgx/4712");
    }

    @Test
    void aHandleWithoutAPlaceOrIdIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> handle(" ", "slurm", "1"));
        assertThatIllegalArgumentException().isThrownBy(() -> handle("dgx", "Slurm", "1"));
        assertThatIllegalArgumentException().isThrownBy(() -> handle("dgx", "slurm", ""));
    }

    private static JobHandle handle(String target, String backend, String nativeId) {
        return new JobHandle(target, backend, new JobKey("a"), 1, nativeId, "/j", "/r", AT);
    }

    private static String nasty(Random random) {
        String alphabet = "aZ0 ?&=:%+/\\'\"\n\t#;$`é量😀~<>|*";
        int[] points = alphabet.codePoints().toArray();
        StringBuilder text = new StringBuilder("x");
        for (int i = random.nextInt(12); i > 0; i--) {
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return text.toString();
    }
}
