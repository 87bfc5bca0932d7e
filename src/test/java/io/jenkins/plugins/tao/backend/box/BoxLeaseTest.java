package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Several controllers with jobs on one machine. */
class BoxLeaseTest {
    private static final Controller FIRST = new Controller("jenkins-first", "Jenkins https://first.example/", "s1");
    private static final Controller SECOND = new Controller("jenkins-second", "Jenkins https://second.example/", "s2");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private BoxBackend first;
    private BoxBackend second;
    private JobHandle job;

    @BeforeEach
    void aJobOfTheFirst() throws Exception {
        first = of(FIRST);
        second = of(SECOND);
        job = first.submit(JobSpec.of("sleep 600").build(), new JobKey("guarded"));
    }

    @AfterEach
    void endIt() throws Exception {
        first.takeOver(job);
        first.cancel(job);
    }

    private BoxBackend of(Controller controller) {
        BoxBackend backend = new BoxBackend(
                BoxPlace.of(new LocalTarget("here", temporary + "/tao", BoxUsual.SETTINGS)), new LocalHost());
        backend.actFor(controller);
        return backend;
    }

    private JobStatus seen(BoxBackend by) throws Exception {
        return Objects.requireNonNull(by.poll(Set.of(job)).get(job));
    }

    private Path lease() {
        return temporary.resolve("tao/leases/guarded");
    }

    @Test
    @Promise("JK-09")
    void aJobOfAnotherControllerIsLookedAtAndNotTouched() throws Exception {
        assertThat(seen(second).notices())
                .singleElement()
                .asString()
                .contains("is held by Jenkins https://first.example/ (jenkins-first) since 20")
                .contains("takeOver: true", "--take-over");
        assertThatThrownBy(() -> second.cancel(job))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Jenkins https://first.example/");
        assertThat(second.cancelAll(Map.of(job, "somebody")).get(job)).isInstanceOf(Rejected.class);
        assertThatThrownBy(() -> second.resubmit(job, Map.of(), Set.of()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Jenkins https://first.example/");
        assertThat(seen(first).notices()).isEmpty();
        assertThat(seen(first).state()).isNotEqualTo(JobState.ENDED);
    }

    @Test
    @Promise("JK-09")
    void afterATakeOverTheOldHolderIsTheOneThatLooksOn() throws Exception {
        second.takeOver(job);

        assertThat(lease()).isDirectoryContaining("glob:**/jenkins-second");
        assertThatThrownBy(() -> first.cancel(job)).isInstanceOf(Rejected.class);
        assertThat(seen(first).notices()).singleElement().asString().contains("https://second.example/");
        assertThat(seen(second).notices()).isEmpty();
    }

    @Test
    @Promise("JK-09")
    void aHolderThatIsGoneForHalfAnHourKeepsNobodyOut() throws Exception {
        Files.setLastModifiedTime(
                lease().resolve("jenkins-first"), FileTime.from(Instant.now().minusSeconds(3600)));

        second.cancel(job);

        assertThat(lease()).isDirectoryContaining("glob:**/jenkins-second");
    }

    @Test
    @Promise("JK-09")
    void aLookRenewsWhatIsHeldAndACopyOfTheControllerEndsNothing() throws Exception {
        Path held = lease().resolve("jenkins-first");
        FileTime old = FileTime.from(Instant.now().minusSeconds(1200));
        assertThat(seen(first).notices()).isEmpty();
        Files.setLastModifiedTime(held, old);
        Files.setLastModifiedTime(lease().resolveSibling(".jenkins-first"), old);

        assertThat(seen(first).notices()).isEmpty();

        assertThat(Files.getLastModifiedTime(held)).isGreaterThan(old);
        BoxBackend copy = of(new Controller("jenkins-first", "Jenkins https://first.example/", "another"));
        Files.setLastModifiedTime(lease().resolveSibling(".jenkins-first"), old);
        seen(copy);
        Files.setLastModifiedTime(lease().resolveSibling(".jenkins-first"), old);
        assertThat(seen(first).notices())
                .singleElement()
                .asString()
                .startsWith("Another process works under the same identity");
        assertThatThrownBy(() -> first.cancel(job)).isInstanceOf(Rejected.class);
        first = of(FIRST);
    }
}
