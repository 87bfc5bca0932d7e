package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The name that is sent when TLS begins, in clear: by it a load balancer chooses between clusters. */
class ServerNameTest {
    private static final String HANDSHAKE = "\u0016\u0003";

    /** What a client sends first; the connection is cut then. */
    private static String hello(ServerSocket server) {
        try (Socket client = server.accept()) {
            return new String(client.getInputStream().readNBytes(5), ISO_8859_1)
                    + new String(client.getInputStream().readNBytes(200), ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void begin(Runnable work) {
        Thread thread = new Thread(work, "server");
        thread.setDaemon(true);
        thread.start();
    }

    private static String helloOf(String entry) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> hello = CompletableFuture.supplyAsync(() -> hello(server), ServerNameTest::begin);
            String text = """
                apiVersion: v1
                kind: Config
                current-context: one
                contexts:
                - {name: one, context: {cluster: a, user: u}}
                clusters:
                - {name: a, cluster: {server: 'https://127.0.0.1:%d'%s}}
                users:
                - {name: u, user: {token: secret-u}}
                """.formatted(server.getLocalPort(), entry);
            KubernetesTarget target = Records.of(
                    KubernetesTarget.class,
                    "name",
                    "k8s",
                    "kubeconfig",
                    new Kubeconfig(Secret.of(text), "credential 'kube'"));
            JobHandle job = new JobHandle(
                    "k8s", KubernetesType.NAME, new JobKey("a"), 1, "ns/tao-a", "/r", "/r", Instant.EPOCH);
            try (Backend backend = new KubernetesType().open(target)) {
                assertThatThrownBy(() -> backend.poll(Set.of(job))).isInstanceOf(BackendException.Unreachable.class);
            }
            return hello.get(5, TimeUnit.MINUTES);
        }
    }

    @Test
    @Promise("TR-48")
    void theNameOfTheCertificateIsSentToTheServer() throws Exception {
        assertThat(helloOf(", tls-server-name: api.inside"))
                .startsWith(HANDSHAKE)
                .contains("api.inside");
        assertThat(helloOf(", tls-server-name: kubernetes"))
                .startsWith(HANDSHAKE)
                .contains("kubernetes");
    }

    @Test
    void withoutOneNoNameIsSentForAnAddress() throws Exception {
        assertThat(helloOf("")).startsWith(HANDSHAKE).doesNotContain("127.0.0.1");
    }
}
