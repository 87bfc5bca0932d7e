package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jenkins' own plugins for Prometheus and OpenTelemetry tell of our jobs. */
@NeedsJenkins(plugins = {"prometheus", "opentelemetry-api"})
class MetricsIT {
    @TempDir
    private Path home;

    private JenkinsProcess process;
    private JenkinsClient jenkins;

    @BeforeEach
    void start() throws IOException {
        process = JenkinsProcess.in(home);
        jenkins = process.start();
        jenkins.targets("new io.jenkins.plugins.tao.jenkins.config.SimulatedTargetConfiguration('sim', '"
                + home.resolve("sim") + "').with { speed = '10'; it }");
    }

    @AfterEach
    void stop() {
        process.close();
    }

    @Test
    @Promise("NV-37")
    void theirPagesAndExportsHaveOurCounts() throws IOException {
        ByteArrayOutputStream exported = new ByteArrayOutputStream();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", exchange -> {
            synchronized (exported) {
                exchange.getRequestBody().transferTo(exported);
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        try {
            jenkins.groovy("""
                    import io.jenkins.plugins.opentelemetry.api.ReconfigurableOpenTelemetry
                    ReconfigurableOpenTelemetry.get().configure(['otel.metrics.exporter': 'otlp', 'otel.traces.exporter': 'none',
                        'otel.logs.exporter': 'none', 'otel.exporter.otlp.protocol': 'http/protobuf', 'otel.metric.export.interval': '1000',
                        'otel.exporter.otlp.endpoint': 'http://127.0.0.1:%d'], io.opentelemetry.sdk.resources.Resource.getDefault())
                    """.formatted(collector.getAddress().getPort()));
            Build build = jenkins.start(
                    "train", "taoRun target: 'sim', command: 'dino train', options: simulated(epochs: 1)");
            build.ends("SUCCESS");

            await().atMost(Build.PATIENCE)
                    .until(() ->
                            jenkins.get("prometheus/").contains("tao_runs_total{target=\"sim\",outcome=\"succeeded\""));
            await().atMost(Build.PATIENCE).until(() -> {
                synchronized (exported) {
                    return exported.toString(StandardCharsets.ISO_8859_1).contains("tao.runs");
                }
            });
        } finally {
            collector.stop(0);
        }
        assertThat(jenkins.get("prometheus/")).contains("# TYPE tao_jobs gauge");
    }
}
