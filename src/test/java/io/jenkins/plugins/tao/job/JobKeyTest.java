package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobKeyTest {
    @Test
    void oneOriginAlwaysGivesTheSameKey() {
        JobKey key = JobKey.derive("BERT fine-tuning", "ci.example", "train/main", "17", "node-4");

        assertThat(key).isEqualTo(JobKey.derive("BERT fine-tuning", "ci.example", "train/main", "17", "node-4"));
        assertThat(key.toString()).matches("bert-fine-tuning-[0-9a-f]{12}");
    }

    @Test
    void otherOriginsGiveOtherKeys() {
        JobKey key = JobKey.derive("train", "ci", "build 1", "node 2");

        assertThat(key).isNotEqualTo(JobKey.derive("train", "ci", "build 1", "node 3"));
        assertThat(key).isNotEqualTo(JobKey.derive("train", "ci", "build 1 node 2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "---", "量子", "../..", "$(reboot)", "a b\nc", "x--y"})
    void anyNameGivesAValidKey(String name) {
        assertThat(JobKey.derive(name, "o").value()).matches("[a-z0-9][a-z0-9-]*-[0-9a-f]{12}");
    }

    @ParameterizedTest
    @CsvSource({
        "Übung-训练, ubung-xun-lian",
        "größe, grosse",
        "обучение dino, obuchenie-dino",
        "トレーニング, toreningu",
        "Łódź, lodz",
        "тренировка модели обнаружения объектов, trenirovka-modeli-obnaruzheniia"
    })
    @Promise("TR-44")
    void aNameOfAnyScriptStaysReadable(String name, String stem) {
        assertThat(JobKey.derive(name, "o").value()).matches(stem + "-[0-9a-f]{12}");
    }

    @Test
    @Promise("TR-44")
    void aComposedAndADecomposedLetterAreTheSame() {
        assertThat(JobKey.derive("U\u0308bung", "o")).isEqualTo(JobKey.derive("\u00dcbung", "o"));
    }

    @Test
    void theKeyOfAnEarlierBuildIsFoundAgain() {
        assertThat(JobKey.ofAscii("Übung-训练", "o").value()).startsWith("bung-");
        assertThat(JobKey.ofAscii("train", "o")).isEqualTo(JobKey.derive("train", "o"));
    }

    @Test
    void aNameWithoutLettersIsCalledJob() {
        assertThat(JobKey.derive("$-$", "o").value()).startsWith("job-");
    }

    @RepeatedTest(50)
    void aKeyIsAlwaysAFileNameAndTheStemOfAKubernetesName(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        String name = random.ints(random.nextInt(80), 1, 0x3000)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();

        assertThat(JobKey.derive(name, "o").value())
                .matches("[a-z0-9]([a-z0-9-]*[a-z0-9])?")
                .hasSizeLessThan(46);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", ".a", "_a", "a/b", "a b", "a\n", "ä", "a$b"})
    void aKeyThatIsNoPlainFileNameIsRefused(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> new JobKey(value)).withMessageContaining("job id");
    }

    @Test
    void aKeyHasAtMostSixtyThreeCharacters() {
        assertThat(new JobKey("a".repeat(63)).value()).hasSize(63);
        assertThatIllegalArgumentException().isThrownBy(() -> new JobKey("a".repeat(64)));
    }
}
