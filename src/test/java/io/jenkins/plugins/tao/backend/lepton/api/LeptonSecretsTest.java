package io.jenkins.plugins.tao.backend.lepton.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.lepton.LeptonSimulator;
import io.jenkins.plugins.tao.backend.lepton.LeptonWorkspace;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job's secrets in the workspace: there while it lives, gone when it does not. */
class LeptonSecretsTest extends LeptonWorkspace {
    private static final Map<String, Secret> ONE = Map.of("A", Secret.of("a"));

    private static JobSpec with(Map<String, Secret> secrets) {
        return job("true").secrets(secrets).build();
    }

    private void refuse(Predicate<String> calls, int status) {
        simulator.fault = call ->
                calls.test(call) ? Optional.of(LeptonSimulator.json(status, "{\"message\":\"no\"}")) : Optional.empty();
    }

    private Optional<JobStatus> look(JobHandle job) throws BackendException {
        return Optional.ofNullable(backend.poll(Set.of(job)).get(job));
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 429, 500})
    void aSecretThatCannotBeRemovedIsTriedAgainAndHidesNoState(int status) throws Exception {
        JobHandle job = backend.submit(with(Map.of("A", Secret.of("a"), "B", Secret.of("b"))), key("tidy"));
        refuse(call -> call.startsWith("DELETE /usersecrets/") && call.endsWith("_A"), status);

        await().until(() -> look(job).orElseThrow().ending().isPresent());

        assertThat(simulator.userSecrets.values()).containsExactly("a");
        simulator.fault = call -> Optional.empty();
        look(job);
        assertThat(simulator.userSecrets).isEmpty();
    }

    @Test
    void whatIsRemovedIsNotAskedForAgain() throws Exception {
        JobHandle job = backend.submit(with(ONE), key("once"));
        await().until(() -> look(job).orElseThrow().ending().isPresent());
        simulator.calls.clear();

        look(job);

        assertThat(simulator.calls).noneMatch(call -> call.startsWith("DELETE"));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403})
    void aJobThatIsRefusedLeavesNoSecrets(int status) {
        simulator.secretSuffix = ".dev";
        refuse("POST /jobs"::equals, status);

        assertThatThrownBy(() -> backend.submit(with(ONE), key("no"))).isInstanceOf(BackendException.class);

        assertThat(simulator.calls).contains("POST /usersecrets");
        assertThat(simulator.userSecrets).isEmpty();
    }

    @Test
    void aRefusedJobKeepsTheKeysOfTheStorageForOthers() throws Exception {
        backend.close();
        backend = open(simulator
                .target()
                .with("nodeGroup", "my-h100-pool")
                .with(
                        "s3",
                        new io.jenkins.plugins.tao.payload.S3Settings(
                                Optional.of("http://127.0.0.1:1"),
                                Optional.empty(),
                                Optional.of("team"),
                                Optional.of(SecretSource.known(Secret.of("id"))),
                                Optional.of(SecretSource.known(Secret.of("key"))),
                                Optional.empty(),
                                Optional.empty(),
                                List.of()))
                .build());
        refuse("POST /jobs"::equals, 400);

        assertThatThrownBy(() -> backend.submit(with(ONE), key("no"))).isInstanceOf(Rejected.class);

        assertThat(simulator.userSecrets.keySet()).hasSize(3).allMatch(name -> name.startsWith("TAO_S3_"));
    }

    @Test
    void aJobWhoseAnswerIsLostKeepsItsSecrets() {
        simulator.lost = call -> call.equals("POST /jobs")
                ? Optional.of(new MockResponse.Builder().onResponseStart(new SocketEffect.CloseSocket()))
                : Optional.empty();

        assertThatThrownBy(() -> backend.submit(with(ONE), key("lost"))).isInstanceOf(Unreachable.class);

        assertThat(simulator.userSecrets).containsValue("a");
    }

    @Test
    void aJobThatIsSentAgainHasItsNewValues() throws Exception {
        refuse("POST /jobs"::equals, 503);
        assertThatThrownBy(() -> backend.submit(with(Map.of("A", Secret.of("old"))), key("twice")))
                .isInstanceOf(Unreachable.class);
        simulator.fault = call -> Optional.empty();

        backend.submit(job("sleep 30").secrets(Map.of("A", Secret.of("new"))).build(), key("twice"));

        assertThat(simulator.userSecrets.values()).containsExactly("new");
    }

    @Test
    void anAttemptWhoseSecretsNobodyHasIsRefused() throws Exception {
        JobHandle one = backend.submit(with(ONE), key("bare"));
        await().until(() -> look(one).orElseThrow().ending().isPresent());

        assertThatThrownBy(() -> backend.resubmit(one, Map.of(), Set.of()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("A");
        assertThat(simulator.jobs).hasSize(1);
    }
}
