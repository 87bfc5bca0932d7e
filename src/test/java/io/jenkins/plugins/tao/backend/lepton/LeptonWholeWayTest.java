package io.jenkins.plugins.tao.backend.lepton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whole lives of jobs through the dispatcher, its poller and its patience. */
@Timeout(600)
class LeptonWholeWayTest extends LeptonWorkspace {
    private static final WatchPlan PLAN =
            new WatchPlan(Duration.ofHours(1), 2, Optional.of(Duration.ofSeconds(1)), Map::of);

    private final Map<String, List<JobEvent>> events = new ConcurrentHashMap<>();
    private Dispatcher dispatcher;
    private LeptonTarget target;

    @BeforeEach
    void dispatch() {
        dispatcher = Dispatcher.start(BackendTypes.of(new LeptonType()), Controller.NONE, new HastyTicker());
        target = simulator.target().with("nodeGroup", "my-h100-pool").build();
    }

    @AfterEach
    void end() {
        dispatcher.close();
    }

    private JobHandle submitted(String name, String command) throws Exception {
        return dispatcher
                .submit(target, job(command).build(), key(name), true, new Quiet())
                .get(5, TimeUnit.MINUTES);
    }

    private CompletableFuture<Outcome> watched(JobHandle job) {
        return watched(job, PLAN);
    }

    private CompletableFuture<Outcome> watched(JobHandle job, WatchPlan plan) {
        CompletableFuture<Outcome> end = new CompletableFuture<>();
        Watch watch = dispatcher.watch(target, job, plan, WatchMemory.none(), event -> {
            events.computeIfAbsent(job.key().value(), any -> new CopyOnWriteArrayList<>())
                    .add(event);
            if (event instanceof JobEvent.Ended ended) {
                end.complete(ended.result().outcome());
            }
        });
        assertThat(watch).isNotNull();
        return end;
    }

    @Test
    @Promise({"LE-43", "LE-44", "LE-45"})
    void jobsStartedSideBySideReturnAtOnceAreAskedAfterTogetherAndEachEnds() throws Exception {
        List<CompletableFuture<Outcome>> ends = new ArrayList<>();
        List<JobHandle> jobs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            jobs.add(submitted("split-" + i, "sleep " + (i % 3) + "; exit " + i % 2));
        }
        assertThat(simulator.jobs.values()).anyMatch(each -> each.state().equals("Running"));
        simulator.calls.clear();

        jobs.forEach(job -> ends.add(watched(job)));
        for (int i = 0; i < 8; i++) {
            Outcome outcome = ends.get(i).get(5, TimeUnit.MINUTES);
            assertThat(outcome).isInstanceOf(i % 2 == 0 ? Outcome.Succeeded.class : Outcome.Failed.class);
        }

        long lists = simulator.calls.stream()
                .filter(call -> call.startsWith("GET /jobs?"))
                .count();
        long singles = simulator.calls.stream()
                .filter(call -> call.matches("GET /jobs/[^/]+\\?.*"))
                .count();
        assertThat(lists).isPositive();
        assertThat(singles).isZero();
    }

    @Test
    @Promise({"LE-46", "LE-48"})
    void onlyThePartThatTheMachinesFailedRunsAgainUnderItsName() throws Exception {
        JobHandle good = submitted("good", "sleep 1");
        JobHandle evicted =
                submitted("evicted", "[ -e {results_dir}/second ] || { touch {results_dir}/second; exit 143; }");
        JobHandle wrong = submitted("wrong", "echo 'CUDA out of memory'; exit 1");
        simulator.at(evicted).events.addObject().put("type", "Warning").put("reason", "Evicted");

        CompletableFuture<Outcome> first = watched(good);
        CompletableFuture<Outcome> second = watched(evicted);
        CompletableFuture<Outcome> third = watched(wrong);

        assertThat(first.get(5, TimeUnit.MINUTES)).isInstanceOf(Outcome.Succeeded.class);
        assertThat(second.get(5, TimeUnit.MINUTES)).isInstanceOf(Outcome.Succeeded.class);
        assertThat(third.get(5, TimeUnit.MINUTES)).isInstanceOf(Outcome.Failed.class);
        assertThat(simulator.jobs).hasSize(4);
        assertThat(simulator.jobs.values().stream()
                        .filter(each -> each.body
                                .at("/metadata/labels/tao-job")
                                .asText()
                                .equals(evicted.key().value()))
                        .map(each ->
                                each.body.at("/metadata/labels/tao-attempt").asText()))
                .containsExactlyInAnyOrder("1", "2");
    }

    @Test
    @Promise("LE-55")
    void aRunningJobIsCancelledAndKeepsItsRecord() throws Exception {
        JobHandle job = submitted("cancel", "echo up; sleep 600");
        CompletableFuture<Outcome> end = watched(job);
        dispatcher.cancel(target, job, "a test");

        assertThat(end.get(5, TimeUnit.MINUTES)).isInstanceOf(Outcome.Cancelled.class);
        assertThat(simulator.at(job).state()).isEqualTo("Stopped");
        assertThat(simulator.calls).noneMatch(call -> call.startsWith("DELETE /jobs"));
    }

    @Test
    void aTokenThatEndsInTheMiddleEndsNoJob() throws Exception {
        JobHandle job = submitted("expiry", "sleep 1; echo done");
        simulator.fault = call -> Optional.of(LeptonSimulator.json(401, "{\"message\":\"expired\"}"));
        simulator.calls.clear();

        CompletableFuture<Outcome> end = watched(job);

        await().until(() -> simulator.calls.stream().anyMatch(call -> call.startsWith("GET /jobs?")));
        assertThat(end).isNotDone();
        assertThat(simulator.at(job).state()).isIn("Running", "Completed");
    }

    @Test
    void troublesOfTheServicePassBy() throws Exception {
        JobHandle job = submitted("troubles", "sleep 1; echo done");
        List<String> wrong = new CopyOnWriteArrayList<>(List.of("503", "cut", "html", "429"));
        simulator.fault = call -> wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        switch (wrong.remove(0)) {
                            case "503" -> LeptonSimulator.json(503, "{}");
                            case "429" -> LeptonSimulator.json(429, "{}").setHeader("Retry-After", "1");
                            case "html" ->
                                new MockResponse.Builder()
                                        .setHeader("Content-Type", "text/html")
                                        .body("<html>maintenance</html>");
                            default ->
                                LeptonSimulator.json(200, "{\"jobs\":[" + "1,".repeat(50_000))
                                        .onResponseBody(new SocketEffect.CloseSocket());
                        });

        assertThat(watched(job).get(5, TimeUnit.MINUTES)).isInstanceOf(Outcome.Succeeded.class);
        assertThat(wrong).isEmpty();
    }

    @Test
    @Promise({"TR-08", "TR-09"})
    void aJobWhoseLogTheStoreRefusesEndsWithItsLogReadFromTheWorker() throws Exception {
        JobHandle job = submitted("refused", "echo seen all the same");
        simulator.fault = call -> call.equals("GET /logs")
                ? Optional.of(LeptonSimulator.json(400, "{\"message\":\"no\"}"))
                : Optional.empty();

        assertThat(watched(job).get(5, TimeUnit.MINUTES)).isInstanceOf(Outcome.Succeeded.class);
        assertThat(Objects.requireNonNull(events.get(job.key().value())).toString())
                .contains("seen all the same");
    }

    private JobHandle stuck(String name) throws Exception {
        JobHandle job =
                submitted(name, "[ -e {results_dir}/second ] || { touch {results_dir}/second; sleep 600; }; true");
        simulator.at(job).forced = "Starting";
        simulator
                .at(job)
                .issues
                .put(0, Json.object().put("reason", "ConfigError").put("message", "Mount point not found"));
        return job;
    }

    @Test
    @Promise({"TR-12", "LE-53"})
    void aJobThatPendsOnASickNodeIsSentAgainElsewhere() throws Exception {
        JobHandle job = stuck("sick");

        assertThat(watched(job).get(5, TimeUnit.MINUTES)).isInstanceOf(Outcome.Succeeded.class);

        assertThat(simulator.at(job).state()).isEqualTo("Stopped");
        SimulatedJob second = simulator.jobs.values().stream()
                .filter(each -> !each.id.equals(job.nativeId()))
                .findFirst()
                .orElseThrow();
        assertThat(second.body.at("/spec/affinity/allowed_nodes_in_node_group").toString())
                .isEqualTo("[\"node-b\"]");
        assertThat(simulator.jobs).hasSize(2);
    }

    @Test
    @Promise("TR-12")
    void aJobThatPendsOnASickNodeForTheLastTimeIsNotLeftWaiting() throws Exception {
        JobHandle job = stuck("sick-last");
        WatchPlan once = new WatchPlan(Duration.ofHours(1), 0, Optional.of(Duration.ofSeconds(1)), Map::of);

        assertThat(watched(job, once).get(5, TimeUnit.MINUTES))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.detail()).contains("node-a", "Mount point not found"));

        assertThat(simulator.at(job).state()).isEqualTo("Stopped");
        assertThat(simulator.jobs).hasSize(1);
    }

    private static final class Quiet implements SubmitObserver {
        @Override
        public void checked(Report report) {
            assertThat(report.failed()).isFalse();
        }

        @Override
        public void delayed(String what, Duration next) {
            // tried again by itself
        }
    }
}
