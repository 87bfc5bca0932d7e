package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static io.jenkins.plugins.tao.payload.ModelHub.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import okio.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models of Hugging Face, by the runner in Python, from a hub that sends large files from another host. */
class ModelTest {
    private static final String WEIGHTS = "weights ".repeat(1000);

    @TempDir
    Path folder;

    private ModelHub hub;

    @BeforeEach
    void start() throws Exception {
        hub = new ModelHub(this::answer);
    }

    @AfterEach
    void close() {
        hub.close();
    }

    private MockResponse.Builder answer(ModelHub.Asked request) {
        if (request.path().equals("/cdn/weights")) {
            // long enough for replicas to begin meanwhile
            return new MockResponse.Builder().headersDelay(1, TimeUnit.SECONDS).body(WEIGHTS);
        }
        if (!request.isKnown()) {
            return new MockResponse.Builder().code(401).body("{\"error\":\"gated\"}");
        }
        if (request.path().startsWith("/api/models/nvidia/Cosmos/revision/v2")) {
            String sha = ByteString.encodeString(WEIGHTS, StandardCharsets.UTF_8)
                    .sha256()
                    .hex();
            return new MockResponse.Builder()
                    .body("{\"sha\":\"abc123\",\"siblings\":[{\"rfilename\":\"config.json\",\"size\":2},"
                            + "{\"rfilename\":\"w/model.safetensors\",\"size\":" + WEIGHTS.length()
                            + ",\"lfs\":{\"sha256\":\"" + sha + "\"}}]}");
        }
        return request.path().endsWith("config.json")
                ? new MockResponse.Builder().body("{}")
                : new MockResponse.Builder()
                        .code(302)
                        .setHeader("Location", "http://localhost:" + hub.port() + "/cdn/weights");
    }

    private Container.Log run(Map<String, Secret> secrets) throws Exception {
        return container(secrets).run(payload(secrets).script(), folder);
    }

    private Payload payload(Map<String, Secret> secrets) {
        JobSpec.Builder spec = JobSpec.of("cat hf_model://nvidia/Cosmos@v2/config.json; find " + folder
                        + "/mnt/huggingface -type f | wc -l")
                .inputs(List.of("hf_model://nvidia/Cosmos@v2"))
                .secrets(secrets);
        return Payload.of(spec.build(), KEY).sharedRoot(folder + "/mnt");
    }

    private Container container(Map<String, Secret> secrets) throws Exception {
        Container container =
                Container.of("dash").env("HF_ENDPOINT", hub.address()).env("TAO_TRANSFER_PAUSE", "0.02");
        payload(secrets).secrets().forEach((name, value) -> container.env(name, value.reveal()));
        return container;
    }

    @Test
    void aModelComesWholeAndItsTokenGoesToNobodyElse() throws Exception {
        Container.Log log = run(Map.of("HF_TOKEN", Secret.of(TOKEN)));

        Path model = folder.resolve("mnt/huggingface/nvidia/Cosmos@v2");
        assertThat(log.output()).contains("fetched hf_model://nvidia/Cosmos@v2").endsWith("{}2\n");
        assertThat(Files.readString(model.resolve("w/model.safetensors"))).isEqualTo(WEIGHTS);
        assertThat(hub.requests())
                .contains("/cdn/weights null", "/nvidia/Cosmos/resolve/abc123/config.json Bearer " + TOKEN);
        assertThat(log.raw()).doesNotContain(TOKEN);
    }

    @Test
    void aModelIsFetchedOnce() throws Exception {
        run(Map.of("HF_TOKEN", Secret.of(TOKEN)));
        int asked = hub.requests().size();

        Container.Log second = run(Map.of("HF_TOKEN", Secret.of(TOKEN)));

        assertThat(second.output()).contains("is here already");
        assertThat(hub.requests()).hasSize(asked);
    }

    @Test
    void replicasThatShareAVolumeFetchAModelOnceEvenAfresh() throws Exception {
        for (String fresh : List.of("0", "1")) {
            Files.createDirectories(folder.resolve("mnt"));
            hub.requests().clear();

            List<Process> replicas = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                replicas.add(container(Map.of("HF_TOKEN", Secret.of(TOKEN)))
                        .env("NODE_RANK", Integer.toString(rank))
                        .env("TAO_FRESH_INPUTS", fresh)
                        .start(payload(Map.of("HF_TOKEN", Secret.of(TOKEN))).script(), folder));
            }

            for (Process replica : replicas) {
                assertThat(Container.finish(replica).output()).endsWith("{}2\n");
            }
            assertThat(hub.requests())
                    .filteredOn(request -> request.startsWith("/cdn/weights"))
                    .hasSize(fresh.equals("0") ? 1 : 0);
        }
    }

    @Test
    void aGatedModelWithoutATokenIsExplainedBeforeTheCommand() throws Exception {
        Container.Log log = run(Map.of());

        assertThat(log.output())
                .contains("hf_model://nvidia/Cosmos@v2 is gated or private", "HF_TOKEN", "the command was not started");
        assertThat(log.told()).hasValue(66);
    }
}
