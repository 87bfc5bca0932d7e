package io.jenkins.plugins.tao.backend.lepton.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What the page for users says. */
class LeptonPageTest {
    private static String page() throws IOException {
        return Files.readString(Path.of("docs/backends/lepton.md")).replaceAll("\\s+", " ");
    }

    @Test
    @Promise("LE-24")
    void itShowsTheConsolesOwnWayForTorchrun() throws IOException {
        assertThat(page()).contains("The console has its own way for torchrun: *Create Job*, type **Torchrun**");
    }

    @Test
    @Promise("LE-35")
    void itTellsHowToForceAFreshDownload() throws IOException {
        assertThat(page())
                .contains(
                        "To force a fresh download give the object another name, mount another directory, or remove the copy");
    }

    @Test
    void theReferenceItLeadsToNamesEveryKeyOfATargetAndOfAJob() throws IOException {
        assertThat(page()).contains("(../reference/lepton.md#a-target)", "(../reference/lepton.md#options-of-a-job)");
        String reference = Files.readString(Path.of("docs/reference/lepton.md"));

        assertThat(Arrays.stream(LeptonTarget.class.getRecordComponents()).map(RecordComponent::getName))
                .allMatch(name -> reference.contains("| `" + name + "` |"));
        assertThat(Arrays.stream(LeptonOptions.class.getRecordComponents()).map(RecordComponent::getName))
                .allMatch(name -> reference.contains("| `" + name + "` |"));
    }
}
