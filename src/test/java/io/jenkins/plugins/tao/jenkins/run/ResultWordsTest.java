package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.JobResult;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResultWordsTest {
    private static final JobHandle JOB =
            JobHandle.parse("tao1:slurm:dgx:4711?key=train-1&attempt=1&job=%2Fj&results=%2Fr%2Ftrain-1&at=1");
    private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");

    private static JobResult result(OptionalInt code, Optional<Instant> start, Map<String, Double> kpis) {
        Progress progress = new Progress(
                "SUCCESS",
                "",
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                false,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                kpis);
        return new JobResult(
                JOB,
                new Outcome.Succeeded(),
                code,
                progress,
                start,
                START.plusSeconds(7860),
                List.of(),
                List.of(),
                Set.of());
    }

    @Test
    @Promise("TR-37")
    void theLastLineHasTheTimeTheExitCodeTheMetricsAndThePlaces() {
        JobResult ended = result(OptionalInt.of(0), Optional.of(START), Map.of("val_mAP", 0.71));

        assertThat(ResultWords.facts(ended, "job/train/7/"))
                .isEqualTo("ran 2h11m, exit code 0, val_mAP 0.7100; files in job/train/7/artifact/tao/train-1/,"
                        + " results in /r/train-1");
    }

    @Test
    void whatIsNotKnownIsLeftOut() {
        JobResult ended = result(OptionalInt.empty(), Optional.empty(), Map.of());

        assertThat(ResultWords.facts(ended, "job/train/7/"))
                .isEqualTo("files in job/train/7/artifact/tao/train-1/, results in /r/train-1");
    }
}
