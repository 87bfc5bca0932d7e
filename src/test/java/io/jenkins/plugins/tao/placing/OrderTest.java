package io.jenkins.plugins.tao.placing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Which target is asked first, and what a record of several targets may say. */
class OrderTest {
    private static final List<String> TARGETS = List.of("a", "b", "c", "d");
    private static final JobHandle JOB =
            new JobHandle("a", "slurm", new JobKey("k"), 1, "7", "/j", "/r", Instant.EPOCH);

    private static OptionalDouble wait(String target) {
        Double wait = Map.of("b", 3600.0, "d", 60.0).get(target);
        return wait == null ? OptionalDouble.empty() : OptionalDouble.of(wait);
    }

    @Test
    @Promise("NS-13")
    void theShortestExpectedWaitComesFirstAndWhatIsNotKnownLastAsGiven() {
        assertThat(Order.WAIT.of(TARGETS, OrderTest::wait)).containsExactly("d", "b", "a", "c");
        assertThat(Order.GIVEN.of(TARGETS, OrderTest::wait)).containsExactlyElementsOf(TARGETS);
    }

    @Test
    @Promise("NS-13")
    void aRecordComesBackAsItWasWritten() {
        Placing begun = Placing.begin(new JobKey("k"), TARGETS, Optional.of(JOB));
        Placing later = begun.parentSucceeded(Map.of("results", "/r"))
                .notThere(begun.legs().get(0), "It was full.")
                .sending(begun.legs().get(1))
                .taken(begun.legs().get(1), JOB);

        assertThat(Placing.parse(later.render())).isEqualTo(later);
        assertThat(later.next()).isInstanceOf(Next.Watch.class);
        assertThatThrownBy(() -> Placing.parse("{")).hasMessageContaining("damaged record");
    }

    @Test
    @Promise("NS-13")
    void noRecordSaysThatAJobMayBeOnTwoTargets() {
        Placing begun = Placing.begin(new JobKey("k"), TARGETS, Optional.empty());
        Placing sent = begun.sending(begun.legs().get(0));

        assertThatThrownBy(() -> sent.sending(sent.legs().get(1))).hasMessageContaining("one target at a time");
    }

    @Test
    @Promise("NS-13")
    void targetsThatStandTwiceAreRefused() {
        assertThatThrownBy(() -> Placing.begin(new JobKey("k"), List.of("a", "a"), Optional.empty()))
                .hasMessageContaining("name one twice");
    }
}
