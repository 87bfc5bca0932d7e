package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.BoxPreparation;
import io.jenkins.plugins.tao.backend.box.options.BoxRules;
import io.jenkins.plugins.tao.backend.box.options.BoxRules.ContainerRuntime;
import io.jenkins.plugins.tao.backend.box.options.BoxSettings;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.ContainerWords;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoxContainerTest {
    private static String script(ContainerRuntime runtime, BoxOptions options) {
        BoxRules rules = new BoxRules(
                Optional.empty(),
                Optional.of(runtime),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                List.of("/nas:/data:ro"),
                Optional.empty());
        BoxPlace place =
                BoxPlace.of(new LocalTarget("here", "/tao", new BoxSettings(BoxUsual.PLACES, BoxUsual.NETWORK, rules)));
        JobSpec spec = BoxStage.job("train", 2)
                .image("nvcr.io/nvidia/tao:6")
                .secrets(Map.of("TOKEN", Secret.of("s3cret")))
                .options(options)
                .build();
        return String.valueOf(BoxContainer.files(place, spec, new JobKey("k"), List.of("A", "B"))
                .get("container.sh"));
    }

    @Test
    void dockerGetsIdsLimitsAndNamesAndKeepsTheContainer() {
        assertThat(script(ContainerRuntime.DOCKER, BoxOptions.defaults()))
                .contains(
                        "docker run -d --name \"$tao_name\" --cidfile \"$tao_attempt/cid\" --label 'tao-job=k' --gpus \"\\\"device=$tao_ids\\\"\"")
                .contains(" --ipc=host $tao_limits --user \"$tao_ids_inside\" ")
                .contains(" -e \"HOME=$tao_home_inside\" -e \"USER=$(id -un)\" ", " -v /nas:/data:ro ", " -e A -e B ")
                .contains(" \"$tao_image\" bash \"$tao_job/inside\" ")
                .contains("tao_container_forget() { unset TOKEN; }")
                .doesNotContain("s3cret", " -e TOKEN", "--rm", "export HOME");
    }

    @Test
    void sharedMemoryOfItsOwnReplacesTheHosts() {
        BoxOptions all = BoxOptions.defaults();

        String script = script(
                ContainerRuntime.DOCKER,
                new BoxOptions(
                        all.grace(),
                        all.onReboot(),
                        all.whenBusy(),
                        true,
                        Optional.empty(),
                        Optional.of("16g"),
                        List.of("--network=none"),
                        BoxPreparation.NONE));

        assertThat(script).contains(" --shm-size=16g ", " '--network=none' ").doesNotContain("--ipc=host");
    }

    @Test
    void podmanNamesDevicesByItsOwnInterfaceAndKeepsTheIdOfTheUserAndApptainerNeedsNoDaemon() {
        assertThat(script(ContainerRuntime.PODMAN, BoxOptions.defaults()))
                .contains("podman run -d", "--device=nvidia.com/gpu=")
                .contains(" --user \"$tao_ids_inside\" $([ \"$(id -u)\" = 0 ] || echo --userns=keep-id) ");
        assertThat(script(ContainerRuntime.DOCKER, BoxOptions.defaults())).doesNotContain("--userns");
        assertThat(script(ContainerRuntime.APPTAINER, BoxOptions.defaults()))
                .contains("apptainer exec --pwd \"$tao_work\" --nv ", " \"$tao_image\" bash ")
                .doesNotContain("s3cret");
        assertThat(BoxContainer.address(ContainerRuntime.APPTAINER, "nvcr.io/nvidia/tao:6"))
                .isEqualTo("docker://nvcr.io/nvidia/tao:6");
        assertThat(BoxContainer.address(ContainerRuntime.APPTAINER, "/data/tao.sif"))
                .isEqualTo("/data/tao.sif");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--rm", "--name=mine", "-d", "--detach=true", "--restart=always", "-it", "--stop-signal=INT"})
    @Promise("NS-22")
    void whatWouldBreakTheWatchOfAContainerIsRefusedByName(String word) {
        assertThatThrownBy(() -> ContainerWords.check(word))
                .hasMessageContaining("'" + word + "' is not for a user")
                .hasMessageContaining(": ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--privileged",
                "--cap-add=IPC_LOCK",
                "--network=host",
                "--ulimit=nofile=1048576",
                "--hostname=n1"
            })
    @Promise("NS-22")
    void anyOtherWordOfTheEngineGoesThrough(String word) {
        ContainerWords.check(word);

        assertThat(container(word)).contains(word);
    }

    private static String container(String word) {
        BoxOptions all = BoxOptions.defaults();
        return String.join(
                " ",
                new BoxOptions(
                                all.grace(),
                                all.onReboot(),
                                all.whenBusy(),
                                true,
                                Optional.empty(),
                                Optional.empty(),
                                List.of(word),
                                BoxPreparation.NONE)
                        .containerArgs());
    }

    @Test
    void aVariableAmongTheArgumentsIsRefused() {
        BoxOptions all = BoxOptions.defaults();

        assertThatThrownBy(() -> new BoxOptions(
                        all.grace(),
                        all.onReboot(),
                        all.whenBusy(),
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        List.of("--env=TOKEN=x"),
                        BoxPreparation.NONE))
                .hasMessageContaining("belongs into env or secrets");
    }
}
