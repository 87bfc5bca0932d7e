package io.jenkins.plugins.tao.backend.slurm.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The properties of a job for slurmrestd, made of its staged script. */
final class RestJobTest {
    private static final RestVersion OLD = new RestVersion(38);
    private static final RestVersion NEW = new RestVersion(41);

    private static JsonNode body(RestVersion version, String script, String... avoid) throws Rejected {
        RestOrder order = new RestOrder(2, "/opt/slurm/bin:/bin", Optional.empty(), "/lustre/tao", script);
        return RestJob.of(version, order, new LinkedHashSet<>(List.of(avoid)));
    }

    private static String script(String... options) {
        return "#!/bin/bash\n#SBATCH " + String.join("\n#SBATCH ", options) + "\n\ntrue\n";
    }

    private static String whole() throws Exception {
        SlurmOptions options = Records.draft(SlurmOptions.class)
                .with("partition", "polar,polar3")
                .with("mem", "2G")
                .with("gpuType", "a100")
                .with("exclude", "gpu[07-08]")
                .with("requeue", false)
                .with("dependency", "afterok:12")
                .with("exclusive", true)
                .build();
        return Sample.script(JobSpec.of("true")
                .resources(Sample.machines(2, 8))
                .options(options)
                .build());
    }

    /** Tried out on 22.05.8: a list of nodes asks for one, a boolean for all nodes is refused, requeue: false does nothing. */
    @Test
    @Promise("NS-27")
    void aJobOfVersion38() throws Exception {
        JsonNode job = body(OLD, whole(), "gpu03").path("job");

        assertThat(job.path("name").asText()).isEqualTo("tao-job-dino-train-0a1b2c");
        assertThat(job.path("nodes")).hasToString("\"2\"");
        assertThat(job.path("tasks")).hasToString("2");
        assertThat(job.path("tasks_per_node")).hasToString("1");
        assertThat(job.path("gres").asText()).isEqualTo("gpu:a100:8");
        assertThat(job.path("time_limit")).hasToString("240");
        assertThat(job.path("memory_per_node")).hasToString("2048");
        assertThat(job.path("wait_all_nodes")).hasToString("1");
        assertThat(job.path("exclusive").asText()).isEqualTo("exclusive");
        assertThat(job.path("no_requeue").asBoolean()).isTrue();
        assertThat(job.path("open_mode").asText()).isEqualTo("append");
        assertThat(job.path("exclude_nodes").asText()).isEqualTo("gpu[07-08],gpu03");
        assertThat(job.path("kill_on_invalid_dependency").asBoolean()).isTrue();
        assertThat(job.path("current_working_directory").asText()).isEqualTo("/lustre/tao");
        assertThat(job.path("environment")).isEqualTo(object("PATH", "/opt/slurm/bin:/bin", "TAO_ATTEMPT", "2"));
    }

    private static JsonNode object(String... entries) {
        var object = io.jenkins.plugins.tao.http.Json.object();
        for (int i = 0; i < entries.length; i += 2) {
            object.put(entries[i], entries[i + 1]);
        }
        return object;
    }

    @Test
    @Promise("NS-27")
    void aJobOfVersion41() throws Exception {
        JsonNode job = body(NEW, whole(), "gpu03").path("job");

        assertThat(job.path("tres_per_node").asText()).isEqualTo("gres/gpu:a100:8");
        assertThat(job.path("time_limit")).hasToString("{\"set\":true,\"infinite\":false,\"number\":240}");
        assertThat(job.path("memory_per_node").path("number").asInt()).isEqualTo(2048);
        assertThat(job.path("wait_all_nodes")).hasToString("true");
        assertThat(job.path("shared")).hasToString("[\"none\"]");
        assertThat(job.path("requeue")).hasToString("false");
        assertThat(job.path("open_mode")).hasToString("[\"APPEND\"]");
        assertThat(job.path("flags")).hasToString("[\"KILL_INVALID_DEPENDENCY\"]");
        assertThat(job.path("excluded_nodes")).hasToString("[\"gpu07\",\"gpu08\",\"gpu03\"]");
        assertThat(job.path("environment"))
                .anySatisfy(entry -> assertThat(entry.asText()).isEqualTo("TAO_ATTEMPT=2"));
        assertThat(job.path("environment")).hasSize(2);
    }

    @Test
    void theScriptGoesWholeBehindALineThatSetsWhatALoginWould() throws Exception {
        String script = whole();

        String sent = body(OLD, script).path("script").asText();

        assertThat(sent).startsWith("#!/bin/bash\nexport HOME=");
        assertThat(sent.lines().filter(line -> !line.startsWith("export HOME=")).toList())
                .isEqualTo(script.lines().toList());
    }

    @Test
    void aWarningForTheBatchShellGoesWhereTheVersionHasAPlaceForIt() throws Exception {
        JsonNode job = body(NEW, script("--signal=B:TERM@360")).path("job");

        assertThat(job.path("kill_warning_flags")).hasToString("[\"BATCH_JOB\"]");
        assertThat(job.path("kill_warning_signal").asText()).isEqualTo("TERM");
        assertThat(job.path("kill_warning_delay").path("number").asInt()).isEqualTo(360);
        assertThat(body(OLD, script("--signal=TERM@360"))
                        .path("job")
                        .path("signal")
                        .asText())
                .isEqualTo("TERM@360");
        assertThatThrownBy(() -> body(OLD, script("--signal=B:TERM@360")))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("--signal=B:TERM@360 cannot be given to slurmrestd in v0.0.38");
    }

    @Test
    @Promise("NS-27")
    void anOptionWithoutPropertyIsRefusedAndNotForgotten() {
        for (String option : List.of("--switches=1", "--nice=many", "--time=1-00:00:00", "--mem=lots", "--propagate")) {
            for (RestVersion version : List.of(OLD, NEW)) {
                assertThatThrownBy(() -> body(version, script(option)))
                        .as(option)
                        .isInstanceOf(Rejected.class)
                        .hasMessageContaining(option);
            }
        }
    }

    @Test
    void aNodeThatIsAskedForByNameIsNotExcluded() throws Exception {
        JsonNode job =
                body(OLD, script("--nodelist=gpu[01-02]"), "gpu02", "gpu09").path("job");

        assertThat(job.path("exclude_nodes").asText()).isEqualTo("gpu09");
        assertThat(job.path("nodelist").asText()).isEqualTo("gpu[01-02]");
        assertThat(body(OLD, script("--nodes=1"), new String[0]).path("job").has("exclude_nodes"))
                .isFalse();
    }
}
