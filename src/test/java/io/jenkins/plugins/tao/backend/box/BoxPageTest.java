package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.box.options.BoxNetwork;
import io.jenkins.plugins.tao.backend.box.options.BoxPlaces;
import io.jenkins.plugins.tao.backend.box.options.BoxPreparation;
import io.jenkins.plugins.tao.backend.box.options.BoxRules;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pages of boxes say what they have to, and lead to every setting there is. */
class BoxPageTest {
    private static String page(String name) throws IOException {
        return Files.readString(Path.of("docs/" + name + ".md")).replaceAll("\\s+", " ");
    }

    @Test
    void everySettingAndEveryOptionIsInTheReferenceThatThePagesLeadTo() throws IOException {
        assertThat(page("backends/box")).contains("(../reference/ssh.md#options-of-a-job)");
        assertThat(page("backends/box/administrators")).contains("(../../reference/ssh.md#a-target)");
        String reference = page("reference/ssh");

        for (Class<?> record : List.of(BoxPlaces.class, BoxNetwork.class, BoxRules.class, BoxPreparation.class)) {
            for (RecordComponent component : record.getRecordComponents()) {
                assertThat(reference).contains("| `" + component.getName() + "` |");
            }
        }
        for (String option : List.of("grace", "onReboot", "whenBusy", "gpuCheck", "shmSize", "containerArgs")) {
            assertThat(reference).contains("| `" + option + "` |");
        }
    }

    @Test
    @Promise("GB-13")
    void thePageSaysWhatSurvivesAndWhatDoesNot() throws IOException {
        assertThat(page("backends/box"))
                .contains("survives a dropped connection and a reboot")
                .contains(
                        "a *stop* keeps attached volumes and loses the rest, and a *destroy* loses everything, the root disk"
                                + " included")
                .contains(
                        "Put results on a disk that outlives a stop (`durableDirectory`), and fetch what you want to keep");
    }

    @Test
    void thePageSaysHowATrainingResumes() throws IOException {
        assertThat(page("backends/box"))
                .contains(
                        "Write full state (model, optimiser, scheduler, epoch, random states) to a temporary file, `fsync`,"
                                + " rename; load the latest one unconditionally")
                .contains("says every 805 s");
    }

    @Test
    void thePageSaysInWhatOrderJobsWaitAndWhatTheFloorsOfTheDiskStop() throws IOException {
        assertThat(page("backends/box/how-it-works"))
                .contains("in the order in which they were ready, downloads and smoke command done")
                .doesNotContain("in the order of submission");
        assertThat(page("backends/box/administrators"))
                .contains("with less the check before a job fails; what waits on the box already still starts");
    }
}
