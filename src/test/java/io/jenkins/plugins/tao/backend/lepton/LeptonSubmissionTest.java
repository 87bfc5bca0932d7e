package io.jenkins.plugins.tao.backend.lepton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonPatch;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonName;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.GitCode;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeptonSubmissionTest extends LeptonWorkspace {
    private JsonNode submitted(Backend to, JobSpec spec) throws Exception {
        to.submit(spec, key("body"));
        return Json.parse(simulator.body("POST /jobs")).orElseThrow();
    }

    private JsonNode sent(JobSpec.Builder spec) throws Exception {
        return submitted(backend, spec.build()).path("spec");
    }

    @Test
    @Promise("NS-22")
    void fieldsThatHaveNoOptionHereGoThroughAsAPatch() throws Exception {
        JsonNode spec = sent(job("true").options(Records.of(LeptonOptions.class, "patch", """
                metrics: {enable: true}
                container: {ports: [{container_port: 8080}]}
                image_pull_secrets: [mine]
                shared_memory_size: 1024
                """)));

        assertThat(spec.at("/metrics/enable").asBoolean()).isTrue();
        assertThat(spec.at("/container/ports/0/container_port").intValue()).isEqualTo(8080);
        assertThat(spec.at("/container/command/0").asText()).isEqualTo("/bin/sh");
        assertThat(spec.path("image_pull_secrets").toString()).contains("\"mine\"");
        assertThat(spec.path("shared_memory_size").intValue()).isEqualTo(1024);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max_failure_retry: 3",
                "completions: 2",
                "log: {enable_collection: false}",
                "stopped: true",
                "container: {image: other}",
                "container: {command: [sleep]}",
                "envs: [{name: TOKEN, value: x}]",
                "[1]",
                "a: b: c"
            })
    @Promise("NS-22")
    void aPatchThatWouldBreakTheWatchIsRefusedByName(String patch) {
        assertThatThrownBy(() -> LeptonPatch.parse(patch)).hasMessageStartingWith("patch");
    }

    @Test
    @Promise({"LE-01", "LE-13", "LE-14", "LE-15", "LE-29"})
    void aJobInADedicatedGroupWithItsVolume() throws Exception {
        JsonNode spec = sent(job("true"));

        assertThat(spec.at("/affinity/allowed_dedicated_node_groups").toString())
                .isEqualTo("[\"my-h100-pool-abcd\"]");
        assertThat(spec.path("completions").intValue()).isEqualTo(1);
        assertThat(spec.path("parallelism").intValue()).isEqualTo(1);
        assertThat(spec.has("intra_job_communication")).isFalse();
        assertThat(spec.path("mounts").toString())
                .isEqualTo("[{\"path\":\"/\",\"from\":\"node-nfs:fsw-lustre\",\"mount_path\":\"" + simulator.mount()
                        + "\"}]");
        assertThat(spec.path("ttl_seconds_after_finished").intValue()).isEqualTo(259_200);
        assertThat(spec.path("shared_memory_size").intValue()).isEqualTo(131_072);
        assertThat(spec.path("max_failure_retry").intValue()).isZero();
        assertThat(spec.path("log").toString())
                .isEqualTo("{\"enable_collection\":true,\"save_termination_logs\":true}");
    }

    @Test
    @Promise({"LE-01", "LE-11", "LE-13", "LE-15"})
    void aJobOnSharedMachinesWithANamedShapeAndMountsOfItsOwn() throws Exception {
        LeptonOptions options = Records.of(
                LeptonOptions.class,
                "resourceShape",
                "opaque.id-7",
                "mounts",
                List.of("node-lustre:team:/fsw/team=" + simulator.mount(), "scratch=/mnt/s:ro"),
                "sharedMemory",
                1024,
                "archiveAfter",
                Duration.ofHours(1),
                "priority",
                "high-7000",
                "canBePreempted",
                false,
                "reservation",
                "res-1");
        try (Backend shared = open(simulator.target().build())) {
            JsonNode spec =
                    submitted(shared, job("true").options(options).build()).path("spec");

            assertThat(spec.path("resource_shape").asText()).isEqualTo("opaque.id-7");
            assertThat(spec.has("affinity")).isFalse();
            assertThat(spec.path("mounts").get(0).toString())
                    .isEqualTo("{\"path\":\"/fsw/team\",\"from\":\"node-lustre:team\",\"mount_path\":\""
                            + simulator.mount() + "\"}");
            assertThat(spec.path("mounts").get(1).at("/mount_options/read_only").booleanValue())
                    .isTrue();
            assertThat(spec.path("shared_memory_size").intValue()).isEqualTo(1024);
            assertThat(spec.path("ttl_seconds_after_finished").intValue()).isEqualTo(3600);
            assertThat(spec.path("queue_config").toString())
                    .isEqualTo("{\"priority_class\":\"high-7000\",\"can_be_preempted\":false}");
            assertThat(spec.at("/reservation_config/reservation_id").asText()).isEqualTo("res-1");
        }
        assertThat(simulator.calls).noneMatch(call -> call.contains("/shapes"));
    }

    @ParameterizedTest
    @CsvSource({"1, gpu.1xh100-sxm", "8, gpu.8xh100-sxm", "0, cpu.medium", "4, gpu.4xh100"})
    @Promise("LE-12")
    void aShapeIsFoundByTheNumberOfGpus(int gpus, String shape) throws Exception {
        assertThat(sent(job("true").resources(machines(1, gpus)))
                        .path("resource_shape")
                        .asText())
                .isEqualTo(shape);
    }

    @Test
    @Promise("LE-12")
    void severalFittingShapesAreNamedInsteadOfGuessed() {
        try (Backend shared = open(simulator.target().build())) {
            assertThatThrownBy(() ->
                            shared.submit(job("true").resources(machines(1, 4)).build(), key("x")))
                    .isInstanceOf(Rejected.class)
                    .hasMessageContaining("more than one shape with 4 GPUs")
                    .extracting(e -> ((Rejected) e).remedy())
                    .asString()
                    .contains("gpu.4xl40s (4 × L40S)", "gpu.4xh100 (4 × H100-SXM)");
        }
    }

    @Test
    @Promise({"LE-20", "LE-21"})
    void severalNodesAreReplicasThatTalkToEachOther() throws Exception {
        JsonNode spec = sent(job("true").resources(machines(3, 8)));

        assertThat(spec.path("completions").intValue()).isEqualTo(3);
        assertThat(spec.path("parallelism").intValue()).isEqualTo(3);
        assertThat(spec.path("intra_job_communication").booleanValue()).isTrue();
        assertThat(spec.path("envs").toString())
                .contains(
                        "{\"name\":\"WORLD_SIZE\",\"value\":\"3\"}", "{\"name\":\"NUM_GPU_PER_NODE\",\"value\":\"8\"}");
    }

    @Test
    @Promise("LE-16")
    void theFieldsThatAllPlatformsShareAreTaken() throws Exception {
        JsonNode spec = sent(job("train -e {config_path}")
                .resources(new Resources(2, OptionalInt.of(8), OptionalInt.of(4), Optional.of(Duration.ofHours(2))))
                .env(Map.of("A", "1"))
                .secrets(Map.of("B", Secret.of("two")))
                .inputs(List.of(simulator.mount() + "/in"))
                .spec(Map.of("train", Map.of("num_epochs", 3)))
                .resultsDirectory(simulator.mount() + "/mine"));

        String script = spec.at("/container/command/2").asText();
        assertThat(spec.at("/container/image").asText()).isEqualTo(IMAGE);
        assertThat(script).contains("export A=1", "num_epochs: 3", "tao_left=7200", simulator.mount() + "/mine");
        assertThat(spec.path("envs").toString()).contains("\"value_from\":{\"secret_name_ref\":\"TAO_");
        assertThat(simulator.bodies.get("POST /jobs")).doesNotContain("two\"");
    }

    @Test
    @Promise("LE-04")
    void anNgcKeyBecomesAPullSecretOnceAndIsUsedAgain() throws Exception {
        Records.Draft<LeptonTarget> target = simulator.target().with("nodeGroup", "my-h100-pool");
        try (Backend one = open(target.with("ngcKey", Secret.of("nvapi-1")).build())) {
            one.submit(job("true").build(), key("first"));
            one.submit(job("true").build(), key("second"));
        }
        try (Backend other = open(target.with("ngcKey", Secret.of("nvapi-2")).build())) {
            other.submit(job("true").build(), key("third"));
        }

        String name = LeptonName.pullSecret("nvapi-1");
        assertThat(simulator.calls.stream()
                        .filter(call -> call.equals("POST /imagepullsecrets"))
                        .count())
                .isEqualTo(2);
        assertThat(simulator.pullSecrets).containsOnlyKeys(name, LeptonName.pullSecret("nvapi-2"));
        assertThat(Objects.requireNonNull(simulator.pullSecrets.get(name))
                        .path("spec")
                        .toString())
                .isEqualTo(
                        "{\"registry_server\":\"https://nvcr.io\",\"username\":\"$oauthtoken\",\"password\":\"nvapi-1\"}");
        assertThat(simulator.only().body.at("/spec/image_pull_secrets").toString())
                .contains("tao-ngc-");
    }

    @Test
    void anAnswerThatIsLostIsFoundAgainInsteadOfRepeated() throws Exception {
        simulator.lost = call -> call.equals("POST /jobs")
                ? Optional.of(new MockResponse.Builder().onResponseStart(new SocketEffect.CloseSocket()))
                : Optional.empty();
        assertThatThrownBy(() -> backend.submit(job("true").build(), key("lost")))
                .isInstanceOf(Unreachable.class);
        simulator.lost = call -> Optional.empty();

        JobHandle found = backend.submit(job("true").build(), key("lost"));

        assertThat(simulator.jobs).containsOnlyKeys(found.nativeId());
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 429})
    void aFailureAfterTheJobWasMadeIsNoSecondJobEither(int status) throws Exception {
        simulator.lost =
                call -> call.equals("POST /jobs") ? Optional.of(LeptonSimulator.json(status, "{}")) : Optional.empty();
        assertThatThrownBy(() -> backend.submit(job("true").build(), key("x"))).isInstanceOf(Unreachable.class);
        simulator.lost = call -> Optional.empty();

        backend.submit(job("true").build(), key("x"));

        assertThat(simulator.jobs).hasSize(1);
    }

    @Test
    void twoJobsOfOneNameAreToldInsteadOfChosenFrom() throws Exception {
        JobHandle one = backend.submit(job("true").build(), key("twice"));
        SimulatedJob twin = new SimulatedJob(one.nativeId() + "x", simulator.only().body, 1);
        simulator.jobs.put(twin.id, twin);

        assertThatThrownBy(() -> backend.submit(job("true").build(), key("twice")))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining(one.nativeId())
                .hasMessageContaining(twin.id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "9lives", "UPPER_case.dots", "x-------------------------------------------------------y"})
    void namesAreShortAndStayUnique(String text) {
        JobKey key = new JobKey(text);
        JobKey longer = new JobKey(text + "z");

        String name = LeptonName.of(key, 1);

        assertThat(name).matches("[a-z][a-z0-9-]{0,35}").doesNotEndWith("-").doesNotEndWith("by-lepton");
        assertThat(Set.of(name, LeptonName.of(key, 2), LeptonName.of(longer, 1)))
                .hasSize(3);
    }

    @Test
    void secretsAreMadeInTheWorkspaceByTheNameItGivesAndGoWithTheJob() throws Exception {
        simulator.secretSuffix = ".dev";
        JobHandle job = backend.submit(
                job("true").secrets(Map.of("WANDB_API_KEY", Secret.of("w4ndb"))).build(), key("secret"));
        String name = simulator
                .only()
                .body
                .at("/spec/envs")
                .findValue("secret_name_ref")
                .asText();

        assertThat(name).matches("TAO_[0-9A-F]{12}_WANDB_API_KEY\\.dev");
        assertThat(simulator.userSecrets).containsEntry(name, "w4ndb");
        await().until(() -> Objects.requireNonNull(backend.poll(Set.of(job)).get(job))
                .ending()
                .isPresent());
        assertThat(simulator.userSecrets).isEmpty();
    }

    @Test
    void secretsOfTheWorkspaceAreReferredToByName() throws Exception {
        JsonNode spec =
                sent(job("true").options(Records.of(LeptonOptions.class, "secretRefs", Map.of("HF_TOKEN", "team-hf"))));

        assertThat(spec.path("envs").toString())
                .contains("{\"name\":\"HF_TOKEN\",\"value_from\":{\"secret_name_ref\":\"team-hf\"}}");
    }

    @Test
    @Promise("LE-53")
    void aFurtherAttemptLeavesTheSickNodeBehind() throws Exception {
        JobHandle one = backend.submit(job("exit 1").build(), key("sick"));

        JobHandle two = backend.resubmit(one, Map.of(), Set.of("node-a"));

        SimulatedJob again = simulator.at(two);
        assertThat(again.body.at("/spec/affinity/allowed_nodes_in_node_group").toString())
                .isEqualTo("[\"node-b\"]");
        assertThat(again.body.at("/metadata/labels/tao-attempt").asText()).isEqualTo("2");
    }

    @Test
    void theCommitOfTheCodeIsALabelOfTheJob() throws Exception {
        String commit = "0123456789abcdef0123456789abcdef01234567";
        GitCode code = new GitCode("https://git.example/x.git", commit, Optional.empty());

        JsonNode body = submitted(backend, job("true").gitCode(code).build());

        assertThat(body.at("/metadata/labels/tao-commit").asText()).isEqualTo(commit);
    }

    @Test
    void everyCallNamesItsOriginInTheShortForm() throws Exception {
        backend.submit(job("true").build(), key("origin"));

        assertThat(simulator.origins).containsOnly(simulator.url());
    }
}
