package io.jenkins.plugins.tao.backend.lepton;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An attempt after a bad node that breaks off at any of its calls: it neither ends the training, nor doubles it, nor takes a retry. */
class LeptonNextAttemptTest extends LeptonWorkspace {
    private static final Map<String, Secret> SECRETS = Map.of("KEY", Secret.of("hunter2"));
    private static final JobKey KEY = key("next");
    private static final int STEPS = 9;

    private JobHandle one;

    /** How a call fails. */
    private enum Loss {
        REFUSED,
        TOO_MANY,
        CUT
    }

    static List<Arguments> steps() {
        return IntStream.rangeClosed(1, STEPS)
                .boxed()
                .flatMap(step -> Stream.of(Loss.values()).map(loss -> Arguments.of(step, loss)))
                .toList();
    }

    @BeforeEach
    void aJobThatABadNodeKeepsFromStarting() throws Exception {
        one = backend.submit(job("sleep 600").secrets(SECRETS).build(), KEY);
        simulator.at(one).forced = "Starting";
        simulator.calls.clear();
    }

    private void breakAt(int step, Loss loss) {
        AtomicInteger calls = new AtomicInteger();
        Function<String, Optional<MockResponse.Builder>> broken = call -> Optional.of(
                switch (loss) {
                    case REFUSED -> LeptonSimulator.json(503, "{}");
                    case TOO_MANY -> LeptonSimulator.json(429, "{}").setHeader("Retry-After", "7");
                    case CUT -> new MockResponse.Builder().onResponseStart(new SocketEffect.CloseSocket());
                });
        boolean carriedOut = loss == Loss.CUT;
        simulator.fault =
                call -> calls.incrementAndGet() == step && !carriedOut ? broken.apply(call) : Optional.empty();
        simulator.lost = call -> calls.get() == step && carriedOut ? broken.apply(call) : Optional.empty();
    }

    private void nextEngine() {
        backend.close();
        simulator.fault = call -> Optional.empty();
        simulator.lost = call -> Optional.empty();
        backend = open(simulator.target().with("nodeGroup", "my-h100-pool").build());
    }

    private JobHandle next() throws BackendException {
        return backend.resubmit(one, SECRETS, Set.of("node-a"));
    }

    private JobStatus look(JobHandle job) throws BackendException {
        return Objects.requireNonNull(backend.poll(Set.of(job)).get(job));
    }

    private List<String> attempts() {
        return simulator.jobs.values().stream()
                .map(job -> job.body.at("/metadata/labels/tao-attempt").asText())
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("steps")
    @Promise("TR-12")
    void whereverItBreaksOffItIsTakenUpAgain(int step, Loss loss) throws Exception {
        breakAt(step, loss);
        try {
            next();
        } catch (Unreachable e) {
            assertThat(attempts()).contains("1");
        }
        nextEngine();

        boolean made = attempts().size() > 1;
        assertThat(look(one).ending()).isEqualTo(made ? Optional.of(Ending.NODE_FAILURE) : Optional.empty());
        JobHandle two = next();
        assertThat(next()).isEqualTo(two);

        assertThat(attempts()).containsExactly("1", "2");
        assertThat(simulator.at(one).state()).isEqualTo("Stopped");
        assertThat(simulator.at(two).state()).isEqualTo("Running");
    }

    @Test
    void anAttemptThatWasStoppedForOneThatHasEndedSinceIsNotCancelled() throws Exception {
        JobHandle two = next();
        simulator.at(two).forced = "Archived";

        assertThat(look(one).ending()).hasValue(Ending.NODE_FAILURE);
    }

    @Test
    void aStopThatIsNotPermittedKeepsNobodyFromTheNextAttempt() throws Exception {
        simulator.fault =
                call -> call.startsWith("PATCH") ? Optional.of(LeptonSimulator.json(403, "{}")) : Optional.empty();

        assertThat(next().attempt()).isEqualTo(2);
    }

    @Test
    void aJobThatWasStoppedByHandIsCancelled() throws Exception {
        backend.cancel(one);

        assertThat(look(one).ending()).hasValue(Ending.CANCELLED);
    }
}
