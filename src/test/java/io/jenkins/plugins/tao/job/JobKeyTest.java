package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

    @Test
    void aNameWithoutLettersIsCalledJob() {
        assertThat(JobKey.derive("量子", "o").value()).startsWith("job-");
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
