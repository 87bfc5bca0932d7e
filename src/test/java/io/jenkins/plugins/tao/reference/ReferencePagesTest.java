package io.jenkins.plugins.tao.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.file.JobFile;
import io.jenkins.plugins.tao.file.SweepFile;
import io.jenkins.plugins.tao.job.text.Option;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferencePagesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath();
    private static final Pattern VALUE = Pattern.compile("`[^`]+`|[\\d.,]+");

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

    /** {@code 10,000} stood there once, which no file takes. */
    @Test
    void aDefaultThatIsAValueCanBeWrittenSo() {
        RecordBinder files = new RecordBinder(Map.of());
        List<String> values = new ArrayList<>();
        for (Class<?> record : records()) {
            files.components(record).forEach((key, component) -> {
                Option option = component.getAnnotation(Option.class);
                if (option != null && VALUE.matcher(option.defaultsTo()).matches()) {
                    String value = option.defaultsTo().replace("`", "");
                    files.check(key, value, record);
                    values.add(key + ": " + value);
                }
            });
        }

        assertThat(values).contains("maxGpusPerNode: 8", "leastInodes: 10000", "onCancel: leave", "specFormat: yaml");
    }

    private static List<Class<?>> records() {
        List<Class<?>> records = new ArrayList<>(List.of(JobFile.class, SweepFile.class, S3Settings.class));
        for (BackendType type : ServiceLoader.load(BackendType.class)) {
            records.addAll(List.of(type.targetType(), type.optionsType()));
        }
        return records;
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
