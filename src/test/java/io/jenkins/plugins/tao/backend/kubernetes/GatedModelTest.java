package io.jenkins.plugins.tao.backend.kubernetes;

import static io.jenkins.plugins.tao.payload.ModelHub.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.ModelHub;
import java.util.List;
import java.util.Map;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Models of Hugging Face, open and gated, for jobs in a cluster. */
class GatedModelTest extends ClusterTest {
    private ModelHub hub;

    @BeforeEach
    void startHub() throws Exception {
        hub = new ModelHub(GatedModelTest::answer);
    }

    @AfterEach
    void closeHub() {
        hub.close();
    }

    /** As the hub does: the record of a gated model is public, its files are not; a private model is not told of. */
    private static MockResponse.Builder answer(ModelHub.Asked request) {
        String path = request.path();
        boolean record = path.startsWith("/api/models/");
        if (path.contains("/missing/") || (!path.contains("/main") && record)) {
            return new MockResponse.Builder().code(404).body("{\"error\":\"Invalid rev id\"}");
        }
        if (!request.isKnown() && (path.contains("/private/") || (path.contains("/gated/") && !record))) {
            return new MockResponse.Builder().code(401).body("{\"error\":\"gated\"}");
        }
        return new MockResponse.Builder()
                .body(
                        record
                                ? "{\"sha\":\"abc\",\"gated\":" + (path.contains("/gated/") ? "\"manual\"" : "false")
                                        + ",\"siblings\":[{\"rfilename\":\"config.json\",\"size\":2}]}"
                                : "{}");
    }

    private JobSpec job(String model, Map<String, Secret> secrets) {
        return Sample.job("cat hf_model://" + model + "/config.json")
                .resources(Sample.resources(1, 0))
                .env(Map.of("HF_ENDPOINT", hub.address(), "TAO_TRANSFER_PAUSE", "0.02"))
                .secrets(secrets)
                .inputs(List.of(temporary + "/pvc/" + model + secrets.size() + "=hf_model://" + model))
                .build();
    }

    private Report.Check model(JobSpec job) throws Exception {
        return backend.preflight(job).checks().stream()
                .filter(check -> check.name().startsWith("model "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Promise("KU-15")
    void aTokenIsAskedForWhereTheModelIsGatedAndNowhereElse() throws Exception {
        Map<String, Secret> token = Map.of("HF_TOKEN", Secret.of(TOKEN));

        Report.Check open = model(job("open/net", Map.of()));
        Report.Check gated = model(job("gated/net", Map.of()));
        Report.Check given = model(job("gated/net", token));
        Report.Check hidden = model(job("private/net", Map.of()));
        Report.Check wrong = model(job("private/net", Map.of("HF_TOKEN", Secret.of("hf_of_another"))));
        Report.Check missing = model(job("missing/net", token));

        assertThat(open).isEqualTo(Report.Check.passed("model open/net", "open to everybody"));
        assertThat(gated.verdict()).isEqualTo(Report.Verdict.FAILED);
        assertThat(gated.detail()).isEqualTo("it is gated, and the job has no HF_TOKEN");
        assertThat(gated.remedy()).contains("Accept its terms on Hugging Face", "the secret HF_TOKEN");
        assertThat(given.verdict()).isEqualTo(Report.Verdict.PASSED);
        assertThat(hidden.verdict()).isEqualTo(Report.Verdict.FAILED);
        assertThat(wrong.detail()).contains("HF_TOKEN may not read it");
        assertThat(missing.detail()).contains("has no revision 'main' of it");
        assertThat(List.of(given, wrong, missing).toString()).doesNotContain(TOKEN, "hf_of_another");
    }

    @Test
    @Promise("KU-15")
    void anOpenModelComesWithoutATokenAndAGatedOneWithTheSecretOfTheJobAlone() throws Exception {
        JobHandle open = submit(job("open/net", Map.of()), "open");
        JobHandle without = submit(job("gated/net", Map.of()), "without");
        JobHandle with = submit(job("gated/net", Map.of("HF_TOKEN", Secret.of(TOKEN))), "with");

        assertThat(until(open, JobState.ENDED).ending()).hasValue(Ending.COMPLETED);
        assertThat(until(without, JobState.ENDED).exitCode()).hasValue(66);
        assertThat(until(with, JobState.ENDED).ending()).hasValue(Ending.COMPLETED);

        assertThat(out(without)).contains("is gated or private", "HF_TOKEN", "the command was not started");
        assertThat(out(with)).endsWith("{}").doesNotContain(TOKEN);
        assertThat(hub.requests())
                .filteredOn(request -> request.contains("open/net"))
                .isNotEmpty()
                .allMatch(request -> request.endsWith(" null"));
        assertThat(cluster.admin()
                        .batch()
                        .v1()
                        .jobs()
                        .inNamespace("tao-jobs")
                        .list()
                        .toString())
                .doesNotContain(TOKEN);
    }

    @Test
    void aHubThatDoesNotAnswerFromHereIsNoReasonToRefuse() throws Exception {
        JobSpec job = job("gated/net", Map.of());
        hub.close();

        assertThat(model(job).verdict()).isEqualTo(Report.Verdict.WARNING);
    }
}
