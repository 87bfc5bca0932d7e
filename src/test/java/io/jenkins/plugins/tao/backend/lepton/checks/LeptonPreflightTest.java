package io.jenkins.plugins.tao.backend.lepton.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.lepton.LeptonSimulator;
import io.jenkins.plugins.tao.backend.lepton.LeptonWorkspace;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeptonPreflightTest extends LeptonWorkspace {
    private Report preflight(JobSpec spec) throws Exception {
        return backend.preflight(spec);
    }

    private void reopen(LeptonTarget target) {
        backend.close();
        backend = open(target);
    }

    @Test
    @Promise({"LE-06", "LE-02"})
    void theChecksComeInOrderAndChangeNothing() throws Exception {
        Report report = preflight(job("train").build());

        assertThat(report.failed()).isFalse();
        assertThat(report.checks())
                .extracting(Report.Check::name)
                .containsExactly(
                        "workspace and token given",
                        "workspace answers",
                        "node group",
                        "volumes and permissions",
                        "model credentials",
                        "image",
                        "resource shape",
                        "pull secret");
        assertThat(simulator.calls).allMatch(call -> call.startsWith("GET "));
    }

    @ParameterizedTest
    @CsvSource({
        "'',tok,workspace,LEPTON_WORKSPACE_ID",
        "ws,'',token,LEPTON_AUTH_TOKEN",
        "ws,' ',token,LEPTON_AUTH_TOKEN"
    })
    @Promise("LE-03")
    void whatIsMissingIsNamed(String workspace, String token, String name, String variable) {
        assertThatThrownBy(() -> Records.of(
                        LeptonTarget.class, "name", "lep", "workspace", workspace, "token", Secret.of(token)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs the key " + name)
                .hasMessageContaining(variable);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "401 | does not allow | Make a new one in the dashboard under Settings, Tokens",
                "403 | does not allow | has expired, or is of another environment",
                "404 | refused | a new workspace needs up to 10 minutes"
            })
    @Promise("LE-07")
    void refusalsAndAbsencesAreToldApart(int status, String detail, String remedy) throws Exception {
        simulator.fault = call -> call.endsWith("/workspace")
                ? Optional.of(LeptonSimulator.json(status, "{\"message\":\"no\"}"))
                : Optional.empty();

        Report report = preflight(job("train").build());

        Report.Check check = check(report, "workspace answers");
        assertThat(check.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(check.detail()).contains(detail, "HTTP " + status, "'vision'");
        assertThat(check.remedy()).contains(remedy);
        assertThat(check(report, "resource shape").verdict()).isEqualTo(Verdict.SKIPPED);
        assertThat(check(report, "model credentials").verdict()).isEqualTo(Verdict.PASSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503, -1})
    @Promise("LE-07")
    void silenceIsNoRefusal(int status) {
        simulator.fault = call -> Optional.of(
                status < 0
                        ? LeptonSimulator.json(200, "{}").onResponseStart(new SocketEffect.CloseSocket())
                        : LeptonSimulator.json(status, "{}"));

        assertThatThrownBy(() -> preflight(job("train").build())).isInstanceOf(Unreachable.class);
    }

    @Test
    void aPausedWorkspaceIsRefused() throws Exception {
        simulator.fault = call -> call.endsWith("/workspace")
                ? Optional.of(LeptonSimulator.json(200, "{\"workspace_state\":\"paused\"}"))
                : Optional.empty();

        assertThat(check(preflight(job("train").build()), "workspace answers").detail())
                .isEqualTo("it is 'paused'");
    }

    @Test
    @Promise("LE-52")
    void aRefusedTokenEndsEveryCallAtOnceAndSaysHowToRenewIt() {
        simulator.fault = call -> Optional.of(LeptonSimulator.json(401, "{\"message\":\"token expired\"}"));

        assertThatThrownBy(() -> backend.submit(job("train").build(), key("x")))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("the token of target 'lep'")
                .hasMessageNotContaining(LeptonSimulator.TOKEN)
                .extracting(e -> ((Denied) e).remedy())
                .asString()
                .contains("lives one day", "Settings, Tokens");
        assertThat(simulator.calls).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "fsw-lustre:/fsw/team/data, PASSED",
        "fsw-lustre:/fsw/team, PASSED",
        "fsw-lustre:/fsw/users/dev, PASSED",
        "fsw-lustre:/fsw/users, FAILED",
        "fsw-lustre:/fsw/teammates, FAILED",
        "fsw-lustre:/fsw/team/../other, FAILED",
        "nowhere:/x, FAILED"
    })
    @Promise("LE-09")
    void theWorkspaceItselfProvesAMount(String volume, Verdict verdict) throws Exception {
        simulator.permissions = LeptonSimulator.golden("permissions.json");
        reopen(simulator
                .target()
                .with("nodeGroup", "my-h100-pool")
                .with("mounts", List.of(volume + "=/mnt/data"))
                .build());

        Report.Check check = check(preflight(job("train").build()), "volumes and permissions");

        assertThat(check.verdict()).isEqualTo(verdict);
    }

    @Test
    @Promise("LE-09")
    void anInputOnNoVolumeIsRefusedWhateverLiesOnThisMachine() throws Exception {
        Report here = preflight(job("train").inputs(List.of("/etc/passwd")).build());
        Report there = preflight(
                job("train").inputs(List.of(simulator.mount() + "/set")).build());

        assertThat(check(here, "volumes and permissions").detail()).contains("'/etc/passwd' lies on no volume");
        assertThat(check(there, "volumes and permissions").verdict()).isEqualTo(Verdict.PASSED);
    }

    @Test
    @Promise("LE-25")
    void severalNodesWithoutADedicatedGroupDrawAWarning() throws Exception {
        JobSpec two = job("train").resources(machines(2, 1)).build();
        Report dedicated = preflight(two);
        reopen(simulator.target().with("resourceShape", "gpu.1xh100-sxm").build());

        Report.Check check = check(preflight(two), "several nodes");

        assertThat(check.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check.detail()).contains("preempted the whole job fails");
        assertThat(dedicated.checks()).extracting(Report.Check::name).doesNotContain("several nodes");
    }

    @Test
    @Promise("TR-73")
    void moreGpusANodeThanAShapeHasAreRefusedWhetherOneIsNamedOrNot() throws Exception {
        JobSpec.Builder many = job("train").resources(machines(4, 16));

        Report.Check chosen = check(preflight(many.build()), "resource shape");
        reopen(simulator.target().with("resourceShape", "gpu.8xh100-sxm").build());
        Report.Check named = check(preflight(many.build()), "resource shape");

        assertThat(chosen.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(chosen.detail()).contains("no shape with 16 GPUs");
        assertThat(named.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(named.detail()).isEqualTo("gpu.8xh100-sxm has 8 GPUs on each node, the job asks for 16");
    }

    @Test
    void aShapeThatIsNotOfferedIsRefusedWithThoseThatAre() throws Exception {
        reopen(simulator
                .target()
                .with("nodeGroup", "my-h100-pool")
                .with("resourceShape", "gpu.9x")
                .build());

        Report.Check check = check(preflight(job("train").build()), "resource shape");

        assertThat(check.detail()).isEqualTo("'gpu.9x' is not offered in node group my-h100-pool");
        assertThat(check.remedy()).contains("gpu.8xh100-sxm (8 × H100-SXM)");
    }

    @Test
    void anUnknownNodeGroupIsRefusedWithThoseThereAre() throws Exception {
        reopen(simulator.target().with("nodeGroup", "h200").build());

        assertThat(check(preflight(job("train").build()), "node group").remedy())
                .isEqualTo("Use one of: my-h100-pool, l40s.");
    }

    @Test
    void aTokenThatEndsSoonIsTold() throws Exception {
        simulator.tokens = "[{\"masked_value\":\"tok-...5678\",\"expires_at\":1795294800000},"
                + "{\"masked_value\":\"abcd...wxyz\",\"expires_at\":1}]";

        assertThat(check(preflight(job("train").build()), "token lives on").detail())
                .startsWith("it ends in 3 hours");
    }

    @Test
    void aTokenWithItsWorkspaceBeforeItIsTaken() throws Exception {
        try (Backend other = open(Records.of(
                LeptonTarget.class,
                "name",
                "lep",
                "workspace",
                "vision",
                "token",
                Secret.of("vision:" + LeptonSimulator.TOKEN),
                "url",
                simulator.url()))) {
            assertThat(check(other.preflight(job("train").build()), "workspace answers")
                            .verdict())
                    .isEqualTo(Verdict.PASSED);
        }
    }

    @Test
    @Promise("TR-54")
    void secretsAndReservationsThatAJobNamesAreLookedFor() throws Exception {
        simulator.userSecrets.put("WANDB.ada", "x");
        simulator.reservations = "[{\"metadata\":{\"id\":\"res-1\"},\"status\":{\"phase\":\"Reserved\"}},"
                + "{\"metadata\":{\"id\":\"res-2\"},\"status\":{\"phase\":\"Expired\"}}]";

        Report good = preflight(named("WANDB", "res-1"));
        Report bad = preflight(named("WANDBX", "res-3"));

        assertThat(good.failed()).isFalse();
        assertThat(check(good, "reservation").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(check(bad, "secrets").detail()).isEqualTo("the workspace has no secret WANDBX");
        assertThat(check(bad, "reservation").remedy()).isEqualTo("Use one of: res-1, res-2.");
        assertThat(check(preflight(named("WANDB", "res-2")), "reservation").verdict())
                .isEqualTo(Verdict.FAILED);
    }

    private static JobSpec named(String secret, String reservation) {
        return job("true")
                .options(Records.of(
                        LeptonOptions.class, "secretRefs", Map.of("KEY", secret), "reservation", reservation))
                .build();
    }

    @Test
    @Promise("TR-54")
    void variablesOfLeptonsOwnAreRefusedBefore() throws Exception {
        Report report =
                preflight(job("true").env(Map.of("LEPTON_JOB_NAME", "x")).build());

        assertThat(check(report, "variables").detail()).contains("LEPTON_JOB_NAME");
    }
}
