package io.jenkins.plugins.tao.backend.kubernetes.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.kubernetes.Sample;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private static Records.Draft<KubernetesTarget> target(String kubeconfig) {
        return Records.draft(KubernetesTarget.class).with("name", "k8s").with("kubeconfig", given(kubeconfig));
    }

    @Test
    @Promise("KU-12")
    void theContextIsTheCurrentOneOrTheOneThatIsNamed() throws Denied {
        ClusterAccess current = ClusterAccess.of(target(TWO).build());
        ClusterAccess named =
                ClusterAccess.of(target(TWO).with("context", "two").build());

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
        assertThatThrownBy(() ->
                        ClusterAccess.of(target(TWO).with("context", "three").build()))
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

        ClusterAccess access = ClusterAccess.of(target(text)
                .with("context", "two")
                .with("trustKubeconfig", true)
                .build());

        assertThat(access.config().getMasterUrl()).startsWith("https://b:6443");
        assertThat(access.config().getOauthTokenProvider().getToken()).isEqualTo("from-program");
        assertThat(access.config().getRequestRetryBackoffLimit()).isZero();
    }

    @Test
    void aProgramThatGivesNoCredentialIsNamed() {
        String text = TWO.replace(
                "{token: secret-v}",
                "{exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-program, interactiveMode:"
                        + " Never}}");

        assertThatThrownBy(() -> ClusterAccess.of(target(text)
                        .with("context", "two")
                        .with("trustKubeconfig", true)
                        .build()))
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

        Config config = ClusterAccess.of(Records.of(
                        KubernetesTarget.class,
                        "name",
                        "k8s",
                        "kubeconfig",
                        Kubeconfig.ofFile(file),
                        "context",
                        "two",
                        "trustKubeconfig",
                        true))
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
        ClusterAccess access = ClusterAccess.of(target(text)
                .with("context", "two")
                .with("trustKubeconfig", true)
                .build());

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

        ClusterAccess access = ClusterAccess.of(Records.of(KubernetesTarget.class, "name", "k8s"), pod, directory);
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
        assertThatThrownBy(
                        () -> ClusterAccess.of(Records.of(KubernetesTarget.class, "name", "k8s"), Map.of(), directory))
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
        var requested = Sample.job("true")
                .options(Records.of(KubernetesOptions.class, "namespace", "mine"))
                .build();
        var key = new io.jenkins.plugins.tao.job.JobKey("x");
        KubernetesTarget named = Records.of(KubernetesTarget.class, "name", "k8s", "namespace", "ours");
        KubernetesTarget open = Records.of(KubernetesTarget.class, "name", "k8s");

        assertThat(KubernetesPlan.of(named, requested, key, Optional.of("home")).namespace())
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
        assertThatThrownBy(() -> target(TWO)
                        .with("server", "https://x")
                        .with("token", Secret.of("t"))
                        .build())
                .hasMessageContaining("both kubeconfig and server");
        assertThatThrownBy(() -> Records.of(
                        KubernetesTarget.class, "name", "k8s", "server", "http://far:8080", "token", Secret.of("t")))
                .hasMessageContaining("https://host:6443");
        assertThatThrownBy(() -> Records.of(KubernetesTarget.class, "name", "k8s", "server", "https://x"))
                .hasMessageContaining("no token");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.2:7443", "a:6443", "http://a:6443", "http://127.0.0.2:7443", "HTTP://a", "ftp://a"})
    @Promise("TR-27")
    void aTokenNeverTravelsWithoutTls(String server) {
        String text = TWO.replace("https://a:6443", server);

        for (boolean trusted : new boolean[] {false, true}) {
            assertThatThrownBy(() -> ClusterAccess.of(
                            target(text).with("trustKubeconfig", trusted).build()))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining("cluster 'a'")
                    .hasMessageContaining(server);
        }
        assertThatThrownBy(() ->
                        Records.of(KubernetesTarget.class, "name", "k8s", "server", server, "token", Secret.of("t")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Promise("TR-27")
    void aTargetMaySayThatItsClusterHasNoTls() throws Denied {
        String text = TWO.replace("https://a:6443", "http://a:8080");

        ClusterAccess access =
                ClusterAccess.of(target(text).with("plainText", true).build());

        assertThat(access.config().getMasterUrl()).startsWith("http://a:8080");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server: 'https://a:6443'|server: 'https://a b'|cluster 'a'",
                "server: 'https://a:6443'|server: 'https://'|cluster 'a'",
                "server: 'https://a:6443'|server: ''|cluster 'a'",
                "server: 'https://a:6443'|server: 'https://a:6443', proxy-url: 'not an address'|cluster 'a'",
                "token: secret-u|token: \"one\\ntwo\"|user 'u'",
                "token: secret-u|token: t, as-uid: '7'|user 'u'",
                "token: secret-u|username: a|user 'u'",
                "cluster: a, user: u|cluster: z, user: u|cluster 'z'",
                "cluster: a, user: u|cluster: a, user: z|user 'z'",
            })
    @Promise("TR-48")
    void eachFaultOfAKubeconfigNamesFileAndEntryInOneLine(String change) {
        String[] parts = change.split("\\|", -1);
        String text = TWO.replace(parts[0], parts[1]);

        assertThatThrownBy(() -> ClusterAccess.of(target(text).build()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("credential 'kube'")
                .hasMessageContaining(parts[2])
                .extracting(Throwable::getMessage)
                .asString()
                .doesNotContain("\n");
    }

    @Test
    @Promise("TR-48")
    void aKubeconfigThatIsNestedWithoutEndIsToldInOneLine() {
        String deep = "clusters: " + "[".repeat(50_000);

        assertThatThrownBy(() -> ClusterAccess.of(target(deep).build()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("credential 'kube'");
    }

    @Test
    @Promise("TR-48")
    void groupsAndExtrasOfImpersonationAreSent() throws Denied {
        String text = TWO.replace("token: secret-u", "token: t, as: me, as-groups: [a, b], as-user-extra: {why: [x]}");

        Config config = ClusterAccess.of(target(text).build()).config();

        assertThat(config.getImpersonateUsername()).isEqualTo("me");
        assertThat(config.getImpersonateGroups()).containsExactly("a", "b");
        assertThat(config.getImpersonateExtras()).containsEntry("why", List.of("x"));
    }

    @Test
    @Promise("TR-48")
    void theNameOfACertificateIsKept() throws Denied {
        String text = TWO.replace("'https://a:6443'", "'https://10.0.0.1:6443', tls-server-name: api.inside");

        assertThat(ClusterAccess.of(target(text).build()).tlsName()).hasValue("api.inside");
    }
}
