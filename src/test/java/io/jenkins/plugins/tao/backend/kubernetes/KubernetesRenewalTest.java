package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Credentials that run out while a job is watched. */
class KubernetesRenewalTest extends ClusterTest {
    private Backend by(String user) {
        String kubeconfig =
                "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u, namespace: tao-jobs}}]\n"
                        + "clusters: [{name: k, cluster: {server: '"
                        + cluster.server().address() + "'}}]\n"
                        + "users: [{name: u, user: " + user + "}]\n";
        return new KubernetesType()
                .open(Records.of(
                        KubernetesTarget.class,
                        "name",
                        "k8s",
                        "kubeconfig",
                        new Kubeconfig(Secret.of(kubeconfig), "a test", Optional.of(temporary)),
                        "trustKubeconfig",
                        true));
    }

    /** A program that prints what the file {@code token} holds, and counts how often it ran. */
    private String program(String expires) throws IOException {
        Path program = temporary.resolve("login.sh");
        Files.writeString(
                program,
                "#!/bin/sh\necho x >>'" + temporary + "/runs'\nprintf '{\"kind\":\"ExecCredential\",\"apiVersion\":"
                        + "\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"%s\"" + expires + "}}' \"$(cat '"
                        + temporary + "/token')\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login.sh, interactiveMode: Never}}";
    }

    private int runs() throws IOException {
        return Files.readAllLines(temporary.resolve("runs")).size();
    }

    @Test
    @Promise("TR-26")
    void aProgramIsAskedAgainWhenTheServerNoLongerTakesItsToken() throws Exception {
        Files.writeString(temporary.resolve("token"), SimulatedServer.TOKEN);
        try (Backend backend = by(program(""))) {
            JobHandle job = backend.submit(Sample.job("sleep 600").build(), new JobKey("exec"));
            backend.poll(Set.of(job));
            assertThat(runs()).isEqualTo(1);

            Files.writeString(temporary.resolve("token"), "second");
            cluster.server().takeOnly("second");

            assertThat(backend.poll(Set.of(job))).containsKey(job);
            assertThat(runs()).isEqualTo(2);
            backend.poll(Set.of(job));
            assertThat(runs()).isEqualTo(2);
        }
    }

    @Test
    @Promise("TR-26")
    void aTokenIsRenewedBeforeItRunsOut() throws Exception {
        Files.writeString(temporary.resolve("token"), SimulatedServer.TOKEN);
        String soon = cluster.server().now().plusSeconds(900).toString();
        try (Backend backend = by(program(",\"expirationTimestamp\":\"" + soon + "\""))) {
            JobHandle job = backend.submit(Sample.job("sleep 600").build(), new JobKey("expires"));
            backend.poll(Set.of(job));
            assertThat(runs()).isEqualTo(1);

            cluster.server().ahead(850);
            backend.poll(Set.of(job)); // tells the server's clock
            backend.poll(Set.of(job));

            assertThat(runs()).isGreaterThan(1);
            assertThat(cluster.server().requests()).isNotEmpty();
        }
    }

    @Test
    @Promise("TR-26")
    void aTokenFileIsReadAnew() throws Exception {
        Files.writeString(temporary.resolve("token"), SimulatedServer.TOKEN);
        try (Backend backend = by("{tokenFile: token}")) {
            JobHandle job = backend.submit(Sample.job("sleep 600").build(), new JobKey("file"));

            Files.writeString(temporary.resolve("token"), "second");
            cluster.server().takeOnly("second");

            assertThat(backend.poll(Set.of(job))).containsKey(job);
        }
    }
}
