package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.FakeType;
import io.jenkins.plugins.tao.backend.FakeType.FakeTarget;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.job.JobSpec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionTrialTest {
    private static final FakeTarget TARGET = new FakeTarget(
            "dgx",
            Optional.empty(),
            List.of(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final FakeType type = new FakeType("fake");
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean silent;
    private boolean broken;

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    /** The kind, whose connections tell when they are closed, and may never answer. */
    private List<Check> trial(Duration patience) {
        BackendType watched = (BackendType) Proxy.newProxyInstance(
                BackendType.class.getClassLoader(),
                new Class<?>[] {BackendType.class},
                (proxy, method, arguments) ->
                        method.getName().equals("open") ? opened() : method.invoke(type, arguments));
        return new ConnectionTrial(BackendTypes.of(watched), threads, patience)
                .of(TARGET, JobSpec.of("true").build());
    }

    private Backend opened() {
        return (Backend) Proxy.newProxyInstance(
                Backend.class.getClassLoader(), new Class<?>[] {Backend.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.countDown();
                    } else if (silent) {
                        waitForEver();
                    } else if (broken) {
                        throw new IllegalStateException("a bug");
                    }
                    try {
                        return method.invoke(type.backend(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void waitForEver() throws BackendException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new BackendException.Unreachable("interrupted", "Wait.", e);
        }
    }

    private boolean closesSoon() throws InterruptedException {
        return closed.await(5, TimeUnit.MINUTES);
    }

    @Test
    void whatAPlaceSaysIsShownButForTheInventedJob() throws InterruptedException {
        Check login = Check.passed("login", "as tao");
        Check noTool = Check.warning("accounting", "sacct is missing", "Ask the site.");
        Check noRoom = Check.failed("image", "none can be run here", "Install a runtime.");
        type.backend()
                .willReport(new Report(List.of(
                        login,
                        Check.warning("results", "they are lost with the pod", "Mount a volume."),
                        Check.passed("image", "ubuntu"),
                        noTool,
                        noRoom)));

        assertThat(trial(Duration.ofMinutes(5))).containsExactly(login, noTool, noRoom);
        assertThat(type.backend().submitted()).isEmpty();
        assertThat(closesSoon()).isTrue();
    }

    @Test
    void whyThereIsNoConnectionIsToldWithItsRemedy() throws InterruptedException {
        type.backend().willFail(new BackendException.Denied("'dgx' refused the key of 'tao'.", "Choose another."));

        assertThat(trial(Duration.ofMinutes(5)))
                .containsExactly(Check.failed("connection", "'dgx' refused the key of 'tao'.", "Choose another."));
        assertThat(closesSoon()).isTrue();
    }

    @Test
    void aSilentPlaceIsGivenUpAndItsConnectionClosed() throws InterruptedException {
        silent = true;

        List<Check> checks = trial(Duration.ofMillis(100));

        assertThat(checks).extracting(Check::verdict).containsExactly(Verdict.FAILED);
        assertThat(checks.get(0).detail()).startsWith("no answer from 'dgx'");
        assertThat(closesSoon()).isTrue();
    }

    @Test
    void aFaultOfTheTrialItselfIsNoSilence() throws InterruptedException {
        broken = true;

        assertThat(trial(Duration.ofMinutes(5)))
                .containsExactly(Check.failed(
                        "connection",
                        "the test itself failed: java.lang.IllegalStateException: a bug",
                        "See the log of Jenkins."));
        assertThat(closesSoon()).isTrue();
    }
}
