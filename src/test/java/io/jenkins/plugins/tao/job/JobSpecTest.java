package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobSpecTest {
    private static final JobOptions OPTIONS = new JobOptions() {};

    @Test
    void aCommandAloneIsAJob() {
        JobSpec spec = JobSpec.of("nvidia-smi").build();

        assertThat(spec.command()).isEqualTo("nvidia-smi");
        assertThat(spec.image()).isEmpty();
        assertThat(spec.resources()).isEqualTo(Resources.defaults());
        assertThat(spec.options()).isEmpty();
        assertThat(spec.resultsDirectory()).isEmpty();
    }

    @Test
    void everyPartArrives() {
        JobSpec spec = JobSpec.of("dino train -e spec.yaml")
                .image("nvcr.io/nvidia/tao/tao-toolkit:6.25.10-pyt")
                .resources(Resources.defaults())
                .env(Map.of("EPOCHS", "3"))
                .secrets(Map.of("NGC_KEY", Secret.of("s3cret")))
                .inputs(List.of("/lustre/data"))
                .outputs(List.of("/out=s3://b/x"))
                .spec(Map.of("train", Map.of("num_epochs", 3)))
                .resultsDirectory("/lustre/results/a")
                .options(OPTIONS)
                .build();

        assertThat(spec.image()).contains("nvcr.io/nvidia/tao/tao-toolkit:6.25.10-pyt");
        assertThat(spec.env()).containsEntry("EPOCHS", "3");
        assertThat(spec.inputs()).containsExactly("/lustre/data");
        assertThat(spec.outputs()).containsExactly("/out=s3://b/x");
        assertThat(spec.spec()).containsKey("train");
        assertThat(spec.resultsDirectory()).contains("/lustre/results/a");
        assertThat(spec.options()).contains(OPTIONS);
    }

    @ParameterizedTest
    @CsvSource({
        "https://ci.example/job/a%20b/7/, https://ci.example/job/a%20b/7/",
        "http://ada:hunter2@ci.example:8080/job/x/7/?token=hunter2#hunter2, http://ci.example:8080/job/x/7/",
        "https://ci.example/job/x/7/;rm -rf $HOME, ",
        "nulljob/x/7/, ",
        "file:///etc/passwd, ",
        "'', "
    })
    void theAddressOfABuildComesWithoutWhatMayBeSecretInIt(String given, @Nullable String kept) {
        assertThat(JobSpec.of("true").origin(given).build().origin()).isEqualTo(Optional.ofNullable(kept));
    }

    @Test
    void theAddressOfABuildIsShortOrLeftOut() {
        String long301 = "https://" + "a".repeat(301);

        assertThat(JobSpec.of("true").origin(long301).build().origin()).isEmpty();
        assertThat(JobSpec.of("true").origin(long301.substring(1)).build().origin())
                .isEmpty();
        assertThat(JobSpec.of("true").origin(long301.substring(0, 308)).build().toBuilder()
                        .build()
                        .origin())
                .contains(long301.substring(0, 308));
    }

    @Test
    void aSecretIsNotPrintedWithItsJob() {
        JobSpec spec = JobSpec.of("true")
                .secrets(Map.of("NGC_KEY", Secret.of("s3cret")))
                .build();

        assertThat(spec.toString()).contains("NGC_KEY=***").doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\n", "echo \0"})
    void aCommandThatNoShellTakesIsRefused(String command) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobSpec.of(command).build())
                .withMessageContaining("command");
    }

    @Test
    void aBlankImageIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobSpec.of("true").image(" ").build())
                .withMessageContaining("leave it out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1A", "A-B", "A B", "A=B", "Ä", "A\n"})
    void aNameThatNoEnvironmentTakesIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobSpec.of("true").env(Map.of(name, "x")).build())
                .withMessageContaining("'" + name + "'");
    }

    @Test
    void aSecretWithANulIsRefusedWithoutShowingIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobSpec.of("true")
                        .secrets(Map.of("KEY", Secret.of("hidden\0")))
                        .build())
                .withMessageContaining("'KEY'")
                .withMessageNotContaining("hidden");
    }

    @Test
    void aVariableBothOpenAndSecretIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobSpec.of("true")
                        .env(Map.of("KEY", "a"))
                        .secrets(Map.of("KEY", Secret.of("b")))
                        .build())
                .withMessageContaining("keep it in secrets");
    }

    @Test
    @Promise("GE-14")
    void aDottedKeyOfTheSpecIsRefusedAndItsNestedFormShown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        JobSpec.of("true").spec(Map.of("train.num_epochs", 10)).build())
                .withMessageContaining("'train.num_epochs'")
                .withMessageContaining("train: {num_epochs: 10}");
    }

    @Test
    void variablesKeepTheirOrderAndCannotBeChangedLater() {
        Map<String, String> given = new LinkedHashMap<>();
        given.put("Z", "1");
        given.put("A", "2");
        JobSpec spec = JobSpec.of("true").env(given).build();

        given.put("B", "3");

        assertThat(spec.env().keySet()).containsExactly("Z", "A");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> spec.env().put("C", "4"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"out", "data/v1.2", "./out", "~/out", "-rf", "../x"})
    void aPathThatIsRelativeIsRefusedForEveryTarget(String path) {
        assertThatThrownBy(() -> JobSpec.of("true").resultsDirectory(path).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("resultsDir '" + path + "' must be an absolute path");
        assertThatThrownBy(
                        () -> JobSpec.of("true").inputs(List.of("/data", path)).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("input '" + path + "' must be an absolute path");
    }

    @Test
    void anInputMayBeAKeyOfTheSpec() {
        List<String> keys = List.of("custom.train_dataset.media_path", "dataset.train_data_sources[0].dirs");

        assertThat(JobSpec.of("true").inputs(keys).build().inputs()).isEqualTo(keys);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/out", "s3://models/nightly", "lustre://polar/x", "{parent_checkpoint}"})
    void aPathOrAnAddressIsTaken(String path) {
        assertThat(JobSpec.of("true").resultsDirectory(path).build().resultsDirectory())
                .contains(path);
    }
}
