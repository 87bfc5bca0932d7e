package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.model.Run;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.config.SlurmTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.freestyle.TaoBuilder;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.step.RunStep;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.reference.Forms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/** What earlier versions saved is read: homes of Jenkins that they really wrote, and objects that lack every field. */
class SavedStateTest {
    private static final String OLDEST = "0.1.0-2026-11-21";
    private static final String LATEST = "0.1.0-2026-11-23";
    private static final Pattern TOKEN = Pattern.compile("tao1:[\\w:.-]+\\?[\\w=&%;.-]*at=\\d+");

    @TempDir
    private Path directory;

    @Test
    @Promise("JK-23")
    void theOldestConfigurationIsReadWithEachOfItsValues() {
        Path file = home(OLDEST).resolve(TaoGlobalConfiguration.class.getName() + ".xml");

        TaoGlobalConfiguration read =
                SavedXml.read(file, TaoGlobalConfiguration.class).get(0);

        assertThat(read.getTargets()).extracting(TargetConfiguration::getName).containsExactly("local", "dgx");
        assertThat(values(
                        file, SlurmTargetConfiguration.class, read.getTargets().get(1)))
                .hasSizeGreaterThan(15);
        assertThat(read.getPrices() + read.getBudgets()).isEmpty();
        assertThat(read.getMlflow()).isNull();
    }

    @Test
    @Promise("JK-23")
    void theOldestFreestyleJobIsReadWithEachOfItsValues() {
        Path file = home(OLDEST).resolve("jobs/freestyle/config.xml");

        TaoBuilder read = SavedXml.read(file, TaoBuilder.class).get(0);

        assertThat(values(file, TaoBuilder.class, read)).contains("archive", "retries", "log");
        Element job = SavedXml.elements(file, "job").get(0);
        assertThat(same(job, read.getJob())).contains("command", "secrets", "spec");
        Element options = SavedXml.elements(file, "options").get(0);
        assertThat(same(options, Objects.requireNonNull(read.getJob().getOptions())))
                .contains("partition", "account", "sbatch");
    }

    @ParameterizedTest
    @Promise("JK-23")
    @CsvSource({"ok, SUCCESS, ENDED", "fails, FAILURE, ENDED", "open, RUNNING, BUILD", "detached, SUBMITTED, BUILD"})
    void theJobsOfTheOldestBuildsAreRead(String job, String state, JobOwner owner) {
        Path build = home(OLDEST).resolve("jobs").resolve(job).resolve("builds/1/build.xml");
        try (FakeJenkins jenkins = FakeJenkins.in(directory, new TaoRunActions())) {
            TaoRunAction read = SavedXml.read(build, TaoRunAction.class).get(0);
            read.onLoad(jenkins.build(job));

            assertThat(read.getJobs()).singleElement().satisfies(record -> {
                assertThat(record.getState()).isEqualTo(state);
                assertThat(record.owner()).isEqualTo(owner);
                assertThat(record.getTarget()).isEqualTo("local");
                assertThat(read.getRows())
                        .singleElement()
                        .satisfies(row -> assertThat(row.getId()).isEqualTo(record.getId()));
            });
        }
    }

    @ParameterizedTest
    @Promise("JK-23")
    @CsvSource({"gated, SUCCESS, 2", "open, RUNNING, 0", "detached, SUBMITTED, 0"})
    void theJobsAndGatesOfLaterBuildsAreRead(String job, String state, int gates) throws IOException {
        try (FakeJenkins jenkins = FakeJenkins.in(directory, new TaoRunActions())) {
            Run<?, ?> build = jenkins.build(job);
            copy(
                    home(LATEST).resolve("jobs").resolve(job).resolve("builds/1/tao"),
                    build.getRootDir().toPath().resolve("tao"));

            TaoRunAction read = TaoRunAction.of(build);

            assertThat(read.getJobs()).extracting(JobRecord::getState).containsExactly(state);
            assertThat(read.getGates()).hasSize(gates);
        }
    }

    @Test
    @Promise("JK-23")
    void aRequestThatIsToBeRepeatedIsReadWithEachOfItsValues() throws IOException {
        List<Path> requests = SavedXml.files().stream()
                .filter(file -> file.endsWith("request.xml") && file.toString().contains("gated"))
                .toList();

        RunStep read = SavedXml.read(requests.get(0), RunStep.class).get(0);

        assertThat(values(requests.get(0), RunStep.class, read)).contains("command", "spec", "foldRanks");
    }

    @Test
    @Promise("JK-23")
    void eachTokenThatWasEverSavedOrPrintedFindsItsJob() throws IOException {
        Set<String> tokens = new TreeSet<>();
        for (Path file : SavedXml.files()) {
            TOKEN.matcher(Files.readString(file, StandardCharsets.ISO_8859_1).replace("&amp;", "&"))
                    .results()
                    .forEach(found -> tokens.add(found.group()));
        }

        assertThat(tokens)
                .hasSizeGreaterThanOrEqualTo(7)
                .allSatisfy(token -> assertThat(JobHandle.parse(token).token()).isEqualTo(token));
    }

    @Test
    @Promise("JK-23")
    void aTargetForColabIsRefusedWithItsNameAndWhatToUseInstead() {
        String colab = "io.jenkins.plugins.tao.jenkins.config.ColabTargetConfiguration";

        assertThatThrownBy(() -> SavedXml.read("<" + colab + "><name>old</name></" + colab + ">"))
                .hasMessageContaining("The target 'old' is dropped")
                .hasMessageContaining("./tao notebook colab JOB_FILE");
    }

    /** As a version would have saved it that had no field yet: each later field came so to someone. */
    @ParameterizedTest
    @Promise("JK-23")
    @MethodSource("describables")
    void anObjectThatLacksEachFieldTellsItsPropertiesWithoutAnError(Class<?> type) {
        Object read = SavedXml.read("<" + type.getName().replace("_", "__") + "/>");

        assertThat(Forms.properties(type).keySet())
                .allSatisfy(property ->
                        assertThatCode(() -> Forms.value(read, property)).doesNotThrowAnyException());
    }

    static List<Class<?>> describables() {
        return Forms.all();
    }

    /** The names of the values that the first object of a type has in a file, each of which {@code read} has too. */
    private static Set<String> values(Path file, Class<?> type, Object read) {
        return same(SavedXml.elements(file, type.getName()).get(0), read);
    }

    private static Set<String> same(Element saved, Object read) {
        Set<String> names = new TreeSet<>();
        for (Element value : SavedXml.children(saved)) {
            if (SavedXml.children(value).isEmpty()) {
                assertThat(String.valueOf(Forms.value(read, value.getTagName())))
                        .as(value.getTagName())
                        .isEqualTo(value.getTextContent());
                names.add(value.getTagName());
            }
        }
        return names;
    }

    private static Path home(String version) {
        return SavedXml.captured(version).resolve("home");
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : SavedXml.files()) {
            if (file.startsWith(from)) {
                Path copy = to.resolve(from.relativize(file));
                Files.createDirectories(copy.resolveSibling(""));
                Files.copy(file, copy);
            }
        }
    }
}
