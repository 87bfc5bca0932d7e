package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.kubernetes.access.ClusterAccess;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.job.Secret;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways to a cluster through a proxy. */
class ClusterProxyTest {
    private static final String TWO = """
        apiVersion: v1
        kind: Config
        current-context: one
        contexts:
        - {name: one, context: {cluster: a, user: u, namespace: team-a}}
        - {name: two, context: {cluster: b, user: v}}
        clusters:
        - {name: a, cluster: {server: 'https://a:6443'}}
        - {name: b, cluster: {server: 'https://b:6443'}}
        users:
        - {name: u, user: {token: secret-u}}
        - {name: v, user: {token: secret-v}}
        """;

    private static Kubeconfig given(String text) {
        return new Kubeconfig(Secret.of(text), "credential 'kube'");
    }

    private static Records.Draft<KubernetesTarget> target(String kubeconfig) {
        return Records.draft(KubernetesTarget.class).with("name", "k8s").with("kubeconfig", given(kubeconfig));
    }

    private static final HttpProxy PROXY = HttpProxy.parse("http://me:pw@proxy.corp:3128", List.of(".inside"));

    @Test
    void aClusterIsReachedThroughTheTargetsProxyWhateverTheCredential() throws Denied {
        Optional<HttpProxy> proxy = Optional.of(PROXY);
        Records.Draft<KubernetesTarget> byToken = Records.draft(KubernetesTarget.class)
                .with("name", "k8s")
                .with("server", "https://api.cloud")
                .with("token", Secret.of("t"));

        for (Records.Draft<KubernetesTarget> target :
                List.of(target(TWO), target(TWO).with("trustKubeconfig", true), byToken)) {
            Config config =
                    ClusterAccess.of(target.with("proxy", proxy).build()).config();

            assertThat(config.getHttpsProxy()).isEqualTo("http://proxy.corp:3128");
            assertThat(config.getProxyUsername()).isEqualTo("me");
            assertThat(config.getProxyPassword()).isEqualTo("pw");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://api.inside:6443", "https://127.0.0.1:6443"})
    void aClusterThatTheProxySparesIsReachedDirectly(String server) throws Denied {
        KubernetesTarget target = Records.of(
                KubernetesTarget.class,
                "name",
                "k8s",
                "server",
                server,
                "token",
                Secret.of("t"),
                "proxy",
                Optional.of(PROXY));

        assertThat(ClusterAccess.of(target).config().getHttpsProxy()).isNull();
    }

    @Test
    void aKubeconfigsOwnProxyWins() throws Denied {
        String own = TWO.replace("'https://a:6443'", "'https://a:6443', proxy-url: 'http://own:1'");

        ClusterAccess access =
                ClusterAccess.of(target(own).with("proxy", Optional.of(PROXY)).build());

        assertThat(access.config().getHttpsProxy()).isEqualTo("http://own:1");
        assertThat(access.config().getProxyUsername()).isNull();
    }

    @Test
    void requestsGoThroughTheProxyWithItsLoginAndTheTokenOnlyInsideTheTunnel() throws Exception {
        try (MockWebServer proxy = PlayedServer.create()) {
            proxy.start(InetAddress.getLoopbackAddress(), 0);
            proxy.enqueue(new MockResponse.Builder().code(502).build());
            KubernetesTarget target = Records.of(
                    KubernetesTarget.class,
                    "name",
                    "k8s",
                    "server",
                    "https://api.invalid",
                    "token",
                    Secret.of("t0ken"),
                    "proxy",
                    Optional.of(HttpProxy.parse("http://me:pw@127.0.0.1:" + proxy.getPort(), List.of())));

            try (KubernetesApi api = KubernetesApi.of("k8s", ClusterAccess.of(target))) {
                assertThatThrownBy(api::version).isInstanceOf(BackendException.Unreachable.class);
            }

            RecordedRequest tunnel = Objects.requireNonNull(proxy.takeRequest(5, TimeUnit.MINUTES));
            assertThat(tunnel.getRequestLine()).isEqualTo("CONNECT api.invalid:443 HTTP/1.1");
            assertThat(tunnel.getHeaders().get("Authorization")).isNull();
            assertThat(tunnel.getHeaders().get("Proxy-Authorization")).startsWith("Basic ");
        }
    }
}
