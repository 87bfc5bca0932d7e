package io.jenkins.plugins.tao.backend.slurm.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Golden;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmScript;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.SpecFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The notation of arrays, and what a plan makes of it. */
final class SlurmArrayTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0-15%4 | 0-15%4",
                "7 | 7",
                "1,3,5-9:2 | 1-9:2",
                "5,4,4 | 4-5",
                "3,7 | 3,7",
                "0-1,5,9-10 | 0-1,5,9-10",
                "0-100:25,30 | 0,25,30,50-100:25",
                "0-15:4%2 | 0-12:4%2"
            })
    void everyWayToWriteItIsReadAndTheShortestIsWritten(String text, String rendered) {
        SlurmArray array = SlurmArray.parse(text);

        assertThat(array.render()).isEqualTo(rendered);
        assertThat(SlurmArray.parse(rendered)).isEqualTo(array);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "1-",
                "-1",
                "5-3",
                "1,,2",
                "0-9:0",
                "0-9%0",
                "0-9%",
                "0-9%2%3",
                " 1",
                "0-9 %2",
                "1;2",
                "$(id)",
                "0-4000001",
                "0-99999999",
                "0-5000",
                "4000001"
            })
    void whatSlurmWouldNotTakeOrNobodyCouldWatchIsRefused(String text) {
        assertThatThrownBy(() -> SlurmArray.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theIdOfAnAttemptNamesItsMembers() {
        JobHandle job = Sample.handle("a", "4711_[0-3,7]");
        ArrayId id = ArrayId.of(job).orElseThrow();

        assertThat(id.array().members()).containsExactly(0, 1, 2, 3, 7);
        assertThat(id.render()).isEqualTo(job.nativeId());
        assertThat(id.member(job, 7).nativeId()).isEqualTo("4711_7");
        assertThat(ArrayId.whole(job)).isEqualTo("4711");
        assertThat(JobHandle.parse(job.token())).isEqualTo(job);
        assertThat(ArrayId.of(Sample.handle("a", "4711"))).isEmpty();
        assertThat(ArrayId.of(Sample.handle("a", "4711_7"))).isEmpty();
    }

    private static JobSpec job(Records.Draft<SlurmOptions> options) {
        return JobSpec.of("dino train -e {config_path} results={results_dir} {array_task} $SLURM_ARRAY_TASK_ID")
                .spec(Map.of("train", Map.of("seed", 7)))
                .options(options.build())
                .build();
    }

    @Test
    void theScriptOfAnArrayNamesLogsAndResultsByMember() throws Exception {
        SlurmPlan plan = SlurmPlan.of(
                Sample.target().build(), job(Records.draft(SlurmOptions.class).with("array", "0-15%4")), Sample.KEY);

        Golden.check("backend/slurm/array.sbatch", SlurmScript.render(plan));
        assertThat(plan.files().get(plan.layout().config(Sample.KEY, SpecFormat.YAML)))
                .contains("results_dir: \"/lustre/tao/results/dino-train-0a1b2c/{array_task}\"");
        assertThat(plan.files().get(plan.layout().meta(Sample.KEY))).contains("\"array\":\"0-15%4\"");
        assertThat(plan.results()).isEqualTo("/lustre/tao/results/dino-train-0a1b2c");
    }

    @Test
    void theRolesOfACosmosJobAreNoMembers() {
        JobSpec spec = JobSpec.of("cosmos-rl --config {config_path}")
                .spec(Map.of("policy", Map.of()))
                .resources(new Resources(2, OptionalInt.of(8), OptionalInt.empty(), Optional.of(Duration.ofHours(1))))
                .options(Records.of(SlurmOptions.class, "array", "0-3"))
                .build();

        assertThatThrownBy(() -> SlurmPlan.of(Sample.target().build(), spec, Sample.KEY))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("cosmos-rl");
    }

    @Test
    void aSecondAttemptKeepsTheLimitOfTheFirst() {
        assertThat(SlurmArray.parse("0-15%4").only(List.of(3, 7)).render()).isEqualTo("3,7%4");
    }
}
