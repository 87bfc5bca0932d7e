package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.monitor.poll.Connections;
import io.jenkins.plugins.tao.monitor.poll.Monitor;
import io.jenkins.plugins.tao.remote.CuttingProxy;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Networks that break, login hosts that go away, and servers that have had enough, before the real cluster. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmConnectionIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int LOGIN1 = 2222;
    private static final int CUTS = 6;

    private final Host host = new SshHost(SlurmRig.login(), "rig");

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() throws BackendException {
        SlurmRig.cancelAll(host, RUN);
        host.close();
    }

    private static JobKey key(String name) {
        return new JobKey(name + "-" + RUN);
    }

    private static JobSpec job(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))))
                .build();
    }

    private static SlurmTarget target(CuttingProxy... networks) throws IOException {
        List<SshAddress> addresses = new ArrayList<>();
        for (CuttingProxy network : networks) {
            addresses.add(network.address());
        }
        return Records.of(
                SlurmTarget.class,
                "name",
                "rig",
                "login",
                OwnSshd.loginThrough(addresses),
                "baseDirectory",
                "/lustre/tao/cut-" + RUN);
    }

    private String jobsNamed(JobKey key) throws BackendException {
        return SlurmRig.shell(host, "squeue -h -t all -u tao --name=tao-job-" + key + " -o %i");
    }

    @Test
    @Promise("SL-26")
    void aSubmissionCutAtAnyByteOfItsWayIsMadeOnceWhenItIsMadeAgain() throws Exception {
        try (CuttingProxy network = new CuttingProxy(LOGIN1);
                SshHost way = new SshHost(target(network).login(), "rig")) {
            SlurmBackend backend = new SlurmBackend(target(network), way);
            backend.submit(job("true"), key("first"));
            long up = network.up().bytes();
            long down = network.down().bytes();
            backend.submit(job("true"), key("whole"));
            up = network.up().bytes() - up;
            down = network.down().bytes() - down;

            int broken = 0;
            for (int cut = 0; cut < 2 * CUTS; cut++) {
                JobKey key = key("cut" + cut);
                way.run("true", LIMIT);
                breakAt(network, cut, up, down);
                Optional<JobHandle> first = tryToSubmit(backend, key);
                broken += first.isEmpty() ? 1 : 0;
                network.mend();
                JobHandle job = untilAnswered(backend, key);

                assertThat(jobsNamed(key)).as("cut " + cut).isEqualTo(job.nativeId());
                assertThat(first.orElse(job)).isEqualTo(job);
            }
            // the last bytes of an answer may be a connection's small talk, without which it is whole
            assertThat(broken).isGreaterThan(CUTS + 1);
        }
    }

    /** At equal distances on the way there, then on the way back. */
    private static void breakAt(CuttingProxy network, int cut, long up, long down) {
        if (cut < CUTS) {
            network.up().breakAfter(up * (2L * cut + 1) / (2 * CUTS));
        } else {
            network.down().breakAfter(down * (2L * (cut - CUTS) + 1) / (2 * CUTS));
        }
    }

    private static Optional<JobHandle> tryToSubmit(SlurmBackend backend, JobKey key) throws BackendException {
        try {
            return Optional.of(backend.submit(job("true"), key));
        } catch (Unreachable e) {
            return Optional.empty();
        }
    }

    /** A submission that was cut may still be under way over there: its lock tells, and is waited for. */
    private static JobHandle untilAnswered(SlurmBackend backend, JobKey key) {
        return await().atMost(LIMIT)
                .until(() -> tryToSubmit(backend, key), Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void aLoginCutAtAnyByteIsUnreachableAndNeverARefusal() throws Exception {
        try (CuttingProxy network = new CuttingProxy(LOGIN1)) {
            SlurmTarget target = target(network);
            try (SshHost whole = new SshHost(target.login(), "rig")) {
                whole.run("true", LIMIT);
            }
            long down = network.down().bytes();
            for (int cut = 0; cut < CUTS; cut++) {
                network.down().breakAfter(down * (2L * cut + 1) / (2 * CUTS));
                try (SshHost way = new SshHost(target.login(), "rig");
                        SlurmBackend backend = new SlurmBackend(target, way)) {
                    assertThat(tryToSubmit(backend, key("login" + cut))).isEmpty();
                }
            }
        }
    }

    @Test
    @Promise("GE-21")
    void manyJobsAreSubmittedAndWatchedOverOneConnection() throws Exception {
        try (CuttingProxy network = new CuttingProxy(LOGIN1);
                SshHost way = new SshHost(target(network).login(), "rig")) {
            SlurmBackend backend = new SlurmBackend(target(network), way);
            ExecutorService branches = Executors.newFixedThreadPool(20);
            List<Future<JobHandle>> sent = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                JobKey key = key("many" + i);
                sent.add(branches.submit(() -> backend.submit(job("sleep 60"), key)));
            }
            List<JobHandle> jobs = new ArrayList<>();
            for (Future<JobHandle> each : sent) {
                jobs.add(each.get());
            }

            assertThat(backend.poll(Set.copyOf(jobs))).hasSize(20);
            assertThat(network.connections()).isEqualTo(1);
            branches.shutdown();
        }
    }

    @Test
    void bothLoginHostsDeadForTenMinutesEndNoJobAndARequestToCancelIsKept() throws Exception {
        ManualTicker ticker = new ManualTicker(Instant.now());
        List<JobEvent> told = new ArrayList<>();
        try (CuttingProxy first = new CuttingProxy(LOGIN1);
                CuttingProxy second = new CuttingProxy(LOGIN1);
                Connections connections =
                        new Connections(BackendTypes.of(new SlurmType()), ticker, Runnable::run, Controller.NONE);
                Monitor monitor = new Monitor(connections, ticker, Runnable::run)) {
            SlurmTarget target = target(first, second);
            JobHandle job;
            try (SlurmBackend backend = new SlurmBackend(target, new SshHost(target.login(), "rig"))) {
                job = backend.submit(job("sleep 300"), key("silent"));
            }
            Watch watch = monitor.watch(target, job, WatchPlan.defaults(), WatchMemory.none(), told::add);
            first.goAway();
            second.goAway();
            ticker.advance(Duration.ofMinutes(10));
            watch.cancel("ada");
            ticker.advance(Duration.ofMinutes(1));

            assertThat(told.stream().filter(JobEvent.Unreachable.class::isInstance))
                    .as("after half a minute, and ten minutes later")
                    .hasSize(2);
            assertThat(told.stream().filter(JobEvent.Ended.class::isInstance)).isEmpty();
            assertThat(SlurmRig.shell(host, "squeue -h -j " + job.nativeId() + " -o %T"))
                    .matches("PENDING|RUNNING");

            second.comeBack();
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(300)).until(() -> {
                ticker.advance(Duration.ofMinutes(1));
                return told.get(told.size() - 1) instanceof JobEvent.Ended;
            });
            assertThat(told.stream().filter(JobEvent.Reachable.class::isInstance))
                    .hasSize(1);
            assertThat(((JobEvent.Ended) told.get(told.size() - 1)).result().outcome())
                    .isEqualTo(new Outcome.Cancelled("ada"));
        }
    }

    @Test
    void aServerThatTakesNoMoreLoginsIsWaitedForAndNotARefusal() throws Exception {
        try (OwnSshd server = OwnSshd.start("MaxStartups 1:100:1");
                Socket hanging = takeTheOnlyPlace(server.port());
                SshHost way = new SshHost(server.login(), "rig")) {
            SlurmBackend backend = new SlurmBackend(server.target("cut-" + RUN), way);

            assertThat(tryToSubmit(backend, key("startups"))).isEmpty();
            hanging.shutdownOutput();
            JobHandle job = untilAnswered(backend, key("startups"));

            assertThat(jobsNamed(job.key())).isEqualTo(job.nativeId());
        }
    }

    /** A connection that got the server's banner and says nothing. */
    private static Socket takeTheOnlyPlace(int port) {
        return await().atMost(LIMIT)
                .until(
                        () -> {
                            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                            if (socket.getInputStream().read() == 'S') {
                                return Optional.of(socket);
                            }
                            socket.close();
                            return Optional.<Socket>empty();
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void aServerWithFewSessionsServesAllCallersOneAfterTheOther() throws Exception {
        try (OwnSshd server = OwnSshd.start("MaxSessions 2");
                CuttingProxy network = new CuttingProxy(server.port());
                SshHost way = new SshHost(OwnSshd.loginThrough(List.of(network.address())), "rig")) {
            ExecutorService callers = Executors.newFixedThreadPool(8);
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                String number = Integer.toString(i);
                answers.add(callers.submit(
                        () -> way.run("sleep 0.2; echo " + number, LIMIT).text()));
            }

            for (int i = 0; i < 16; i++) {
                assertThat(answers.get(i).get()).isEqualTo(i + "\n");
            }
            assertThat(network.connections()).isEqualTo(1);
            callers.shutdown();
        }
    }
}
