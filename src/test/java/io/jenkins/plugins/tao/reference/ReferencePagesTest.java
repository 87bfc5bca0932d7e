package io.jenkins.plugins.tao.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferencePagesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath();

    @TempDir
    private Path copy;

    @Test
    @Promise("JK-28")
    void eachParameterHasItsFormItsUnitItsDefaultItsVersionAndItsMeaning() {
        Map<String, String> pages = new ReferencePages(ROOT).pages();

        assertThat(pages.get("slurm.md"))
                .contains(
                        "| `maxGpusPerNode` | file, Jenkins | whole number | – | 8 | 0.1.0 | GPUs of one node |",
                        "| `launcher` | file, Jenkins | one of `pyxis`, `apptainer` |",
                        "| `credentialsId` | Jenkins | text |");
        assertThat(pages.get("lepton.md")).contains("| `sharedMemory` | file, Jenkins | whole number | MiB | 131072 |");
        assertThat(pages.get("job-file.md")).contains("| `command` | file | text | – | required |");
        assertThat(pages.get("job-file.md"))
                .contains(
                        "| `matrix` | file | names, each with a list of values or a range | – | no sweep without it |")
                .contains("| `carry` | file | one of `jobs`, `array` | – | `jobs` |");
        assertThat(pages.get("kubernetes.md"))
                .contains("| `runAsUser` | file, Jenkins |", "| `credentialsId` | Jenkins | text |")
                .contains("| `region` | file, Jenkins | text | – | `us-east-1` | 0.1.0 | the region that requests");
        assertThat(pages.get("ssh.md")).contains("| `hosts` | file, Jenkins | list of texts | – | required |");
        assertThat(pages.get("steps.md")).contains("## `taoSubmit`", "| `timeLimit` | text | After this time");
        assertThat(pages.get("README.md")).contains("(slurm.md)", "(steps.md)");
        assertThat(pages)
                .containsKeys("kubernetes.md", "kaggle.md", "ssh.md", "local.md", "simulated.md")
                .allSatisfy((file, page) -> assertThat(page).doesNotContain("|  |"));
    }

    @Test
    void noComponentOfARecordIsForgotten() {
        List<Parameter> parameters = new RecordParameters(docs()).of(SlurmOptions.class);

        assertThat(parameters)
                .extracting(Parameter::name)
                .containsExactlyElementsOf(Stream.of(SlurmOptions.class.getRecordComponents())
                        .map(component -> component.getName())
                        .toList());
    }

    @Test
    @Promise("JK-28")
    void noPageIsStaleAndNoneIsOfNothing() throws IOException {
        assertThat(new ReferencePages(ROOT).stale())
                .as("stale pages of docs/reference: run %s, and commit it", ReferencePages.COMMAND)
                .isEmpty();
    }

    @Test
    void stalePagesAreWrittenAndThoseOfNothingDeleted() throws IOException {
        Path folder = copy.resolve("docs/reference");
        Files.createSymbolicLink(copy.resolve("src"), ROOT.resolve("src"));
        ReferencePages pages = new ReferencePages(copy);
        assertThat(pages.write()).contains("slurm.md", "steps.md");
        assertThat(pages.stale()).isEmpty();

        Files.writeString(folder.resolve("slurm.md"), "old");
        Files.writeString(folder.resolve("gone.md"), "old");

        assertThat(pages.stale()).containsExactly("slurm.md", "gone.md");
        assertThat(pages.write()).containsExactly("slurm.md", "gone.md");
        assertThat(folder.resolve("gone.md")).doesNotExist();
        assertThat(pages.stale()).isEmpty();
    }

    private static SourceDocs docs() {
        return new SourceDocs(ROOT.resolve("src/main/java"));
    }
}
