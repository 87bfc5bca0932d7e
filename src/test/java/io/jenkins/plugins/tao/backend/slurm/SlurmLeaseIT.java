package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.remote.LossyHost;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Several controllers on the one real cluster of the rig. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmLeaseIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final Controller FIRST = new Controller("jenkins-first", "Jenkins https://first.example/", "s1");
    private static final Controller SECOND = new Controller("jenkins-second", "Jenkins https://second.example/", "s2");

    private final SlurmTarget target = SlurmRig.target("lease-" + RUN).build();
    private final Host host = new SshHost(target.login(), "rig");

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() throws Exception {
        SlurmRig.cancelAll(host, RUN);
        host.close();
    }

    private SlurmBackend of(Controller controller) {
        SlurmBackend backend = new SlurmBackend(target, host);
        backend.actFor(controller);
        return backend;
    }

    private static JobKey key(String name) {
        return new JobKey(name + "-" + RUN);
    }

    private static JobSpec job(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(10))))
                .build();
    }

    private String holder(JobHandle job) throws Exception {
        return SlurmRig.shell(host, "ls " + target.layout().lease(job.key()));
    }

    private String state(JobHandle job) throws Exception {
        return SlurmRig.shell(host, "squeue -h -t all -j " + job.nativeId() + " -o %T");
    }

    @Test
    void aJobOfAnotherControllerIsLookedAtAndNotTouched() throws Exception {
        JobHandle job = of(FIRST).submit(job("sleep 300"), key("guarded"));
        SlurmBackend second = of(SECOND);

        JobStatus seen = Objects.requireNonNull(second.poll(Set.of(job)).get(job));

        assertThat(seen.notices())
                .singleElement()
                .asString()
                .contains("is held by Jenkins https://first.example/ (jenkins-first) since 20")
                .contains("takeOver: true", "--take-over");
        assertThatThrownBy(() -> second.cancel(job))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Jenkins https://first.example/");
        assertThatThrownBy(() -> second.resubmit(job, Map.of(), Set.of()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Jenkins https://first.example/");
        assertThat(second.submit(job("sleep 300"), key("guarded"))).isEqualTo(job);
        assertThat(state(job)).matches("PENDING|RUNNING");
        assertThat(Objects.requireNonNull(of(FIRST).poll(Set.of(job)).get(job)).notices())
                .isEmpty();
        of(FIRST).cancel(job);
        assertThat(state(job)).isIn("CANCELLED", "COMPLETING");
    }

    @Test
    void afterATakeOverTheOldHolderIsTheOneThatLooksOn() throws Exception {
        SlurmBackend first = of(FIRST);
        SlurmBackend second = of(SECOND);
        JobHandle job = first.submit(job("sleep 300"), key("taken"));

        second.takeOver(job);

        assertThat(holder(job)).isEqualTo("jenkins-second");
        assertThatThrownBy(() -> first.cancel(job)).isInstanceOf(Rejected.class);
        assertThat(Objects.requireNonNull(first.poll(Set.of(job)).get(job)).notices())
                .singleElement()
                .asString()
                .contains("https://second.example/");
        second.cancel(job);
        assertThat(state(job)).isIn("CANCELLED", "COMPLETING");
    }

    @Test
    void ofManyThatTakeOverAtOnceOneWins() throws Exception {
        JobHandle job = of(FIRST).submit(job("sleep 300"), key("race"));
        int many = 8;
        ExecutorService threads = Executors.newFixedThreadPool(many);
        List<Callable<String>> rivals = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            Controller rival = new Controller("rival-" + i, "rival " + i, "");
            Host own = new SshHost(target.login(), "rig");
            rivals.add(() -> {
                SlurmBackend backend = new SlurmBackend(target, own);
                backend.actFor(rival);
                try {
                    own.run("true", Duration.ofSeconds(30));
                    backend.takeOver(job);
                    return rival.id();
                } catch (Rejected e) {
                    return "";
                } finally {
                    backend.close();
                }
            });
        }

        List<String> winners = new ArrayList<>();
        for (Future<String> end : threads.invokeAll(rivals)) {
            if (!end.get().isEmpty()) {
                winners.add(end.get());
            }
        }
        threads.shutdown();

        assertThat(winners).contains(holder(job));
        assertThat(holder(job).lines()).hasSize(1);
        of(new Controller(holder(job), "", "")).cancel(job);
    }

    @Test
    void ofManyThatFindALeaseExpiredOneGetsIt() throws Exception {
        JobHandle job = of(FIRST).submit(job("sleep 300"), key("expired"));
        String lease = target.layout().lease(job.key());
        SlurmRig.shell(host, "touch -d '31 minutes ago' " + lease + "/*");
        int many = 8;
        ExecutorService threads = Executors.newFixedThreadPool(many);
        List<Callable<Boolean>> rivals = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            String functions = io.jenkins.plugins.tao.remote.shell.LeaseShell.of(new Controller("rival-" + i, "", ""));
            rivals.add(() -> SlurmRig.shell(host, functions + "\nlease_take " + lease + " && echo won")
                    .contains("won"));
        }

        int won = 0;
        for (Future<Boolean> end : threads.invokeAll(rivals)) {
            won += end.get() ? 1 : 0;
        }
        threads.shutdown();

        assertThat(won).isEqualTo(1);
        assertThat(holder(job).lines()).hasSize(1);
        assertThatThrownBy(() -> of(FIRST).cancel(job)).isInstanceOf(Rejected.class);
        of(new Controller(holder(job), "", "")).cancel(job);
    }

    @Test
    void aHolderThatHasGoneLosesItsJobsToWhoActs() throws Exception {
        JobHandle job = of(FIRST).submit(job("sleep 300"), key("gone"));
        SlurmRig.shell(host, "touch -d '31 minutes ago' " + target.layout().lease(job.key()) + "/*");
        SlurmBackend second = of(SECOND);

        assertThat(Objects.requireNonNull(second.poll(Set.of(job)).get(job)).notices())
                .isEmpty();
        second.cancel(job);

        assertThat(holder(job)).isEqualTo("jenkins-second");
        assertThat(state(job)).isIn("CANCELLED", "COMPLETING");
    }

    @Test
    void aWatchedJobIsRenewedByTheLookThatGoesOutAnyhowAndSeldomWritten() throws Exception {
        LossyHost counting = new LossyHost(host);
        SlurmBackend first = new SlurmBackend(target, counting);
        first.actFor(FIRST);
        JobHandle job = first.submit(job("sleep 300"), key("renewed"));
        String lease = target.layout().lease(job.key()) + "/jenkins-first";
        String stamp = target.baseDirectory() + "/leases/.jenkins-first";
        SlurmRig.shell(
                host,
                "touch -d '20 minutes ago' " + lease + " " + stamp + "; touch " + target.baseDirectory()
                        + "/leases/.tidied");
        int before = counting.commands();

        first.poll(Set.of(job));
        String renewed = SlurmRig.shell(host, "stat -c %Y " + lease);
        SlurmRig.shell(host, "touch -d '2 minutes ago' " + lease);
        String touched = SlurmRig.shell(host, "stat -c %Y " + lease);
        first.poll(Set.of(job));

        assertThat(counting.commands() - before).isEqualTo(2);
        assertThat(Long.parseLong(renewed)).isGreaterThan(Long.parseLong(touched));
        assertThat(SlurmRig.shell(host, "stat -c %Y " + lease)).isEqualTo(touched);
        first.cancel(job);
    }

    @Test
    void twoProcessesOfOneIdentityFindOutAndEndNothing() throws Exception {
        SlurmBackend original = of(FIRST);
        SlurmBackend copy = of(new Controller(FIRST.id(), FIRST.words(), "s9"));
        JobHandle job = original.submit(job("sleep 300"), key("twin"));
        String stamp = target.baseDirectory() + "/leases/.jenkins-first";

        for (SlurmBackend each : List.of(original, copy)) {
            SlurmRig.shell(host, "touch -d '20 minutes ago' " + stamp);
            each.poll(Set.of(job));
        }
        SlurmRig.shell(host, "touch -d '20 minutes ago' " + stamp);
        JobStatus seen = Objects.requireNonNull(original.poll(Set.of(job)).get(job));

        assertThat(seen.notices()).singleElement().asString().contains("same identity", "restored backup");
        assertThatThrownBy(() -> original.cancel(job)).isInstanceOf(Rejected.class);
        assertThatThrownBy(() -> original.resubmit(job, Map.of(), Set.of())).isInstanceOf(Rejected.class);

        SlurmRig.shell(host, "touch -d '20 minutes ago' " + stamp);
        assertThat(Objects.requireNonNull(original.poll(Set.of(job)).get(job)).notices())
                .isEmpty();
        original.cancel(job);
    }

    @Test
    void twoDispatchersWatchOneJobAndOnlyItsHolderEndsIt() throws Exception {
        ConcurrentLinkedQueue<JobEvent> heard = new ConcurrentLinkedQueue<>();
        CompletableFuture<Outcome> endForFirst = new CompletableFuture<>();
        try (Dispatcher first = Dispatcher.start(BackendTypes.load(), FIRST, Ticker.system());
                Dispatcher second = Dispatcher.start(BackendTypes.load(), SECOND, Ticker.system())) {
            JobHandle job = first.submit(target, job("sleep 300"), key("watched"), true, silent())
                    .get(5, TimeUnit.MINUTES);
            Watch own = first.watch(target, job, WatchPlan.defaults(), WatchMemory.none(), event -> {
                if (event instanceof JobEvent.Ended ended) {
                    endForFirst.complete(ended.result().outcome());
                }
            });
            Watch other = second.watch(target, job, WatchPlan.defaults(), WatchMemory.none(), heard::add);

            other.cancel("somebody");
            Awaitility.await()
                    .until(() -> heard.stream().anyMatch(JobEvent.CancelRefused.class::isInstance)
                            && heard.stream().anyMatch(SlurmLeaseIT::namesTheFirst));
            assertThat(state(job)).matches("PENDING|RUNNING");
            own.cancel("its owner");

            assertThat(endForFirst.get(5, TimeUnit.MINUTES)).isInstanceOf(Outcome.Cancelled.class);
            Awaitility.await().until(() -> heard.stream().anyMatch(JobEvent.Ended.class::isInstance));
        }
    }

    @Test
    void onlyTheHolderStartsTheNextAttempt() throws Exception {
        SlurmBackend first = of(FIRST);
        JobHandle job = first.submit(job("exit 3"), key("attempts"));
        Awaitility.await()
                .until(() ->
                        Objects.requireNonNull(first.poll(Set.of(job)).get(job)).state() == JobState.ENDED);

        assertThatThrownBy(() -> of(SECOND).resubmit(job, Map.of(), Set.of())).isInstanceOf(Rejected.class);
        JobHandle next = first.resubmit(job, Map.of(), Set.of());

        assertThat(next.attempt()).isEqualTo(2);
        first.cancel(next);
    }

    private static boolean namesTheFirst(JobEvent event) {
        return event instanceof JobEvent.Notice notice && notice.text().contains("https://first.example/");
    }

    private static SubmitObserver silent() {
        return new SubmitObserver() {
            @Override
            public void checked(Report report) {}

            @Override
            public void delayed(String what, Duration next) {}
        };
    }
}
