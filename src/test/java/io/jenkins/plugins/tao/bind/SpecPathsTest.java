package io.jenkins.plugins.tao.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of a spec by their paths. */
class SpecPathsTest {
    private static final Map<String, Object> SPEC = Map.of(
            "train",
            Map.of("num_epochs", 12, "optim", Map.of("lr", 1e-3), "stage1", 3),
            "dataset",
            Map.of("sources", List.of("/data/a")));

    @Test
    @Promise("NS-05")
    void aValueIsReplacedAtItsPathAndNothingElseChanges() {
        assertThat(SpecPaths.replaced(SPEC, Map.of("train.optim.lr", 1e-4)))
                .isEqualTo(Map.of(
                        "train",
                        Map.of("num_epochs", 12, "optim", Map.of("lr", 1e-4), "stage1", 3),
                        "dataset",
                        Map.of("sources", List.of("/data/a"))));
    }

    @ParameterizedTest
    @Promise("NS-05")
    @CsvSource({
        "train.optm.lr, train.optim.lr",
        "train.num_epoch, train.num_epochs",
        "train.numEpochs, train.num_epochs",
        "trian.num_epochs, train.num_epochs",
        "optim.lr, train.optim.lr",
        "train.optm.weight_decay, train.optim",
    })
    void aSlipIsToldWithTheNearestPath(String slip, String meant) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SpecPaths.replaced(SPEC, Map.of(slip, 1)))
                .withMessage("the spec has no '" + slip + "'; did you mean '" + meant + "'? Write +" + slip
                        + " if the key is new");
    }

    @ParameterizedTest
    @Promise("NS-05")
    @ValueSource(strings = {"train.seed", "train.optim.wd", "train.stage2", "evaluate.num_gpus", "+train.num_epoch"})
    void aNewKeyIsNoSlip(String path) {
        assertThat(SpecPaths.known(SpecPaths.replaced(SPEC, Map.of(path, 1)))).contains(path.replace("+", ""));
    }

    @ParameterizedTest
    @Promise("NS-07")
    @CsvSource({"enw.A, env.A", "evn.A, env.A", "envs.A, env.A", "Env.A, env.A", "arg.lr, args.lr", "agrs.lr, args.lr"})
    void aMisspelledPartOfAJobIsNoPathOfTheSpec(String slip, String meant) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SpecPaths.part(slip, SpecPaths.known(SPEC)))
                .withMessage("the spec has no '" + slip + "'. Did you mean '" + meant + "'? Write +" + slip
                        + " if the key is new");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SpecPaths.checkSeed(slip, SPEC))
                .withMessageStartingWith("confirm: the spec has no '" + slip + "'. Did you mean '" + meant + "'?");
    }

    @ParameterizedTest
    @Promise("NS-07")
    @CsvSource({
        "env.A, env",
        "args.lr, args",
        "enw.A, ''",
        "+evn.A, ''",
        "train.env, ''",
        "export.format, ''",
        "model.arch, ''",
        "arch.depth, ''",
        "eval.gpus, ''",
        "lr, ''"
    })
    void aSectionOfTheSpecIsNoMisspelledPart(String path, String part) {
        assertThat(SpecPaths.part(path, List.of("enw", "train"))).isEqualTo(part);
    }

    @Test
    @Promise("NS-05")
    void whatHasNoKeysHasNothingToReplace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SpecPaths.replaced(SPEC, Map.of("dataset.sources.path", 1)))
                .withMessageContaining("'sources' of the spec is a single value or a list");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SpecPaths.replaced(SPEC, Map.of("train..lr", 1)))
                .withMessageContaining("is no path of a spec");
    }
}
