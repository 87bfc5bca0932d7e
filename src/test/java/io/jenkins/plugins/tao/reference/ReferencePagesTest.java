package io.jenkins.plugins.tao.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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

/** The pages are made in a copy: whether those of docs/reference are fresh is for the build's last phase to say. */
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
    void aStalePageAndOneOfNothingFailTheBuild() throws IOException {
        Path folder = copy.resolve("docs/reference");
        Files.createSymbolicLink(copy.resolve("src"), ROOT.resolve("src"));
        ReferencePages pages = new ReferencePages(copy);
        assertThatIllegalStateException().isThrownBy(() -> pages.run(false)).withMessageContaining("slurm.md");

        assertThat(pages.run(true)).startsWith("written: ");
        assertThat(pages.run(false)).isEqualTo("is up to date.");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.toList())
                    .as("run ./mvnw -q test-compile exec:java@reference -Dfeatures=write, and commit docs/reference")
                    .isNotEmpty()
                    .allSatisfy(
                            file -> assertThat(ROOT.resolve("docs/reference").resolve(file.getFileName()))
                                    .hasSameTextualContentAs(file));
        }

        Files.writeString(folder.resolve("slurm.md"), "old");
        Files.writeString(folder.resolve("gone.md"), "old");
        assertThatIllegalStateException()
                .isThrownBy(() -> pages.run(false))
                .withMessageContaining("docs/reference is stale: [slurm.md, gone.md]. Run ./mvnw");
        assertThat(pages.run(true)).isEqualTo("written: [slurm.md, gone.md].");
        assertThat(folder.resolve("gone.md")).doesNotExist();
    }

    private static SourceDocs docs() {
        return new SourceDocs(ROOT.resolve("src/main/java"));
    }
}
