package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hudson.model.Result;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.job.JobHandle;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each job that a build submitted has an owner when the build ends. */
@Promise("TR-30")
class BuildEndTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new OpenBuilds(), new CancelRequests(), new TaoRunActions());
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    void theJobsOfABuildThatFailedAreCancelledAndTheLogNamesThem() {
        JobHandle job = submitted("cancel");

        ends(Result.FAILURE);

        await().until(() -> jenkins.cluster().cancelled().contains(job));
        assertThat(build.log()).contains("the build ends before its jobs; to be cancelled: " + job.shortName());
        assertThat(record().owner()).isEqualTo(JobOwner.CANCEL);
        assertThat(home.resolve("tao-run").resolve(job.key() + ".wish")).exists();
    }

    @ParameterizedTest
    @CsvSource({"SUCCESS, cancel", "UNSTABLE, cancel", "FAILURE, detach", "ABORTED, detach"})
    void aJobThatGoesOnIsLeftWithItsTokenInTheLog(String result, String onAbort) throws ReflectiveOperationException {
        JobHandle job = submitted(onAbort);

        ends((Result) Result.class.getField(result).get(null));

        assertThat(build.log()).contains("continues; taoWait watches it again with " + job.token());
        assertThat(record().owner()).isEqualTo(JobOwner.LEFT);
        assertThat(home.resolve("tao-run")).isEmptyDirectory();
        assertThat(jenkins.cluster().cancelled()).isEmpty();
    }

    @Test
    void aJobWhoseSubmissionHasNoAnswerYetIsCancelledOnceItHas() {
        CountDownLatch answer = new CountDownLatch(1);
        jenkins.cluster().hangSubmissionsOn(answer);
        submit("cancel");
        await().until(() -> jenkins.cluster().submissions() == 1);

        ends(Result.FAILURE);
        assertThat(record().owner()).isEqualTo(JobOwner.CANCEL);
        answer.countDown();

        await().until(() -> jenkins.cluster().cancelled().size() == 1);
    }

    @Test
    void aJobThatHasEndedIsLeftAlone() {
        JobHandle job = submitted("cancel");
        TaoRunAction.of(build).update(job.key().value(), record -> record.ownedBy(JobOwner.ENDED));

        ends(Result.FAILURE);

        assertThat(build.log()).doesNotContain("to be cancelled", "continues");
        assertThat(home.resolve("tao-run")).isEmptyDirectory();
    }

    private void ends(Result result) {
        build.end(result);
        new BuildEnd().onCompleted(build, build.listener());
    }

    private JobHandle submitted(String onAbort) {
        return JobHandle.parse(submit(onAbort).result().join().getToken());
    }

    private SubmitRun submit(String onAbort) {
        Map<String, String> asked =
                Map.of("getTarget", FakeJenkins.TARGET, "getCommand", "true", "getOnAbort", onAbort);
        JobRequest request = (JobRequest) Proxy.newProxyInstance(
                JobRequest.class.getClassLoader(),
                new Class<?>[] {JobRequest.class},
                (proxy, method, arguments) -> method.getReturnType() == String.class
                        ? asked.getOrDefault(method.getName(), "")
                        : method.getReturnType() == Map.class ? Map.of() : null);
        return SubmitRun.start(new BuildScope(build, build.listener()), request, SubmissionId.fresh(build), false);
    }

    private JobRecord record() {
        return TaoRunAction.of(build).getJobs().get(0);
    }
}
