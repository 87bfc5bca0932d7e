package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.record.ARun;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.prometheus.client.Collector;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus and OpenTelemetry are told of jobs. */
@Promise("NV-37")
class JobMetricsTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new CancelRequests(), new TaoRunActions());
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private static ARun night(int number) {
        return ARun.of(number).top("target", "dgx");
    }

    /** As the plugin's page has them. */
    private static List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Collector.MetricFamilySamples family : new PrometheusMetrics().collect()) {
            family.samples.forEach(sample -> {
                Map<String, String> labels = new LinkedHashMap<>();
                for (int i = 0; i < sample.labelNames.size(); i++) {
                    labels.put(sample.labelNames.get(i), sample.labelValues.get(i));
                }
                lines.add(family.type + " " + sample.name + labels + " " + sample.value);
            });
        }
        return lines;
    }

    @Test
    void endsWaitsAndGpuTimeAreAddedUpByTarget() {
        JobMetrics metrics = JobMetrics.get();
        metrics.ended(night(1).record());
        metrics.ended(night(2).record());
        metrics.ended(night(3).ended("failed")
                .text("outcome", "cause", "NODE_FAILURE")
                .record());
        metrics.ended(
                night(5).ended("failed").text("outcome", "cause", "PREEMPTED").record());
        metrics.ended(night(4).ended("failed")
                .text("outcome", "cause", "OUT_OF_MEMORY")
                .record());

        assertThat(lines())
                .contains(
                        "COUNTER tao_runs_total{target=dgx, outcome=succeeded, fault=none} 2.0",
                        "COUNTER tao_runs_total{target=dgx, outcome=failed, fault=machine} 2.0",
                        "COUNTER tao_runs_total{target=dgx, outcome=failed, fault=program} 1.0",
                        "COUNTER tao_gpu_seconds_total{target=dgx} 144000.0",
                        "COUNTER tao_queue_seconds_total{target=dgx} 300.0",
                        "COUNTER tao_queue_waits_total{target=dgx} 5.0");
    }

    @Test
    void whatIsNotKnownAddsNothingAndIsCounted() {
        JobMetrics.get()
                .ended(night(1).without("machines", "gpuSeconds")
                        .without("times", "queueSeconds")
                        .record());

        assertThat(lines())
                .contains("COUNTER tao_unmeasured_total{target=dgx} 1.0")
                .noneMatch(line -> line.contains("tao_gpu_seconds_total") || line.contains("tao_queue_"));
    }

    @Test
    void manyTargetsMakeNoMoreThanAHundredSeries() {
        for (int i = 0; i < 150; i++) {
            JobMetrics.get().ended(ARun.of(i).top("target", "box-" + i).record());
        }

        assertThat(lines().stream().filter(line -> line.contains("tao_runs_total")))
                .hasSize(JobMetrics.MOST_TARGETS + 1)
                .anyMatch(line -> line.contains("target=other") && line.endsWith(" 50.0"));
    }

    @Test
    void aJobOfABuildIsSeenWhileItRunsAndCountedWhenItHasEnded() {
        jenkins.cluster().set(JOB, JobStatus.live(JobState.RUNNING, "RUNNING"));
        WatchTerms terms =
                new WatchTerms(ArtifactPlan.of(List.of()), WatchPlan.defaults().withoutRetries(), true);
        JobWatch watch = WatchRun.start(new BuildScope(build, build.listener()), terms, JOB);

        await().until(() -> lines().contains("GAUGE tao_jobs{target=sim, state=running} 1.0"));
        jenkins.cluster()
                .set(JOB, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        watch.result().join();

        assertThat(lines())
                .contains("COUNTER tao_runs_total{target=sim, outcome=succeeded, fault=none} 1.0")
                .noneMatch(line -> line.contains("tao_jobs"));
    }

    @Test
    void openTelemetryGetsTheSameUnderItsOwnNames() {
        Map<String, Consumer<ObservableDoubleMeasurement>> instruments = new TreeMap<>();
        new OpenTelemetryMetrics(meter(instruments));
        JobMetrics.get().ended(night(1).record());
        List<String> recorded = new ArrayList<>();

        instruments.forEach((name, callback) ->
                callback.accept((value, attributes) -> recorded.add(name + attributes + " " + value)));

        assertThat(instruments.keySet()).contains("tao.jobs", "tao.runs", "tao.gpu_seconds", "tao.queue_waits");
        assertThat(recorded)
                .contains(
                        "tao.runs{target=dgx, outcome=succeeded, fault=none} 1.0",
                        "tao.gpu_seconds{target=dgx} 28800.0");
    }

    @Test
    void thePageOfTheMetricsNamesEachOne() throws Exception {
        String page = Files.readString(Path.of("docs/admin/integrations.md"));

        for (JobMetrics.Metric metric : JobMetrics.Metric.values()) {
            assertThat(page).contains("`" + metric.title() + "`");
        }
    }

    /** A meter whose builders all answer themselves, and which keeps what is to be called by name. */
    @SuppressWarnings("unchecked")
    private static Meter meter(Map<String, Consumer<ObservableDoubleMeasurement>> instruments) {
        String[] name = new String[1];
        return proxy(Meter.class, name, instruments);
    }

    @SuppressWarnings("unchecked")
    private static <T> T proxy(
            Class<T> type, String[] name, Map<String, Consumer<ObservableDoubleMeasurement>> instruments) {
        return type.cast(Proxy.newProxyInstance(
                JobMetricsTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().endsWith("erBuilder")
                            || method.getName().equals("gaugeBuilder")) {
                        name[0] = (String) arguments[0];
                    } else if (method.getName().equals("buildWithCallback")) {
                        instruments.put(name[0], (Consumer<ObservableDoubleMeasurement>) arguments[0]);
                    }
                    return proxy(method.getReturnType(), name, instruments);
                }));
    }
}
