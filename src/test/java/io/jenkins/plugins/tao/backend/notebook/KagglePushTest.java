package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.Golden;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What is sent to Kaggle, to the letter. */
class KagglePushTest {
    private static final KaggleTarget TARGET = KaggleAccount.of("dev", "k");
    private static final JobKey KEY = new JobKey("dino-0123456789ab");

    private static JobSpec full() {
        return JobSpec.of("python3 train.py -e {config_path} --data /kaggle/input/coco")
                .resources(new Resources(1, OptionalInt.of(2), OptionalInt.empty(), Optional.of(Duration.ofHours(8))))
                .env(Map.of("LR", "it's 1e-4"))
                .inputs(List.of("/kaggle/input/coco"))
                .spec(Map.of("train", Map.of("num_epochs", 12)))
                .options(Records.of(
                        KaggleOptions.class,
                        "git",
                        "https://github.com/nvidia/code.git",
                        "revision",
                        "v1.2",
                        "datasets",
                        List.of("dev/coco"),
                        "competitions",
                        List.of("titanic"),
                        "kernels",
                        List.of("dev/earlier"),
                        "models",
                        List.of("google/gemma/pyTorch/2b/1"),
                        "resumeFrom",
                        "dev/tao-older",
                        "secretsDataset",
                        "dev/private",
                        "accelerator",
                        "NvidiaTeslaP100",
                        "sessions",
                        3))
                .build();
    }

    private static String part(JobSpec spec, int index) throws Exception {
        List<Preview.Part> parts = new KaggleType().preview(TARGET, spec, KEY).parts();
        return parts.get(index).text();
    }

    @Test
    @Promise("NB-10")
    void theRequestIsKagglesOwnFieldByField() throws Exception {
        Golden.check("backend/notebook/save-kernel.json", part(full(), 0));
        Golden.check(
                "backend/notebook/save-kernel-plain.json",
                part(JobSpec.of("true").build(), 0));
    }

    @Test
    void theNotebookIsWhatItWas() throws Exception {
        Golden.check("backend/notebook/kaggle.ipynb", part(full(), 1));
    }

    /** As the schema of the format 4.5 wants it; and each source is one text, for Kaggle refuses lists. */
    @Test
    void theNotebookIsAValidOne() throws Exception {
        JsonNode notebook = Json.parse(part(full(), 1)).orElseThrow();
        List<String> ids = new ArrayList<>();

        for (JsonNode cell : notebook.path("cells")) {
            ids.add(cell.path("id").asText());
            assertThat(cell.path("id").asText()).matches("[a-zA-Z0-9_-]{1,64}");
            assertThat(cell.path("source").isTextual()).isTrue();
            assertThat(cell.path("metadata").isObject()).isTrue();
            boolean code = cell.path("cell_type").asText().equals("code");
            assertThat(cell.has("outputs")).isEqualTo(code);
            assertThat(cell.has("execution_count")).isEqualTo(code);
            assertThat(cell.path("outputs")).isEmpty();
        }
        assertThat(ids).doesNotHaveDuplicates().containsExactly("about", "prepare", "code", "run", "close");
        assertThat(notebook.path("nbformat").asInt()).isEqualTo(4);
        assertThat(notebook.path("nbformat_minor").asInt()).isEqualTo(5);
        assertThat(notebook.path("metadata").path("kernelspec").path("name").asText())
                .isEqualTo("python3");
    }

    @Test
    void aNotebookGivesBackWhatItWasMadeOf() throws Exception {
        NotebookRun run = NotebookRun.onKaggle(TARGET, full(), KEY, Instant.ofEpochSecond(7));

        assertThat(NotebookRun.ofSource(NotebookText.kaggle(run)).orElseThrow().toString())
                .isEqualTo(run.toString());
        assertThat(NotebookRun.ofSource("{\"cells\": []}")).isEmpty();
        assertThat(NotebookRun.ofSource("not JSON")).isEmpty();
    }

    @Test
    void sourcesAsListsOfLinesAreReadToo() throws Exception {
        String text = NotebookText.kaggle(NotebookRun.onKaggle(TARGET, full(), KEY, Instant.EPOCH));
        com.fasterxml.jackson.databind.node.ObjectNode notebook = (com.fasterxml.jackson.databind.node.ObjectNode)
                Json.parse(text).orElseThrow();
        for (JsonNode cell : notebook.path("cells")) {
            com.fasterxml.jackson.databind.node.ArrayNode lines = Json.list();
            cell.path("source").asText().lines().forEach(line -> lines.add(line + "\n"));
            ((com.fasterxml.jackson.databind.node.ObjectNode) cell).set("source", lines);
        }

        assertThat(NotebookRun.ofSource(notebook.toString()).orElseThrow().key())
                .isEqualTo(KEY);
    }

    @Test
    void theNextSessionAsksForTheSameAndForWhatTheLastOneLeft() throws Exception {
        NotebookRun run =
                NotebookRun.onKaggle(TARGET, full(), KEY, Instant.EPOCH).next("dev", Instant.ofEpochSecond(9));

        JsonNode request = KagglePush.request(run);

        assertThat(request.path("slug").asText()).isEqualTo("dev/tao-dino-0123456789ab-2");
        assertThat(request.path("machineShape").asText()).isEqualTo("NvidiaTeslaP100");
        assertThat(request.path("kernelDataSources").toString())
                .isEqualTo("[\"dev/earlier\",\"dev/tao-dino-0123456789ab\",\"dev/tao-older\"]");
    }

    @Test
    void anyKeyMakesANameThatKaggleTakesAndNoTwoTheSame() {
        String longest = "x".repeat(63);

        for (String key : List.of(
                "a", "A", "a.b", "a_b", "a-b", "train-model-0123456789ab", longest, longest.replace('x', 'y'))) {
            String slug = KaggleSlug.of(new JobKey(key), 100);
            assertThat(slug).as(key).matches("tao-[a-z0-9]+(-[a-z0-9]+)*-100").hasSizeBetween(5, 50);
            assertThat(KaggleSlug.title(slug).toLowerCase(java.util.Locale.ROOT).replace(' ', '-'))
                    .isEqualTo(slug);
        }
        assertThat(List.of("a.b", "a_b", "a-b", "A-B"))
                .extracting(key -> KaggleSlug.of(new JobKey(key), 1))
                .doesNotHaveDuplicates();
        assertThat(KaggleSlug.of(new JobKey("a-b"), 1)).isEqualTo("tao-a-b");
    }

    @Test
    void wordsThatKaggleWouldNotTakeAreRefusedByName() {
        assertThatThrownBy(() -> Records.of(KaggleOptions.class, "accelerator", "Tpu1VmV38"))
                .hasMessageContaining("is a TPU, and TAO needs CUDA");
        assertThatThrownBy(() -> Records.of(KaggleOptions.class, "datasets", List.of("coco")))
                .hasMessageContaining("datasets 'coco' must be owner/name");
        assertThatThrownBy(() -> Records.of(KaggleOptions.class, "git", "https://me:pass@github.com/x.git"))
                .hasMessageContaining("//***@github.com")
                .message()
                .doesNotContain("pass@");
        assertThatThrownBy(() -> Records.of(KaggleOptions.class, "revision", "v1"))
                .hasMessageContaining("revision needs git");
        assertThatThrownBy(() -> Records.of(KaggleOptions.class, "git", "https://x/y", "internet", false))
                .hasMessageContaining("git needs internet");
        assertThatThrownBy(() -> KaggleAccount.of("me/you", "k")).hasMessageContaining("username");
    }
}
