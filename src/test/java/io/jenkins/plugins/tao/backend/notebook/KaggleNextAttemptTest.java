package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A further session that breaks off at any of its calls: the next try pushes it, or finds what was pushed. */
class KaggleNextAttemptTest {
    private static final JobSpec TRUE = JobSpec.of("true").build();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private KaggleRig rig;
    private JobHandle one;

    /** How a call fails. */
    private enum Loss {
        REFUSED,
        TOO_MANY,
        ANSWER_LOST;

        KaggleSimulator.Fault fault() {
            return switch (this) {
                case REFUSED -> real -> Answers.error(503, "try again");
                case TOO_MANY -> real -> Answers.error(429, "try again");
                case ANSWER_LOST -> KaggleSimulator.lostAnswer();
            };
        }
    }

    /** Two looks, for the next notebook and for the last one, and the push. */
    static List<Arguments> steps() {
        return Stream.of(Loss.values())
                .flatMap(loss -> Stream.of(
                        Arguments.of("GetKernel", 0, loss),
                        Arguments.of("GetKernel", 1, loss),
                        Arguments.of("SaveKernel", 0, loss)))
                .toList();
    }

    @BeforeEach
    void aSession() throws Exception {
        rig = new KaggleRig(temporary);
        one = rig.submit(TRUE);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static JobHandle next(KaggleBackend backend, JobHandle before) throws BackendException {
        return backend.resubmit(before, Map.of(), Set.of());
    }

    @ParameterizedTest
    @MethodSource("steps")
    @Promise("TR-12")
    void whereverItBreaksOffItIsTakenUpAgain(String call, int before, Loss loss) throws Exception {
        for (int i = 0; i < before; i++) {
            rig.kaggle.fault(call, KaggleSimulator.Real::answer);
        }
        rig.kaggle.fault(call, loss.fault());

        assertThatThrownBy(() -> next(rig.backend, one)).isInstanceOf(Unreachable.class);
        try (KaggleBackend other = KaggleRig.backend(rig.kaggle.target())) {
            JobHandle two = next(other, one);
            assertThat(two.attempt()).isEqualTo(2);
            assertThat(next(other, one)).isEqualTo(two);
        }

        assertThat(rig.kaggle.pushes).hasSize(2);
    }
}
