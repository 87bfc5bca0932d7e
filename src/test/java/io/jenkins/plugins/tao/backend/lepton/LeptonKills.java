package io.jenkins.plugins.tao.backend.lepton;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;

/**
 * An engine that ends at any moment of a submission, with the answer lost that was on its way: the next one finds what was
 * made.
 */
abstract class LeptonKills extends LeptonWorkspace {
    private static final int CALLS = 9;
    private static final int ENGINES = 5;
    private static final Map<String, Secret> SECRETS = Map.of("KEY", Secret.of("hunter2"));

    /** How an answer gets lost. */
    private enum Loss {
        NOT_CARRIED_OUT,
        CONNECTION,
        EMPTY,
        PAGE;

        MockResponse.Builder answer() {
            return switch (this) {
                case NOT_CARRIED_OUT -> LeptonSimulator.json(503, "{}");
                case CONNECTION -> new MockResponse.Builder().onResponseStart(new SocketEffect.CloseSocket());
                case EMPTY -> LeptonSimulator.json(200, "");
                case PAGE ->
                    new MockResponse.Builder()
                            .code(502)
                            .setHeader("Content-Type", "text/html")
                            .body("<html>bad gateway</html>");
            };
        }
    }

    /** Something that an engine does. */
    @FunctionalInterface
    private interface Act {
        JobHandle by() throws BackendException;
    }

    /** Ends the engine with the loss of one answer, and lets further ones do the same until one comes through. */
    private JobHandle survive(Random random, Act act) {
        int moment = 1 + random.nextInt(CALLS);
        Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
        AtomicInteger calls = new AtomicInteger();
        boolean before = loss == Loss.NOT_CARRIED_OUT;
        simulator.fault =
                call -> calls.incrementAndGet() == moment && before ? Optional.of(loss.answer()) : Optional.empty();
        simulator.lost = call -> calls.get() == moment && !before ? Optional.of(loss.answer()) : Optional.empty();
        for (int engine = 0; engine < ENGINES; engine++) {
            try {
                return act.by();
            } catch (BackendException e) {
                backend.close();
                backend = open(
                        simulator.target().with("nodeGroup", "my-h100-pool").build());
            }
        }
        throw new AssertionError(ENGINES + " engines could not do it: " + loss + " at call " + moment);
    }

    private List<String> attempts(JobKey key) {
        return simulator.jobs.values().stream()
                .filter(job -> job.body.at("/metadata/labels/tao-job").asText().equals(key.value()))
                .map(job -> job.body.at("/metadata/labels/tao-attempt").asText())
                .sorted()
                .toList();
    }

    /** Ends engines at the moments of {@code seed}, and sees that no job is doubled and none is lost. */
    final void kill(int seed) throws Exception {
        Random random = new Random(seed);
        JobKey key = key("kill-" + seed);
        JobSpec spec = job("sleep 600").secrets(SECRETS).build();

        JobHandle first = survive(random, () -> backend.submit(spec, key));
        assertThat(attempts(key)).containsExactly("1");
        assertThat(simulator.at(first).state()).isEqualTo("Running");

        simulator.at(first).forced = "Starting";
        JobHandle second = survive(random, () -> backend.resubmit(first, SECRETS, Set.of("node-a")));
        assertThat(attempts(key)).containsExactly("1", "2");
        assertThat(simulator.at(first).state()).isEqualTo("Stopped");
        assertThat(simulator.at(second).state()).isEqualTo("Running");
        assertThat(simulator.userSecrets.values()).contains("hunter2");
    }
}
