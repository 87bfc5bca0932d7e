package io.jenkins.plugins.tao.backend.lepton.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.lepton.LeptonWorkspace;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What preflight says of models of Hugging Face, from a hub with an open, a gated and a private one. */
class LeptonModelTest extends LeptonWorkspace {
    private final MockWebServer hub = PlayedServer.create();

    @BeforeEach
    void startHub() throws Exception {
        hub.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                return request.getTarget().contains("/private/")
                        ? new MockResponse.Builder().code(401).body("{}").build()
                        : new MockResponse.Builder()
                                .body("{\"gated\":" + request.getTarget().contains("/gated/") + "}")
                                .build();
            }
        });
        hub.start(InetAddress.getLoopbackAddress(), 0);
    }

    @AfterEach
    void closeHub() {
        hub.close();
    }

    private JobSpec.Builder asking(String command) {
        return job(command).env(Map.of("HF_ENDPOINT", "http://127.0.0.1:" + hub.getPort()));
    }

    private Report preflight(JobSpec spec) throws Exception {
        return backend.preflight(spec);
    }

    @Test
    @Promise("LE-10")
    void aGatedModelNeedsItsTokenWhichIsNeverShownAndAnOpenOneNeedsNone() throws Exception {
        JobSpec.Builder wanting = asking("train").inputs(List.of("hf_model://nvidia/gated"));

        Report open = preflight(
                asking("train").inputs(List.of("hf_model://nvidia/open")).build());
        Report without = preflight(wanting.build());
        Report with = preflight(
                wanting.secrets(Map.of("HF_TOKEN", Secret.of("hf_value"))).build());
        Report named =
                preflight(asking("train --from hf_model://nvidia/gated/w.pth").build());

        assertThat(check(open, "model nvidia/open").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(check(without, "model nvidia/gated").verdict()).isEqualTo(Verdict.FAILED);
        assertThat(check(without, "model nvidia/gated").remedy()).contains("HF_TOKEN");
        assertThat(check(with, "model nvidia/gated").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(check(named, "model nvidia/gated").verdict()).isEqualTo(Verdict.FAILED);
        assertThat(with.toString()).doesNotContain("hf_value");
    }

    @Test
    void aTokenThatTheWorkspaceHasIsEnoughForAGatedModel() throws Exception {
        LeptonOptions there = Records.of(LeptonOptions.class, "secretRefs", Map.of("HF_TOKEN", "team-hf"));
        JobSpec.Builder job = asking("train").options(there);

        Report gated = preflight(job.inputs(List.of("hf_model://nvidia/gated")).build());
        Report hidden =
                preflight(job.inputs(List.of("hf_model://nvidia/private")).build());

        assertThat(check(gated, "model nvidia/gated").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(check(hidden, "model nvidia/private").detail()).contains("not verified", "HF_TOKEN is given");
    }
}
