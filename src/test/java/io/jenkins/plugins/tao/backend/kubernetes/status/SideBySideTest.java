package io.jenkins.plugins.tao.backend.kubernetes.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.backend.kubernetes.access.ClusterAccess;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.KubernetesMemory;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The logs of a round are asked for together, and never more than a dozen. */
class SideBySideTest {
    private static final int JOBS = 30;

    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CountDownLatch dozen = new CountDownLatch(12);

    private String answer() throws InterruptedException {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        dozen.countDown();
        boolean together = dozen.await(5, TimeUnit.MINUTES);
        now.decrementAndGet();
        return "2026-11-21T17:00:00Z " + (together ? "together" : "alone") + "\n";
    }

    private static JobView view(String name) {
        JobView running = Captured.view("running");
        PodView pod = new PodView(new PodBuilder(running.pods().get(0).pod())
                .editMetadata()
                .withName(name)
                .endMetadata()
                .build());
        return new JobView(running.job(), List.of(pod), List.of(), running.now());
    }

    private HttpServer server(ExecutorService threads) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try {
                byte[] body = answer().getBytes(UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                exchange.close();
            }
        });
        server.start();
        return server;
    }

    @Test
    void theLogsOfManyJobsAreReadSideBySideAndAtMostADozenAtATime() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        HttpServer server = server(threads);
        KubernetesTarget target = Records.of(
                KubernetesTarget.class,
                "name",
                "k8s",
                "server",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "token",
                Secret.of("t"));
        Map<JobHandle, JobView> views = new HashMap<>();
        Map<StreamRef, Position> from = new HashMap<>();
        for (int i = 0; i < JOBS; i++) {
            JobHandle job = new JobHandle(
                    "k8s", "kubernetes", new JobKey("j" + i), 1, "tao-jobs/tao-j" + i, "/j", "/r", Instant.EPOCH);
            views.put(job, view("pod-" + i));
            from.put(new StreamRef(job, Stream.OUT), Position.START);
        }
        KubernetesMemory memory = new KubernetesMemory();
        memory.saw(views);

        try (KubernetesApi api = KubernetesApi.of("k8s", ClusterAccess.of(target))) {
            assertThat(new KubernetesReading(api, memory).read(from).values())
                    .hasSize(JOBS)
                    .allSatisfy(
                            tail -> assertThat(new String(tail.bytes(), UTF_8)).isEqualTo("together\n"));
        } finally {
            server.stop(0);
            threads.shutdownNow();
        }
        assertThat(most.get()).isEqualTo(12);
    }
}
