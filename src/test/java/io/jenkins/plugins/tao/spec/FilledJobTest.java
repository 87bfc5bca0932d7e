package io.jenkins.plugins.tao.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SpecFormat;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FilledJobTest {
    private static final JobKey KEY = new JobKey("coco-1");
    private static final FilledJob.Place PLACE = FilledJob.Place.of("/r/coco-1", "/c/spec.yaml", 4);

    private static FilledJob filled(JobSpec.Builder job) {
        return FilledJob.of(job.build(), KEY, PLACE);
    }

    @Test
    void placeholdersOfTheCommandBecomeWordsOfAShell() throws Exception {
        FilledJob.Place odd = FilledJob.Place.of("/my results/it's", "/a b/spec.yaml", 2);
        JobSpec job = JobSpec.of("do -e {config_path} -o {results_dir}/x {job_id} {num_gpus} {other} {{job_id}} $1 \\1")
                .spec(Map.of("a", 1))
                .build();

        assertThat(FilledJob.of(job, KEY, PLACE).command())
                .isEqualTo("do -e /c/spec.yaml -o /r/coco-1/x coco-1 4 {other} {coco-1} $1 \\1");
        assertThat(FilledJob.of(job, KEY, odd).command())
                .startsWith("do -e '/a b/spec.yaml' -o '/my results/it'\\''s'/x coco-1 2");
    }

    @Test
    void aCommandThatNamesASpecWhichIsNotThereIsRefused() {
        assertThatThrownBy(() -> filled(JobSpec.of("do {config_path}")).command())
                .isInstanceOf(Rejected.class)
                .hasMessage("The command of job 'coco-1' names {config_path}, but the job has no spec.");
    }

    @Test
    @Promise("GE-11")
    void theJobIsToldWhoItIsOverAllElseAndItsSecretsStayOut() {
        JobSpec.Builder job = JobSpec.of("x")
                .env(Map.of("TAO_JOB_ID", "liar", "PYTHONUNBUFFERED", "0", "MINE", "1", "SHARED", "user"))
                .secrets(Map.of("KEY", Secret.of("hidden")));
        Map<String, String> backends = new LinkedHashMap<>(Map.of("SHARED", "backend", "KEY", "no", "OURS", "2"));

        assertThat(filled(job).env(backends))
                .isEqualTo(Map.of(
                        "PYTHONUNBUFFERED", "0",
                        "TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE", "[rank${rank}]: ",
                        "MINE", "1",
                        "SHARED", "user",
                        "OURS", "2",
                        "TAO_JOB_ID", "coco-1",
                        "TAO_RESULTS_DIR", "/r/coco-1",
                        "TAO_RESULTS_ROOT", "/r",
                        "TAO_API_RESULTS_DIR", "/r"));
    }

    /** NVIDIA's own specs name one for each action. */
    @Test
    void theResultsDirectoriesOfSectionsLieBelowTheJobsResultsAndTheLogSaysSo() throws Exception {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("train", Map.of("results_dir", "/results/train/", "num_epochs", 2));
        spec.put("evaluate", Map.of("results_dir", "/results/evaluate", "checkpoint", "/results/train/model.pth"));
        spec.put("inference", Map.of("results_dir", "/r/coco-1/mine"));
        spec.put("export", Map.of("results_dir", "${results_dir}/export", "onnx_file", "/results/training.onnx"));
        JobSpec job = JobSpec.of("do -e {config_path}").spec(spec).build();

        Map<String, Object> filled = FilledJob.of(job, KEY, PLACE).spec();

        assertThat(filled)
                .containsEntry("results_dir", "/r/coco-1")
                .containsEntry("train", Map.of("results_dir", "/r/coco-1/train/", "num_epochs", 2))
                .containsEntry(
                        "evaluate",
                        Map.of("results_dir", "/r/coco-1/evaluate", "checkpoint", "/r/coco-1/train/model.pth"))
                .containsEntry("inference", spec.get("inference"))
                .containsEntry("export", spec.get("export"));
        assertThat(FilledJob.of(job, KEY, PLACE).command())
                .contains(
                        "echo 'tao: the spec sets its own results_dir, /results/train; it is changed to /r/coco-1/train,")
                .endsWith("do -e /c/spec.yaml");
    }

    @Test
    void theSpecSaysWhereDataLiesAndWhereResultsGo() throws Exception {
        JobSpec job = JobSpec.of("x {config_path}")
                .spec(Map.of("results_dir", "output", "data", List.of("s3://b/set/a.json", "s3://b/settings", 3)))
                .specFormat(SpecFormat.JSON)
                .build();
        FilledJob.Place place = PLACE.data(Addresses.NONE.with("s3://b/set/", "/in/set")::rewrite);

        Map<String, Object> spec = FilledJob.of(job, KEY, place).spec();

        assertThat(spec)
                .isEqualTo(Map.of("results_dir", "/r/coco-1", "data", List.of("/in/set/a.json", "s3://b/settings", 3)));
        assertThat(filled(JobSpec.of("x")).spec()).isEmpty();
        assertThat(filled(JobSpec.of("x")).specText()).isEmpty();
    }

    @Test
    void aSpecThatItsFormatCannotSayIsRefusedWithTheKeyAndTheWayOut() {
        Map<String, Object> train = new LinkedHashMap<>();
        train.put("resume", null);
        JobSpec.Builder job =
                JobSpec.of("x {config_path}").spec(Map.of("train", train)).specFormat(SpecFormat.TOML);

        assertThatThrownBy(() -> filled(job).specText())
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("'coco-1'")
                .hasMessageContaining("'train.resume' has no value, which TOML cannot say")
                .hasMessageContaining("specFormat yaml or json");
    }

    @Test
    void resultsAreAskedForByTheJobThenByItsSpec() {
        JobSpec.Builder bySpec = JobSpec.of("x").spec(Map.of("results_dir", "/spec"));

        assertThat(FilledJob.requestedResults(bySpec.build())).hasValue("/spec");
        assertThat(FilledJob.requestedResults(bySpec.resultsDirectory("/job").build()))
                .hasValue("/job");
        assertThat(FilledJob.requestedResults(
                        JobSpec.of("x").spec(Map.of("results_dir", "")).build()))
                .isEmpty();
    }

    @Test
    void theMoreSpecificAddressWinsAndOneThatOnlyBeginsAlikeStays() {
        Addresses addresses = Addresses.NONE
                .with("https://h/a", "/one")
                .with("https://h/a/b", "/two")
                .with("hf://org/model", "/hf");

        for (String[] each : Arrays.asList(
                new String[] {"https://h/a/b/c", "/two/c"},
                new String[] {"x=https://h/a//c;", "x=/one/c;"},
                new String[] {"\"https://h/a/\"", "\"/one\""},
                new String[] {"https://h/abc", "https://h/abc"},
                new String[] {"[hf://org/model,hf://org/model-2]", "[/hf,hf://org/model-2]"})) {
            assertThat(addresses.rewrite(each[0])).isEqualTo(each[1]);
        }
    }
}
