package io.jenkins.plugins.tao.backend.slurm.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.slurm.PlayedRest;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmRest;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a slurmrestd says, and what counts of it. Error texts are those of 22.05.8, seen in 2026-11. */
final class SlurmApiTest {
    private static final String UNSPECIFIED =
            "{\"errors\":[{\"description\":\"Unable to find JobId=9\",\"error_number\":-1,"
                    + "\"error\":\"Unspecified error\",\"source\":\"slurm_load_job\"}],\"jobs\":[]}";
    private static final String UNKNOWN =
            "{\"errors\":[{\"description\":\"Unable to find JobId=9\",\"error_number\":2017,"
                    + "\"error\":\"Invalid job id specified\"}],\"jobs\":[]}";
    private static final String NO_TOKEN = "{\"errors\":[{\"error_number\":1007,"
            + "\"error\":\"Protocol authentication error\",\"source\":\"slurmdb_jobs_get\"}],\"jobs\":[]}";
    private static final String FINE = "{\"errors\":[],\"jobs\":[]}";

    private PlayedRest server;
    private SlurmApi api;

    @BeforeEach
    void start() throws IOException {
        server = new PlayedRest(36, 37, 38);
        server.answer("GET /slurmdb/v0.0.38/job/1", 200, FINE);
        api = new SlurmApi("dgx", server.settings());
    }

    @AfterEach
    void stop() {
        api.close();
        server.close();
    }

    @Test
    @Promise("NS-27")
    void theNewestVersionThatBothSidesKnowIsUsed() throws Exception {
        assertThat(api.version()).hasToString("v0.0.38");
        assertThat(newest(38, 39, 40, 41)).isEqualTo("v0.0.41");
        assertThat(newest(42, 45, 46)).isEqualTo("v0.0.45");
        assertThat(newest(38, 39)).isEqualTo("v0.0.38");
    }

    private static String newest(int... versions) throws Exception {
        try (PlayedRest other = new PlayedRest(versions);
                SlurmApi asked = new SlurmApi("dgx", other.settings())) {
            return asked.version().toString();
        }
    }

    @Test
    @Promise("NS-27")
    void aDaemonOfUnknownVersionsIsToldWithWhatItOffers() {
        assertThatThrownBy(() -> newest(36, 99))
                .isInstanceOf(Unreadable.class)
                .hasMessageContaining("knows, v0.0.38 and v0.0.40 to v0.0.45; it offers: 'v0.0.36, v0.0.99'");
        assertThatThrownBy(SlurmApiTest::newest).isInstanceOf(Unreadable.class).hasMessageContaining("'none'");
    }

    @Test
    void afterAnUpgradeTheVersionsAreAskedForAgain() throws Exception {
        assertThatThrownBy(() -> api.job("9")).isInstanceOf(Unreachable.class);
        server.answer("GET /openapi/v3", 200, "{\"paths\":{\"/slurm/v0.0.41/jobs/\":{}}}")
                .answer("GET /slurm/v0.0.41/job/9", 500, UNKNOWN);

        assertThat(api.job("9")).isEmpty();
    }

    @Test
    @Promise("NS-27")
    void onlyTheAnswerThatTheIdIsInvalidMakesAJobUnknown() throws Exception {
        server.answer("GET /slurm/v0.0.38/job/9", 500, UNKNOWN);
        assertThat(api.job("9")).isEmpty();

        for (String other : List.of(
                UNSPECIFIED,
                FINE,
                "{\"errors\":[{\"error_number\":2017},{\"error_number\":-1}],\"jobs\":[]}",
                "{\"jobs\":[{\"job_id\":9",
                "",
                "<html>bad gateway</html>")) {
            for (int status : new int[] {200, 500}) {
                server.answer("GET /slurm/v0.0.38/job/9", status, other);
                assertThatThrownBy(() -> api.job("9"))
                        .as(status + other)
                        .isInstanceOfAny(Unreachable.class, Unreadable.class);
            }
        }
    }

    @Test
    @Promise("NS-27")
    void aListBesideAnErrorAndAnEmptyOneWithoutControllerAreNoLists() throws Exception {
        server.answer(
                "GET /slurm/v0.0.38/jobs",
                200,
                "{\"errors\":[{\"error\":\"Zero Bytes were transmitted or received\",\"error_number\":5005}],"
                        + "\"jobs\":[{\"job_id\":1}]}");
        assertThatThrownBy(() -> api.queue(any -> true))
                .isInstanceOfSatisfying(
                        Unreachable.class, e -> assertThat(e.filesCanBeRead()).isTrue())
                .hasMessageContaining("Zero Bytes");

        server.answer("GET /slurm/v0.0.38/jobs", 200, FINE)
                .answer("GET /slurm/v0.0.38/ping", 200, "{\"errors\":[],\"pings\":[{\"ping\":\"DOWN\"}]}");
        assertThatThrownBy(() -> api.queue(any -> true))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("its controller is not up");

        server.answer("GET /slurm/v0.0.38/ping", 200, "{\"errors\":[],\"pings\":[{\"ping\":\"UP\"}]}");
        assertThat(api.queue(any -> true)).isEmpty();
    }

    @Test
    @Promise("NS-27")
    void aTokenThatHasRunOutIsToldWithItsEndAndHowToRenewIt() {
        server.answer("GET /slurm/v0.0.38/job/9", 500, UNSPECIFIED).answer("GET /slurmdb/v0.0.38/job/1", 200, NO_TOKEN);

        assertThatThrownBy(() -> api.job("9"))
                .isInstanceOf(Denied.class)
                .hasMessage(
                        "slurmrestd of target 'dgx' does not take the token of user 'tao', which by its own words is valid"
                                + " until 2026-11-23T08:32:33Z: Protocol authentication error. It has run out, is another user's, or is"
                                + " signed with another key.")
                .extracting(e -> ((Denied) e).remedy())
                .asString()
                .contains("scontrol token username=tao lifespan=SECONDS", "Jobs are not affected");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    @Promise("NS-27")
    void aRefusedTokenIsNoMissingJobAndStandsInNoMessage(int status) {
        server.answer("GET /slurm/v0.0.38/job/9", status, "Authentication failure " + PlayedRest.TOKEN);

        assertThatThrownBy(() -> api.job("9"))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("Authentication failure ***")
                .hasMessageNotContaining(PlayedRest.TOKEN);
    }

    @Test
    void theTokenIsReadAnewForEachRequest() throws Exception {
        String second = PlayedRest.token("{}");
        Deque<String> kept = new ArrayDeque<>(List.of("SLURM_JWT=" + PlayedRest.TOKEN + "\n", second));
        SecretSource place = SecretSource.of("file", () -> Secret.of(kept.size() > 1 ? kept.pop() : kept.element()));
        server.answer("GET /slurm/v0.0.38/job/9", 500, UNKNOWN);
        try (SlurmApi renewed = new SlurmApi("dgx", new SlurmRest(server.url(), "tao", place, Optional.empty()))) {
            renewed.job("9");
        }

        assertThat(server.tokens).containsExactly(PlayedRest.TOKEN, second);
    }

    @Test
    void whatCannotBeATokenIsNotSent() {
        for (SecretSource wrong : List.of(SecretSource.known(Secret.of("two words")), SecretSource.of("gone", () -> {
            throw new IllegalArgumentException("The file /t cannot be read");
        }))) {
            try (SlurmApi without = new SlurmApi("dgx", new SlurmRest(server.url(), "tao", wrong, Optional.empty()))) {
                assertThatThrownBy(() -> without.job("9")).isInstanceOf(Denied.class);
            }
        }
        assertThat(server.asked).isEmpty();
    }

    @Test
    @Promise("NS-27")
    void anIdBesideAnErrorIsAJobThatWasTaken() throws Exception {
        server.answer(
                "POST /slurm/v0.0.38/job/submit",
                500,
                "{\"errors\":[{\"error_code\":2015,\"error\":\"Requested partition configuration not available now\"}],"
                        + "\"job_id\":6,\"step_id\":\"BATCH\"}");

        assertThat(api.submit(Json.object())).isEqualTo("6");
    }

    @Test
    @Promise("NS-27")
    void aRefusalHasItsRemedyAndALossIsNoRefusal() {
        server.answer(
                "GET /slurm/v0.0.38/partitions", 200, "{\"partitions\":[{\"name\":\"polar\"},{\"name\":\"long\"}]}");
        assertThat(submitting("{\"errors\":[{\"error_code\":2000,\"error\":\"Invalid partition name specified\"}]}"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Invalid partition name specified")
                .extracting(e -> ((Rejected) e).remedy())
                .asString()
                .contains("Use one of: polar, long.");
        for (String lost : List.of(
                "{\"errors\":[{\"error_code\":1800,\"error\":\"Unable to contact slurm controller (connect failure)\"}]}",
                "{\"errors\":[{\"error_code\":-1,\"error\":\"Unspecified error\"}]}",
                "{\"errors\":[]}",
                "")) {
            assertThat(submitting(lost)).as(lost).isInstanceOfAny(Unreachable.class, Unreadable.class);
        }
        server.answer("GET /slurmdb/v0.0.38/job/1", 200, NO_TOKEN);
        assertThat(submitting(
                        "{\"errors\":[{\"error_code\":5005,\"error\":\"Zero Bytes were transmitted or received\"}]}"))
                .isInstanceOf(Denied.class);
    }

    /** Slurm's -1 has the words "Unspecified error", both from a plugin of the site and where nothing is known. */
    @Test
    @Promise("NS-27")
    void aRuleOfTheSiteRefusesTheJobWhereTheControllerAnswers() {
        String old = "{\"errors\":[{\"error_code\":-1,\"error\":\"Unspecified error\"}]}";
        String now = "{\"errors\":[{\"description\":\"Batch job submission failed\",\"error_number\":-1,"
                + "\"error\":\"Unspecified error\",\"source\":\"slurm_submit_batch_job()\"}],"
                + "\"job_submit_user_msg\":\"Queue 'long' is temporarily closed.\\nUse 'day'.\"}";
        for (String answer : List.of(old, now)) {
            server.answer("GET /slurm/v0.0.38/ping", 200, "{\"pings\":[{\"hostname\":\"ctl\",\"ping\":\"UP\"}]}");
            assertThat(submitting(answer))
                    .isInstanceOf(Rejected.class)
                    .hasMessageContaining("Unspecified error")
                    .extracting(e -> ((Rejected) e).remedy())
                    .asString()
                    .startsWith("A rule of the site refused it");

            server.answer("GET /slurm/v0.0.38/ping", 200, "{\"pings\":[{\"hostname\":\"ctl\",\"ping\":\"DOWN\"}]}");
            assertThat(submitting(answer)).isInstanceOf(Unreachable.class);
        }
        server.answer("GET /slurm/v0.0.38/ping", 200, "{\"pings\":[{\"ping\":\"UP\"}]}");
        assertThat(submitting(now)).hasMessageContaining("(Queue 'long' is temporarily closed; Use 'day')");

        server.answer("GET /slurmdb/v0.0.38/job/1", 200, NO_TOKEN);
        assertThat(submitting(old)).isInstanceOf(Denied.class);
    }

    /** The numbers decide, not the words: a site may name a reservation "connection", and Slurm's texts change. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            2051; Invalid time limit: no connection to partition 'standby' before noon; REJECTED
            2050; Job violates accounting/QOS policy (timed out users); REJECTED
            9202; Unable to convert data: unexpected message; REJECTED
            2000; Invalid partition name specified; REJECTED
            1800; Ein neues Wort; LOST
            11; Resource busy; LOST
            111; Refused; LOST
            2019; I/O error on the state; LOST
            2027; Not the primary; LOST
            5005; Nothing was sent; LOST
            """)
    @Promise("NS-27")
    void theNumberOfAnErrorSaysWhetherTheControllerAnswered(int number, String words, String meaning) {
        assertThat(submitting("{\"errors\":[{\"error_number\":" + number + ",\"error\":\"" + words + "\"}]}"))
                .isInstanceOf(meaning.equals("LOST") ? Unreachable.class : Rejected.class)
                .hasMessageContaining(words);
    }

    @Test
    void aUserWhoMayNotCancelIsNotTriedAgain() {
        server.answer(
                "DELETE /slurm/v0.0.38/job/9",
                500,
                "{\"errors\":[{\"description\":\"unable to kill JobId=9\",\"error_number\":2002,"
                        + "\"error\":\"Access/permission denied\",\"source\":\"slurm_kill_job\"}]}");

        assertThatThrownBy(() -> api.cancel("9"))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("cancelling job 9")
                .hasMessageContaining("Access/permission denied");
    }

    private BackendException submitting(String answer) {
        server.answer("POST /slurm/v0.0.38/job/submit", 500, answer);
        try {
            throw new AssertionError(api.submit(Json.object()));
        } catch (BackendException e) {
            return e;
        }
    }

    @Test
    void accountingThatHasNothingIsNotAccountingThatFails() throws Exception {
        server.answer(
                "GET /slurmdb/v0.0.38/job/9",
                200,
                "{\"errors\":[{\"description\":\"Nothing found\",\"error_number\":9003,"
                        + "\"error\":\"Nothing found with query\"}],\"jobs\":[]}");
        assertThat(api.past("9").orElseThrow()).isEmpty();

        server.answer(
                "GET /slurmdb/v0.0.38/job/9", 500, "{\"errors\":[{\"error\":\"Connection refused\"}],\"jobs\":[]}");
        assertThatThrownBy(() -> api.past("9")).isInstanceOf(Unreachable.class);
        server.answer("GET /slurmdb/v0.0.38/jobs", 200, FINE);
        assertThat(api.pastNamed("tao-job-x", Instant.ofEpochSecond(5))).isPresent();
    }

    @Test
    @Promise("NS-27")
    void theTokenGoesOverTlsUnlessTheTargetSaysOtherwise() {
        SecretSource token = SecretSource.known(Secret.of(PlayedRest.TOKEN));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SlurmRest("http://slurm.example:6820", "tao", token, Optional.empty()))
                .withMessageContaining("plainText: true");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SlurmRest("http://localhost.example", "tao", token, Optional.empty()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SlurmRest("https://slurm.example", "t a o", token, Optional.empty()));
        assertThat(new SlurmRest("http://slurm.example/", "tao", token, Optional.of(true)).url())
                .isEqualTo("http://slurm.example");
    }
}
