package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesTarget.Kubeconfig;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterAccessTest {
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

    @TempDir
    Path directory;

    private static Kubeconfig given(String text) {
        return new Kubeconfig(Secret.of(text), "credential 'kube'");
    }

    private static KubernetesTarget.Builder target(String kubeconfig) {
        return KubernetesTarget.of("k8s").kubeconfig(given(kubeconfig));
    }

    @Test
    @Promise("KU-12")
    void theContextIsTheCurrentOneOrTheOneThatIsNamed() throws Denied {
        ClusterAccess current = ClusterAccess.of(target(TWO).build());
        ClusterAccess named = ClusterAccess.of(target(TWO).context("two").build());

        assertThat(current.config().getMasterUrl()).startsWith("https://a:6443");
        assertThat(current.namespace()).hasValue("team-a");
        assertThat(named.config().getMasterUrl()).startsWith("https://b:6443");
        assertThat(named.config().getOauthToken()).isEqualTo("secret-v");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "just text",
                "- a\n- list",
                "clusters: [",
                "clusters: [{name: a, cluster: {server: 'https://a'}}]\nusers: []\ncontexts: []",
                "current-context: nosuch\nclusters: [{name: a, cluster: {server: 'https://a'}}]",
            })
    void whatIsNoKubeconfigIsToldAndNeverReplacedByADefault(String text) {
        assertThatThrownBy(() -> ClusterAccess.of(target(text).build()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("credential 'kube'");
    }

    @Test
    void aContextThatIsNotThereIsToldWithThoseThatAre() {
        assertThatThrownBy(() -> ClusterAccess.of(target(TWO).context("three").build()))
                .isInstanceOfSatisfying(Denied.class, e -> {
                    assertThat(e).hasMessageContaining("no context 'three'");
                    assertThat(e.remedy()).contains("one, two");
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exec: {apiVersion: client.authentication.k8s.io/v1, command: /bin/touch, args: [MARK]}",
                "auth-provider: {name: gcp, config: {cmd-path: /bin/touch}}",
                "tokenFile: /etc/passwd",
                "client-key: /etc/passwd",
                "client-certificate: /etc/passwd",
            })
    void programsAndFilesOfThisMachineAreRefusedAndNotTouched(String user) {
        Path mark = directory.resolve("ran");
        String text = TWO.replace("{token: secret-u}", "{" + user.replace("MARK", mark.toString()) + "}");

        assertThatThrownBy(() -> ClusterAccess.of(target(text).build())).isInstanceOfSatisfying(Denied.class, e -> {
            assertThat(e).hasMessageContaining(user.substring(0, user.indexOf(':')));
            assertThat(e.remedy()).contains("trustKubeconfig", "--flatten");
        });
        assertThat(mark).doesNotExist();
    }

    @Test
    void aTrustedKubeconfigRunsItsProgramForTheContextThatIsNamed() throws Exception {
        Path program = directory.resolve("token.sh");
        Files.writeString(
                program,
                "#!/bin/sh\necho '{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\":"
                        + " \"ExecCredential\", \"status\": {\"token\": \"from-program\"}}'\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        String text = TWO.replace(
                "{token: secret-v}",
                "{exec: {apiVersion: client.authentication.k8s.io/v1, command: " + program
                        + ", interactiveMode: Never}}");

        ClusterAccess access = ClusterAccess.of(
                target(text).context("two").trustKubeconfig(true).build());

        assertThat(access.config().getMasterUrl()).startsWith("https://b:6443");
        assertThat(access.config().getAutoOAuthToken()).isEqualTo("from-program");
        assertThat(access.config().getRequestRetryBackoffLimit()).isZero();
    }

    @Test
    void aProgramThatGivesNoCredentialIsNamed() {
        String text = TWO.replace(
                "{token: secret-v}",
                "{exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-program, interactiveMode: Never}}");

        assertThatThrownBy(() -> ClusterAccess.of(
                        target(text).context("two").trustKubeconfig(true).build()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("no-such-program");
    }

    @Test
    void relativePathsOfATrustedKubeconfigStartFromItsOwnDirectory() throws Exception {
        Files.writeString(directory.resolve("token"), "of-file");
        Path file = directory.resolve("config");
        Files.writeString(
                file,
                TWO.replace("server: 'https://b:6443'", "server: 'https://b:6443', certificate-authority: pki/ca.crt")
                        .replace(
                                "{token: secret-v}",
                                "{tokenFile: token, client-certificate: me.crt, client-key: me.key}"));

        Config config = ClusterAccess.of(KubernetesTarget.of("k8s")
                        .kubeconfig(Kubeconfig.ofFile(file))
                        .context("two")
                        .trustKubeconfig(true)
                        .build())
                .config();

        assertThat(config.getCaCertFile())
                .isEqualTo(directory.resolve("pki/ca.crt").toString());
        assertThat(config.getClientCertFile())
                .isEqualTo(directory.resolve("me.crt").toString());
        assertThat(config.getClientKeyFile())
                .isEqualTo(directory.resolve("me.key").toString());
        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("of-file");
    }

    @Test
    void aCertificateThatCannotBeReadIsToldAndNoFaultOfOurs() throws Exception {
        String text =
                TWO.replace("{token: secret-v}", "{client-certificate: /nowhere/me.crt, client-key: /nowhere/me.key}");
        ClusterAccess access = ClusterAccess.of(
                target(text).context("two").trustKubeconfig(true).build());

        assertThatThrownBy(() -> KubernetesApi.of("k8s", access))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("/nowhere/me.crt")
                .hasMessageContaining("credential 'kube'");
    }

    @Test
    void noSecretIsInTheErrorsText() {
        String broken = TWO.replace("current-context: one", "current-context: [one");

        assertThatThrownBy(() -> ClusterAccess.of(target(broken).build()))
                .isInstanceOf(Denied.class)
                .hasMessageNotContaining("secret-u")
                .hasNoCause();
    }

    @Test
    @Promise("KU-02")
    void insideAPodItsServiceAccountIsUsedAndItsTokenReadEachTime() throws IOException, Denied {
        Files.writeString(directory.resolve("token"), "first");
        Files.writeString(directory.resolve("namespace"), "jenkins");
        Map<String, String> pod = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBERNETES_SERVICE_PORT", "6443");

        ClusterAccess access = ClusterAccess.of(KubernetesTarget.of("k8s").build(), pod, directory);
        String before = access.config().getOauthTokenProvider().getToken();
        Files.writeString(directory.resolve("token"), "second");

        assertThat(access.config().getMasterUrl()).startsWith("https://10.0.0.1:6443");
        assertThat(access.namespace()).hasValue("jenkins");
        assertThat(before).isEqualTo("first");
        assertThat(access.config().getOauthTokenProvider().getToken()).isEqualTo("second");
    }

    @Test
    @Promise("KU-07")
    void withoutAnythingThePlacesThatWereLookedAtAreNamed() {
        assertThatThrownBy(() -> ClusterAccess.of(KubernetesTarget.of("k8s").build(), Map.of(), directory))
                .isInstanceOfSatisfying(Denied.class, e -> {
                    assertThat(e).hasMessageContaining("Could not authenticate to a Kubernetes cluster");
                    assertThat(e.explain())
                            .contains("~/.kube/config", "$KUBECONFIG", "kubectl get nodes", "aws eks update-kubeconfig")
                            .contains("this process runs in no pod");
                });
    }

    @Test
    void theClientTakesNothingFromItsSurroundingsAndDoesNotRepeat() throws Denied {
        ClusterAccess access = ClusterAccess.of(target(TWO).build());

        assertThat(access.config().getAutoConfigure()).isFalse();
        assertThat(access.config().getRequestRetryBackoffLimit()).isZero();
        assertThat(access.config().getConnectionTimeout()).isEqualTo(10_000);
        assertThat(access.config().getRequestTimeout()).isEqualTo(30_000);
        assertThat(access.config().getCaCertFile()).isNull();
    }

    @Test
    @Promise("KU-11")
    void theNamespaceIsTheJobsThenTheTargetsThenTheContextsThenDefault() throws Exception {
        var spec = Sample.job("true").build();
        var wished = Sample.job("true")
                .options(KubernetesOptions.builder().namespace("mine").build())
                .build();
        var key = new io.jenkins.plugins.tao.job.JobKey("x");
        KubernetesTarget named = KubernetesTarget.of("k8s").namespace("ours").build();
        KubernetesTarget open = KubernetesTarget.of("k8s").build();

        assertThat(KubernetesPlan.of(named, wished, key, Optional.of("home")).namespace())
                .isEqualTo("mine");
        assertThat(KubernetesPlan.of(named, spec, key, Optional.of("home")).namespace())
                .isEqualTo("ours");
        assertThat(KubernetesPlan.of(open, spec, key, Optional.of("home")).namespace())
                .isEqualTo("home");
        assertThat(KubernetesPlan.of(open, spec, key, Optional.empty()).namespace())
                .isEqualTo("default");
    }

    @Test
    void aTargetThatContradictsItselfIsRefused() {
        assertThatThrownBy(() ->
                        target(TWO).server("https://x").token(Secret.of("t")).build())
                .hasMessageContaining("both kubeconfig and server");
        assertThatThrownBy(() -> KubernetesTarget.of("k8s")
                        .server("http://far:8080")
                        .token(Secret.of("t"))
                        .build())
                .hasMessageContaining("https://host:6443");
        assertThatThrownBy(() -> KubernetesTarget.of("k8s").server("https://x").build())
                .hasMessageContaining("no token");
    }

    private static final HttpProxy PROXY = HttpProxy.parse("http://me:pw@proxy.corp:3128", List.of(".inside"));

    @Test
    void aClusterIsReachedThroughTheTargetsProxyWhateverTheCredential() throws Denied {
        Optional<HttpProxy> proxy = Optional.of(PROXY);
        KubernetesTarget.Builder byToken =
                KubernetesTarget.of("k8s").server("https://api.cloud").token(Secret.of("t"));

        for (KubernetesTarget.Builder target : List.of(target(TWO), target(TWO).trustKubeconfig(true), byToken)) {
            Config config = ClusterAccess.of(target.proxy(proxy).build()).config();

            assertThat(config.getHttpsProxy()).isEqualTo("http://proxy.corp:3128");
            assertThat(config.getProxyUsername()).isEqualTo("me");
            assertThat(config.getProxyPassword()).isEqualTo("pw");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://api.inside:6443", "https://127.0.0.1:6443"})
    void aClusterThatTheProxySparesIsReachedDirectly(String server) throws Denied {
        KubernetesTarget target = KubernetesTarget.of("k8s")
                .server(server)
                .token(Secret.of("t"))
                .proxy(Optional.of(PROXY))
                .build();

        assertThat(ClusterAccess.of(target).config().getHttpsProxy()).isNull();
    }

    @Test
    void aKubeconfigsOwnProxyWins() throws Denied {
        String own = TWO.replace("'https://a:6443'", "'https://a:6443', proxy-url: 'http://own:1'");

        ClusterAccess access =
                ClusterAccess.of(target(own).proxy(Optional.of(PROXY)).build());

        assertThat(access.config().getHttpsProxy()).isEqualTo("http://own:1");
        assertThat(access.config().getProxyUsername()).isNull();
    }

    @Test
    void requestsGoThroughTheProxyWithItsLoginAndTheTokenOnlyInsideTheTunnel() throws Exception {
        try (MockWebServer proxy = new MockWebServer()) {
            proxy.start(InetAddress.getLoopbackAddress(), 0);
            proxy.enqueue(new MockResponse.Builder().code(502).build());
            KubernetesTarget target = KubernetesTarget.of("k8s")
                    .server("https://api.invalid")
                    .token(Secret.of("t0ken"))
                    .proxy(Optional.of(HttpProxy.parse("http://me:pw@127.0.0.1:" + proxy.getPort())))
                    .build();

            try (KubernetesApi api = KubernetesApi.of("k8s", ClusterAccess.of(target))) {
                assertThatThrownBy(api::version).isInstanceOf(BackendException.Unreachable.class);
            }

            RecordedRequest tunnel = Objects.requireNonNull(proxy.takeRequest(5, TimeUnit.SECONDS));
            assertThat(tunnel.getRequestLine()).isEqualTo("CONNECT api.invalid:443 HTTP/1.1");
            assertThat(tunnel.getHeaders().get("Authorization")).isNull();
            assertThat(tunnel.getHeaders().get("Proxy-Authorization")).startsWith("Basic ");
        }
    }
}
