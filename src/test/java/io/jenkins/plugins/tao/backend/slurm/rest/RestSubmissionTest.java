package io.jenkins.plugins.tao.backend.slurm.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.slurm.FakeSlurm;
import io.jenkins.plugins.tao.backend.slurm.PlayedRest;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.SlurmBackend;
import io.jenkins.plugins.tao.backend.slurm.SlurmRig;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster that is played by a slurmrestd with a memory; its files lie here, and none of its commands may be called. */
final class RestSubmissionTest {
    private static final String SUBMIT = "POST /slurm/v0.0.38/job/submit";
    private static final String FINE = "{\"errors\":[],";
    private static final JobSpec SPEC =
            JobSpec.of("true").secrets(Map.of("A", Secret.of("hush"))).build();

    @TempDir
    Path directory;

    private final List<String> taken = new ArrayList<>();
    private PlayedRest server;
    private FakeSlurm files;
    private BreakingHost host;
    private SlurmBackend backend;

    @BeforeEach
    void cluster() throws IOException {
        server = new PlayedRest(38);
        server.answer("GET /slurmdb/v0.0.38/job/1", 200, FINE + "\"jobs\":[]}")
                .answer("GET /slurmdb/v0.0.38/jobs", 200, FINE + "\"jobs\":[]}")
                .answer("GET /slurm/v0.0.38/ping", 200, FINE + "\"pings\":[{\"ping\":\"UP\"}]}")
                .answer("GET /slurm/v0.0.38/jobs", request -> PlayedRest.made(200, queue()))
                .answer(SUBMIT, request -> take(request.getBody().utf8()));
        files = new FakeSlurm(directory);
        files.command("sleep", ":");
        host = new BreakingHost(files.host());
        backend = opened();
    }

    private SlurmBackend opened() {
        return new SlurmBackend(target(), host);
    }

    private SlurmTarget target() {
        return Records.of(
                SlurmTarget.class,
                "name",
                "dgx",
                "login",
                files.target().login(),
                "baseDirectory",
                files.base.toString(),
                "sharedRoots",
                List.of(files.base.toString()),
                "rest",
                server.settings());
    }

    @AfterEach
    void noCommandOfSlurmWasCalled() throws IOException {
        backend.close();
        server.close();
        assertThat(files.calls().lines().filter(line -> !line.startsWith("sleep")))
                .isEmpty();
    }

    private MockResponse take(String body) {
        taken.add(body);
        return PlayedRest.made(200, FINE + "\"job_id\":" + (4710 + taken.size()) + "}");
    }

    private String queue() {
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < taken.size(); i++) {
            JsonNode job = Json.parse(taken.get(i)).orElseThrow().path("job");
            jobs.add("{\"job_id\":" + (4711 + i) + ",\"name\":" + job.path("name")
                    + ",\"user_name\":\"tao\",\"job_state\":\"RUNNING\","
                    + "\"state_reason\":\"None\",\"array_job_id\":0}");
        }
        return FINE + "\"jobs\":[" + String.join(",", jobs) + "]}";
    }

    private String submit() throws BackendException {
        return backend.submit(SPEC, Sample.KEY).nativeId();
    }

    @Test
    @Promise("NS-27")
    void aJobIsSentOnceAndFoundByItsNote() throws Exception {
        assertThat(submit()).isEqualTo("4711");
        assertThat(submit()).isEqualTo("4711");

        assertThat(server.count(SUBMIT)).isEqualTo(1);
        assertThat(taken.get(0)).doesNotContain("hush");
        assertThat(files.base.resolve("submit/dino-train-0a1b2c.1.lock")).doesNotExist();
        assertThat(files.base.resolve("secrets/dino-train-0a1b2c.1.env"))
                .content()
                .contains("hush");
    }

    @Test
    @Promise("NS-27")
    void aSubmissionWhoseAnswerWasLostFindsItsJobByName() throws Exception {
        server.answer(SUBMIT, request -> {
            take(request.getBody().utf8());
            return new MockResponse.Builder()
                    .onResponseStart(new SocketEffect.CloseSocket())
                    .build();
        });

        assertThatThrownBy(this::submit)
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("Whether Slurm on dgx took the job is not known");
        assertThat(submit()).isEqualTo("4711");
        assertThat(taken).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"errors\":[{\"error_code\":1800,\"error\":\"Unable to contact slurm controller\"}]}",
                "",
                "<html>"
            })
    @Promise("NS-27")
    void aSubmissionOfUnknownFateIsLookedForAndThenSentAgain(String answer) throws Exception {
        server.answer(SUBMIT, 502, answer);
        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class);
        server.answer(SUBMIT, request -> take(request.getBody().utf8()));

        assertThat(submit()).isEqualTo("4711");
        assertThat(server.count("GET /slurm/v0.0.38/jobs")).isEqualTo(1);
        assertThat(taken).hasSize(1);
    }

    /** The list says nothing: then nothing may be sent, whatever accounting says. */
    @Test
    @Promise("NS-27")
    void whileNobodyTellsOfEarlierJobsNothingIsSentAgain() throws Exception {
        server.answer(SUBMIT, 502, "");
        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class);
        server.answer(SUBMIT, request -> take(request.getBody().utf8()))
                .answer("GET /slurm/v0.0.38/jobs", 200, "{\"errors\":[{\"error_number\":-1}],\"jobs\":[]}");

        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class);
        server.answer("GET /slurm/v0.0.38/jobs", 200, FINE + "\"jobs\":[]}")
                .answer(
                        "GET /slurmdb/v0.0.38/jobs",
                        500,
                        "{\"errors\":[{\"error\":\"Connection refused\"}],\"jobs\":[]}");
        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class);

        assertThat(taken).isEmpty();
    }

    /** The files' host broke off before it could note the id, and the same or another process tries again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Promise("NS-27")
    void anIdThatCouldNotBeNotedIsFoundAgain(boolean sameProcess) throws Exception {
        host.breakAfter(1);
        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class);
        assertThat(taken).hasSize(1);

        if (!sameProcess) {
            backend.close();
            backend = opened();
            assertThatThrownBy(this::submit)
                    .isInstanceOf(Unreachable.class)
                    .hasMessageContaining("is still in progress");
            Files.delete(files.base.resolve("submit/dino-train-0a1b2c.1.lock")); // as after five minutes
        }
        assertThat(submit()).isEqualTo("4711");
        assertThat(taken).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    @Promise("NS-27")
    void aFurtherAttemptThatBrokeOffBetweenItsRoundsIsSentOnce(int rounds) throws Exception {
        JobHandle one = backend.submit(SPEC, Sample.KEY);
        Map<String, Secret> secrets = Map.of("A", Secret.of("hush"));
        host.breakAfter(rounds);

        assertThatThrownBy(() -> backend.resubmit(one, secrets, Set.of())).isInstanceOf(Unreachable.class);
        assertThat(backend.resubmit(one, secrets, Set.of()).nativeId()).isEqualTo("4712");
        assertThat(taken).hasSize(2);
    }

    @Test
    @Promise("NS-27")
    void aLockThatAnotherTookAfterMinutesIsNotTakenBack() throws Exception {
        host.breakAfter(1);
        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class);
        Files.writeString(files.base.resolve("submit/dino-train-0a1b2c.1.lock"), "rest@other 77\n");

        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class).hasMessageContaining("is still in progress");
        assertThat(files.base.resolve("submit/dino-train-0a1b2c.1.lock"))
                .content()
                .isEqualTo("rest@other 77\n");
        assertThat(taken).hasSize(1);
    }

    @Test
    void whatWasRefusedIsTriedAnewEachTime() throws Exception {
        server.answer(
                        SUBMIT,
                        500,
                        "{\"errors\":[{\"error_code\":2045,\"error\":\"Invalid account or account/partition"
                                + " combination specified\"}]}")
                .answer("GET /slurm/v0.0.38/partitions", 200, FINE + "\"partitions\":[]}");

        assertThatThrownBy(this::submit).isInstanceOf(Rejected.class).hasMessageContaining("Invalid account");
        assertThatThrownBy(this::submit).isInstanceOf(Rejected.class);
        assertThat(server.count(SUBMIT)).isEqualTo(2);
        server.answer(SUBMIT, 401, "Authentication failure");
        assertThatThrownBy(this::submit).isInstanceOf(Denied.class);
        assertThat(server.count("GET /slurm/v0.0.38/jobs")).isZero();
        assertThat(files.base.resolve("submit/dino-train-0a1b2c.1.sending")).doesNotExist();
    }

    @Test
    void nodesThatFailedAreAvoidedAsFarAsTheClusterHasOthers() throws Exception {
        server.answer(
                        "GET /slurm/v0.0.38/nodes",
                        200,
                        FINE + "\"nodes\":[{\"name\":\"gpu01\"},{\"name\":\"gpu02\"},{\"name\":\"gpu03\"}]}")
                .answer(
                        SUBMIT,
                        request -> request.getBody().utf8().contains("gpu02")
                                ? PlayedRest.made(
                                        500,
                                        "{\"errors\":[{\"error\":\"Requested node configuration is not available\"}]}")
                                : take(request.getBody().utf8()));
        Set<String> failed = new LinkedHashSet<>(List.of("gpu01", "gpu02", "gone"));

        backend.submit(SPEC, Sample.KEY, failed);

        assertThat(server.count(SUBMIT)).isEqualTo(2);
        assertThat(Json.parse(taken.get(0))
                        .orElseThrow()
                        .path("job")
                        .path("exclude_nodes")
                        .asText())
                .isEqualTo("gpu01");
    }

    @Test
    @Promise("NS-27")
    void aJobOfWhichAccountingDoesNotTellIsUnclearAndNotGone() throws Exception {
        JobHandle job = backend.submit(SPEC, Sample.KEY);
        String unknown = "{\"errors\":[{\"error_number\":2017,\"error\":\"Invalid job id specified\"}],\"jobs\":[]}";
        server.answer("GET /slurm/v0.0.38/job/4711", 500, unknown)
                .answer(
                        "GET /slurmdb/v0.0.38/job/4711",
                        500,
                        "{\"errors\":[{\"error\":\"Connection refused\"}],\"jobs\":[]}");
        assertThat(backend.poll(Set.of(job)).values())
                .singleElement()
                .satisfies(status -> assertThat(status.state()).isEqualTo(JobState.UNCLEAR));

        server.answer("GET /slurmdb/v0.0.38/job/4711", 200, FINE + "\"jobs\":[]}");
        assertThat(backend.poll(Set.of(job))).isEmpty();
    }

    /** From nine jobs on a list is asked for; a job that is missing in it is asked for by its id. */
    @Test
    @Promise("NS-27")
    void aJobThatAListLeavesOutIsAskedForByItsId() throws Exception {
        Set<JobHandle> jobs = new LinkedHashSet<>();
        for (int i = 0; i < 9; i++) {
            jobs.add(backend.submit(SPEC, new io.jenkins.plugins.tao.job.JobKey("job-" + i)));
        }
        taken.remove(8);
        server.answer("GET /slurm/v0.0.38/job/4719", 500, "{\"errors\":[{\"error_number\":-1}],\"jobs\":[]}");

        assertThatThrownBy(() -> backend.poll(jobs)).isInstanceOf(Unreachable.class);
        server.answer(
                "GET /slurm/v0.0.38/job/4719",
                200,
                FINE + "\"jobs\":[{\"job_id\":4719,\"name\":\"tao-job-job-8\","
                        + "\"job_state\":\"PENDING\",\"array_job_id\":0}]}");
        assertThat(backend.poll(jobs)).hasSize(9);
    }

    @Test
    @Promise("NS-27")
    void aCancelLeavesJobsOfOtherNamesAlone() throws Exception {
        JobHandle job = backend.submit(SPEC, Sample.KEY);
        server.answer("GET /slurm/v0.0.38/job/4711", 200, FINE + "\"jobs\":[{\"job_id\":4711,\"name\":\"another\"}]}")
                .answer("DELETE /slurm/v0.0.38/job/4711", 200, "{\"errors\":[]}");
        backend.cancel(job);
        assertThat(server.count("DELETE /slurm/v0.0.38/job/4711")).isZero();

        server.answer("GET /slurm/v0.0.38/job/4711", request -> PlayedRest.made(200, queue()));
        backend.cancel(job);
        assertThat(server.count("DELETE /slurm/v0.0.38/job/4711")).isEqualTo(1);
        assertThat(files.base.resolve("submit/dino-train-0a1b2c.cancel")).exists();
        assertThat(files.base.resolve("secrets/dino-train-0a1b2c.1.env")).doesNotExist();
    }

    @Test
    void anImageThatWouldBeConvertedIsRefusedBeforeAnythingIsSent() {
        JobSpec converts = JobSpec.of("true")
                .image("nvcr.io/nvidia/tao/tao-toolkit:6.26.3-pyt")
                .options(SlurmRig.options("useSqsh", "true"))
                .build();

        assertThatThrownBy(() -> backend.submit(converts, Sample.KEY))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("needs Slurm's commands");
        assertThat(server.asked).isEmpty();
    }

    /** A host whose connection breaks after some scripts. */
    private static final class BreakingHost implements Host {
        private final Host host;
        private int left = -1;

        private BreakingHost(Host host) {
            this.host = host;
        }

        void breakAfter(int scripts) {
            left = scripts;
        }

        @Override
        public Reply run(String script, Duration limit) throws BackendException {
            if (left-- == 0) {
                throw new Unreachable("The connection broke.", "Wait.");
            }
            return host.run(script, limit);
        }

        @Override
        public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
            return host.stream(script, sink, limit);
        }

        @Override
        public String name() {
            return host.name();
        }

        @Override
        public void close() {
            host.close();
        }
    }
}
