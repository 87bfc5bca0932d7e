package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hudson.model.Result;
import hudson.model.Run;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.AnAnswer;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.verdict.BuildDigest;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Jenkins job that gets another name while its build runs. */
class RenamedJobTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;
    private BuildScope scope;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(
                home, new LiveBuilds(), new OpenBuilds(), new CancelRequests(), new MovedJobs(), new TaoRunActions());
        build = jenkins.build("train");
        scope = new BuildScope(build, build.listener());
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    void allThatAJobLeavesIsInTheNewPlaceAndTheOldOneStaysAway() throws IOException {
        JobHandle job = submitted();
        jenkins.cluster().set(job, JobStatus.live(JobState.RUNNING, "RUNNING"));
        JobWatch watch = WatchRun.start(scope, terms(), job);
        await().until(() -> watch.label().endsWith(" RUNNING"));

        build.renameJob("trained");
        jenkins.cluster()
                .set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));

        assertThat(watch.result().join().isSuccess()).isTrue();
        Path folder = home.resolve("jobs/trained/builds/1");
        assertThat(folder.resolve("archive/tao").resolve(job.key().value()))
                .isDirectoryContaining("glob:**/record.json")
                .isDirectoryContaining("glob:**/series.csv");
        assertThat(folder.resolve("tao").resolve(job.key().value() + ".run"))
                .isDirectoryContaining("glob:**/job.json")
                .isDirectoryContaining("glob:**/origin.json")
                .isDirectoryContaining("glob:**/request.xml");
        assertThat(home.resolve("jobs/trained/tao/history.jsonl")).exists();
        assertThat(home.resolve("jobs/train")).doesNotExist();
        assertThat(new BuildDigest(build).ofBuild().text()).contains("1 job: 1 succeeded");
    }

    @Test
    void filesThatComeWhileItIsRenamedAreArchivedAllTheSame() throws IOException {
        JobArchive archive = new JobArchive(scope, "job-1");
        try (ArtifactFile file = archive.open("logs/main.out")) {
            file.content().write("epoch 1\n".getBytes(StandardCharsets.UTF_8));
            build.renameJob("trained");
            file.content().write("epoch 2\n".getBytes(StandardCharsets.UTF_8));
            file.keep();
        }

        archive.store(new RunJournal(scope, submittedNowhere()), Long.MAX_VALUE);

        assertThat(home.resolve("jobs/trained/builds/1/archive/tao/job-1/logs/main.out"))
                .hasContent("epoch 1\nepoch 2");
        assertThat(home.resolve("jobs/train")).doesNotExist();
        assertThat(archive.notArchived()).isEmpty();
    }

    @Test
    void whatComesBackInTheOldPlaceWhileItIsArchivedIsRemoved() throws IOException {
        JobArchive archive = new JobArchive(scope, "job-1");
        try (ArtifactFile file = archive.open("model.pth")) {
            file.content().write(1);
            file.keep();
        }
        build.duringArchiving(() -> build.renameJob("trained"));

        archive.store(new RunJournal(scope, submittedNowhere()), Long.MAX_VALUE);

        assertThat(home.resolve("jobs/trained/builds/1/archive/tao/job-1/model.pth"))
                .exists();
        assertThat(home.resolve("jobs/train")).doesNotExist();
    }

    @Test
    void theAnswersOfGatesBeforeAndAfterAreOnTheSamePage() {
        TaoRunAction page = TaoRunAction.of(build);
        page.judged(AnAnswer.of("first", "pass", "", "a//"), "");

        build.renameJob("trained");
        page.judged(AnAnswer.of("second", "pass", "", "b//"), "");

        assertThat(home.resolve("jobs/trained/builds/1/tao/gates.jsonl"))
                .content()
                .contains("first", "second");
        assertThat(home.resolve("jobs/train")).doesNotExist();
    }

    @Test
    void theEndOfTheBuildFindsItsJobsAndEndsThem() {
        JobHandle job = submitted();
        jenkins.cluster().set(job, JobStatus.live(JobState.RUNNING, "RUNNING"));
        JobWatch watch = WatchRun.start(scope, terms(), job);
        await().until(() -> watch.label().endsWith(" RUNNING"));

        build.renameJob("trained");
        build.end(Result.FAILURE);
        new BuildEnd().onCompleted(build, build.listener());

        await().until(() -> jenkins.cluster().cancelled().contains(job));
        assertThat(LiveBuilds.get().watches().values()).allMatch(List::isEmpty);
        assertThat(OpenBuilds.get().all()).isEmpty();
    }

    @Test
    void whatIsKeptUnderTheIdOfTheBuildFollowsIt() throws IOException {
        JobHandle job = submitted();
        CancelRequests.get().keep(build, job, "ana");

        build.renameJob("trained");

        assertThat(OpenBuilds.get().all()).containsExactly("trained#1");
        assertThat(LastBuilds.get().of(job.key())).contains("trained#1");
        try (Stream<Path> files = Files.list(home.resolve("tao-run"))) {
            assertThat(files.toList())
                    .hasSize(2)
                    .allSatisfy(file ->
                            assertThat(file).content().contains("trained#1").doesNotContain("train#1"));
        }
        assertThat(Run.fromExternalizableId("trained#1")).isSameAs(build);
    }

    private static WatchTerms terms() {
        return new WatchTerms(ArtifactPlan.of(List.of()), WatchPlan.defaults().withoutRetries(), false);
    }

    private JobHandle submitted() {
        return JobHandle.parse(SubmitRun.start(scope, request(), SubmissionId.fresh(build), false)
                .result()
                .join()
                .getToken());
    }

    private static JobHandle submittedNowhere() {
        return SimulatedCluster.handle(1, Instant.EPOCH);
    }

    static JobRequest request() {
        Map<String, String> asked =
                Map.of("getTarget", FakeJenkins.TARGET, "getCommand", "true", "getOnAbort", "cancel");
        return (JobRequest) Proxy.newProxyInstance(
                JobRequest.class.getClassLoader(),
                new Class<?>[] {JobRequest.class},
                (proxy, method, arguments) -> method.getReturnType() == String.class
                        ? asked.getOrDefault(method.getName(), "")
                        : method.getReturnType() == Map.class ? Map.of() : null);
    }
}
