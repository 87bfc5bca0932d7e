package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.cloudbees.plugins.credentials.CredentialsProvider;
import hudson.AbortException;
import hudson.security.ACL;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeFolder;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoPermissions;
import io.jenkins.plugins.tao.jenkins.config.TargetChoice;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What builds of a folder may use, and what the folder says for them. */
class FoldersTest {
    private static final JobHandle JOB = SimulatedCluster.handle(7, Instant.EPOCH);

    @TempDir
    private Path home;

    private final FakeFolder teams = FakeFolder.of("teams");
    private final FakeFolder vision = teams.with("teams/vision");
    private final FakeFolder.Settings settings = new FakeFolder.Settings();
    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(
                home,
                new LiveBuilds(),
                new OpenBuilds(),
                new StateSaves(),
                new CancelRequests(),
                new TaoRunActions(),
                settings);
        build = jenkins.build("teams/vision/train");
        build.getParent().moveTo(vision);
    }

    @AfterEach
    void stop() {
        ACL.deny(null);
        jenkins.close();
    }

    private StepProbe started(Step step) throws Exception {
        StepProbe probe = new StepProbe(build);
        step.start(probe).start();
        return probe;
    }

    private static void only(String folders, boolean permitted) {
        TaoGlobalConfiguration.get().setTargets(List.of(FakeJenkins.target("sim", folders, permitted)));
    }

    @Test
    @Promise("JK-10")
    void aTargetOfOtherFoldersIsRefusedBeforeAnythingIsSentAndTheErrorNamesWhatMayBeUsed() throws Exception {
        TaoGlobalConfiguration.get()
                .setTargets(List.of(
                        FakeJenkins.target("sim", "research, teams/sp*ch", false),
                        FakeJenkins.target("small", "teams", false)));

        for (Step step : List.<Step>of(
                new SubmitStep("sim", "train"),
                new PreflightStep("sim", "train"),
                new PreviewStep("sim", "train"),
                new StatusStep(JOB.token()),
                new CancelStep(JOB.token()))) {
            assertThat(started(step).failure())
                    .as(step.toString())
                    .isInstanceOf(AbortException.class)
                    .hasMessage("Builds of 'teams/vision/train' may not use the target 'sim': it is for research,"
                            + " teams/sp*ch alone. Ask an administrator to add the folder to the target."
                            + " Or use small.");
        }
        assertThat(jenkins.cluster().submissions()).isZero();
        assertThat(jenkins.cluster().cancelled()).isEmpty();
    }

    @Test
    @Promise("JK-10")
    void severalTargetsAreNamedInOneSentence() throws Exception {
        TaoGlobalConfiguration.get()
                .setTargets(List.of(
                        FakeJenkins.target("sim", "research", false),
                        FakeJenkins.target("small", "teams", false),
                        FakeJenkins.target("large", "teams", false)));

        assertThat(started(new SubmitStep("sim", "train")).failure())
                .message()
                .endsWith(" Or use one of: small, large.");
        assertThat(started(new SubmitStep("gone", "train")).failure())
                .hasMessageContaining("'gone'. sim, small, large are configured in Manage Jenkins, System, TAO jobs");
    }

    @Test
    @Promise("JK-10")
    void aTargetOfTheFolderAboveIsForTheJobsBelow() throws Exception {
        only("teams", false);

        assertThat(started(new SubmitStep("sim", "train")).answer()).isNotNull();
    }

    @Test
    @Promise("JK-10")
    void aTargetThatAsksForThePermissionIsRefusedToWhoeverTheBuildRunsAs() throws Exception {
        only("", true);
        ACL.deny(TaoPermissions.USE);

        assertThat(started(new SubmitStep("sim", "train")).failure())
                .isInstanceOf(AbortException.class)
                .hasMessage("The target 'sim' asks for the permission TAO/Use on 'teams/vision/train', which 'ana', as"
                        + " whom this build runs, does not have. Ask an administrator for it.");
        ACL.deny(null);
        assertThat(started(new SubmitStep("sim", "train")).answer()).isNotNull();
    }

    @Test
    @Promise("JK-10")
    void aJobThatWasSentBeforeItsTargetWasRestrictedIsWatchedAndCancelledStill() throws Exception {
        StepProbe submitted = started(new SubmitStep("sim", "train"));
        String token = String.valueOf(Tokens.of(submitted.answer()));
        jenkins.cluster().set(JobHandle.parse(token), JobStatus.live(JobState.RUNNING, "RUNNING"));
        only("research", false);

        WaitStep wait = new WaitStep(token);
        wait.setInterval("1s");
        StepProbe waits = started(wait);
        started(new CancelStep(token)).answer();
        assertThat(jenkins.cluster().cancelled()).containsExactly(JobHandle.parse(token));
        jenkins.cluster()
                .set(
                        JobHandle.parse(token),
                        JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));

        assertThat(waits.answer()).isNotNull();
        assertThat(started(new WaitStep(JOB.token())).failure()).hasMessageContaining("it is for research alone");
    }

    @Test
    @Promise("JK-10")
    void aFolderHasTargetsOfItsOwnThatNoOtherJobReaches() throws Exception {
        settings.enter(teams, FakeJenkins.target("ours", "", false));

        assertThat(started(new SubmitStep("ours", "train")).answer()).isNotNull();

        FakeBuild outside = jenkins.build("other");
        StepProbe probe = new StepProbe(outside);
        new SubmitStep("ours", "train").start(probe).start();
        assertThat(probe.failure())
                .hasMessage("There is no TAO target 'ours'. sim is configured in Manage Jenkins, System, TAO jobs.");
        assertThat(TargetChoice.items(build.getParent(), "gone"))
                .extracting(option -> option.value)
                .containsExactly("ours", "sim", "", "gone");
        assertThat(TargetChoice.items(outside.getParent(), ""))
                .extracting(option -> option.value)
                .containsExactly("sim", "");
    }

    @Test
    @Promise("JK-10")
    void theNearestFolderSaysWhatAJobLeavesOpenAndTheVariablesOfAllAreThere() throws Exception {
        settings.enter(teams, Map.of("target", "sim", "image", "tao:5", "env", "A: outer\nB: outer\nC: outer"));
        settings.enter(vision, Map.of("image", "tao:6", "timeLimit", "3h", "env", "B: inner\nC: inner"));
        SubmitStep step = new SubmitStep("", "train");
        step.setEnv("C: own");

        started(step).answer();

        await().until(() -> request().contains("tao:6"));
        assertThat(request())
                .contains("\"time\" : \"3h\"")
                .contains("\"A\" : \"outer\"", "\"B\" : \"inner\"", "\"C\" : \"own\"");
        assertThat(TargetChoice.items(build.getParent(), "").get(0).name).isEqualTo("(of the folder: sim)");
    }

    @Test
    @Promise("JK-10")
    void aJobThatNamesNoTargetWhereNoFolderHasOneIsToldSo() throws Exception {
        assertThat(started(new SubmitStep("", "train")).failure())
                .hasMessage("No target is named, and no folder has a default one. sim is configured in Manage Jenkins,"
                        + " System, TAO jobs, or in a folder of teams/vision/train.");
    }

    @Test
    @Promise("JK-14")
    void aPreflightUsesTheCredentialsOfTheFolderOfItsBuild() throws Exception {
        CredentialsProvider.put("teams", "ngc", "of-the-teams");
        PreflightStep step = new PreflightStep("sim", "train");
        step.setSecrets("NGC_KEY: ngc");

        assertThat(started(step).answer())
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("passed", true);
        StepProbe outside = new StepProbe(jenkins.build("other"));
        step.start(outside).start();
        assertThat(outside.failure()).hasMessageContaining("There is no credential 'ngc' that may be used here");
    }

    @Test
    @Promise("JK-14")
    void theUseOfACredentialIsRecordedWithIt() throws Exception {
        CredentialsProvider.put("teams", "ngc", "of-the-teams");
        PreflightStep step = new PreflightStep("sim", "train");
        step.setSecrets("NGC_KEY: ngc");

        started(step).answer();

        assertThat(CredentialsProvider.uses()).containsExactly(build.getExternalizableId() + " ngc");
    }

    @Test
    void aCredentialOfAnotherKindIsCalledSo() {
        CredentialsProvider.put("teams", "ngc", "of-the-teams");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> CredentialStore.of(build).sshKey("ngc"))
                .withMessage(
                        "The credential 'ngc' is a 'Secret text'. Name an 'SSH Username with private key' instead.");
    }

    @Test
    void aCredentialThatTheUserOfTheBuildsMayNotUseIsNotSaidToBeMissing() {
        CredentialsProvider.put("teams", "ngc", "of-the-teams");
        CredentialsProvider.denyBuilds();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> CredentialStore.of(build).secret("ngc"))
                .withMessage("The user that builds of 'teams/vision/train' run as by default may not use the credential"
                        + " 'ngc'. Give that user the permission Job/Configure on 'teams/vision/train'.");
    }

    @Test
    @Promise("JK-15")
    @SuppressWarnings("unchecked") // as a Pipeline sees it
    void aPreviewShowsNoSecretNeitherInItsTextsNorInItsChanges() throws Exception {
        CredentialsProvider.put("", "ngc", "nvapi-0123456789");
        PreviewStep step = new PreviewStep("sim", "train --key nvapi-0123456789");
        step.setSecrets("NGC_KEY: ngc");
        step.setEnv("COPY: nvapi-0123456789");

        StepProbe probe = started(step);

        Map<String, Object> preview = (Map<String, Object>) probe.answer();
        assertThat(preview.toString()).contains("train --key ").doesNotContain("nvapi-0123456789");
        assertThat(build.log()).doesNotContain("nvapi-0123456789");
    }

    private String request() throws IOException {
        try (Stream<Path> runs = Files.walk(build.getRootDir().toPath())) {
            Path file =
                    runs.filter(path -> path.endsWith("job.json")).findFirst().orElse(home.resolve("none"));
            return Files.exists(file) ? Files.readString(file) : "";
        }
    }
}
