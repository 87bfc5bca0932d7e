package io.jenkins.plugins.tao.backend.kubernetes.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several kubeconfigs that are merged as kubectl merges them. */
class KubeconfigFilesTest {
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

    private Kubeconfig files(String... texts) throws IOException {
        StringBuilder list = new StringBuilder(directory.resolve("nosuch").toString());
        for (int i = 0; i < texts.length; i++) {
            Path file = directory.resolve(String.valueOf(i)).resolve("config");
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.writeString(file, texts[i]);
            list.append(File.pathSeparator).append(file);
        }
        return Kubeconfig.ofFile(Path.of(list.toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{server: 'https://a:6443', tls-server-name: \"a\\nb\"}| {token: t}|tls-server-name",
                "{server: 'https://a:6443'}| {token: t, as: u, as-groups: [g, \"a\\nb\"]}|as-groups"
            })
    void whatIsNoOneLineIsNamedWithItsFile(String texts) throws Exception {
        String[] parts = texts.split("\\|", -1);
        Kubeconfig odd = files(
                "current-context: c\ncontexts: [{name: c, context: {cluster: a, user: u}}]\n",
                "clusters: [{name: a, cluster: " + parts[0] + "}]\nusers: [{name: u, user: " + parts[1] + "}]\n");
        KubernetesTarget target = Records.of(KubernetesTarget.class, "name", "k8s", "kubeconfig", odd);

        assertThatThrownBy(() -> ClusterAccess.of(target))
                .isInstanceOf(Denied.class)
                .hasMessageContaining(parts[2])
                .hasMessageContaining("not one line")
                .hasMessageContaining(directory.resolve("1/config").toString());
    }

    @Test
    void aFileThatIsTooLargeForAKubeconfigIsNotRead() throws Exception {
        Path large = directory.resolve("large");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(200L << 20);
        }

        assertThatThrownBy(() -> Kubeconfig.ofFile(large))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(large.toString())
                .hasMessageContaining("209715200 bytes");
    }

    @Test
    @Promise("TR-48")
    void ofSeveralFilesTheFirstThatHasAnEntryGivesIt() throws Exception {
        String first = """
                current-context: two
                clusters: [{name: b, cluster: {server: 'https://other:6443', certificate-authority: ca.crt}}]
                """;
        Records.Draft<KubernetesTarget> target = Records.draft(KubernetesTarget.class)
                .with("name", "k8s")
                .with("kubeconfig", files(first, TWO))
                .with("trustKubeconfig", true);

        ClusterAccess access = ClusterAccess.of(target.build());

        assertThat(access.config().getMasterUrl()).startsWith("https://other:6443");
        assertThat(access.config().getCaCertFile())
                .isEqualTo(directory.resolve("0/ca.crt").toString());
        assertThat(access.config().getOauthToken()).isEqualTo("secret-v");
        assertThat(ClusterAccess.of(target.with("context", "one").build())
                        .config()
                        .getOauthToken())
                .isEqualTo("secret-u");
    }

    @Test
    @Promise("TR-48")
    void aFaultOfOneOfSeveralFilesNamesThatFileAndItsEntry() throws Exception {
        Kubeconfig noYaml = files(TWO, "clusters: [");
        Kubeconfig noServer = files(
                "current-context: two\nclusters: [{name: a, cluster: {server: 'https://a'}}]",
                TWO.replace("https://b:6443", "b:6443"));

        assertThatThrownBy(
                        () -> ClusterAccess.of(Records.of(KubernetesTarget.class, "name", "k8s", "kubeconfig", noYaml)))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("of " + directory.resolve("1/config") + " is no kubeconfig");
        assertThatThrownBy(() ->
                        ClusterAccess.of(Records.of(KubernetesTarget.class, "name", "k8s", "kubeconfig", noServer)))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("of " + directory.resolve("1/config") + " names in its cluster 'b'");
    }

    @Test
    @Promise("TR-48")
    void aListWithoutAnyFileIsRefusedWithTheirNames() {
        assertThatThrownBy(this::files).hasMessageContaining("nosuch");
        assertThatThrownBy(() -> Kubeconfig.ofFile(
                        Path.of(directory.resolve("one") + File.pathSeparator + directory.resolve("other"))))
                .hasMessageContaining("none of the files of the kubeconfig is there")
                .hasMessageContaining(directory.resolve("other").toString());
    }
}
