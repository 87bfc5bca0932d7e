package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Golden;
import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples for Lepton, and what a target tells of itself. */
class LeptonExamplesTest {
    private static final String EXAMPLES =
            Path.of("docs/examples").toAbsolutePath().toString();

    @TempDir
    Path directory;

    private final Map<String, String> env = new HashMap<>(Map.of(
            "LEPTON_AUTH_TOKEN", "tok-secret-1",
            "NGC_KEY", "nvapi-secret-2",
            "ACCESS_KEY", "access-secret-3",
            "SECRET_KEY", "secret-secret-4",
            "WANDB_API_KEY", "wandb-secret-5"));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int tao(String... arguments) {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Surroundings here = new Surroundings(
                env,
                directory,
                directory,
                new Surroundings.Terminal(false, new ByteArrayInputStream(new byte[0]), print, print),
                Clock.systemUTC(),
                BackendTypes.load(),
                HastyTicker::new);
        return Program.execute(here, new Interrupts(() -> {}), arguments);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theExampleIsShownExactlyAndWithoutAnySecret() throws IOException {
        int code = tao(
                "preview", "--id", "dino", "--targets", EXAMPLES + "/targets.yaml", EXAMPLES + "/lepton-train.yaml");

        assertThat(code).as(text()).isEqualTo(0);
        assertThat(text()).doesNotContain("secret-");
        String body = text().substring(0, text().indexOf("# ==> container.command <=="));
        Golden.check("cli/lepton-example.txt", body.replaceAll("\"#!/bin/sh[^\\n]*", "\"<the script below>\""));
    }

    @Test
    void aTargetTellsWhatJobsCanName() throws IOException {
        try (MockWebServer server = workspace()) {
            Files.writeString(
                    directory.resolve("tao-targets.yaml"),
                    "targets:\n  here: {backend: lepton, workspace: w, token: env:LEPTON_AUTH_TOKEN, url: '"
                            + server.url("/") + "'}\n");

            assertThat(tao("discover", "lepton")).as(text()).isEqualTo(0);
            assertThat(text()).isEqualTo("""
                            node group           pool                             id pool-1, gpu H100, ready nodes 3, priorities no
                            resource shape       gpu.1x                           gpus 1, gpu H100
                            volume               fast=/mnt/fast                   type nfs, node group pool
                            storage permission   /team                            volume fast, node group pool, members *
                            """);

            out.reset();
            assertThat(tao("discover", "here", "--json")).isEqualTo(0);
            assertThat(text().lines().findFirst().orElse(""))
                    .isEqualTo(
                            "{\"event\":\"found\",\"kind\":\"node group\",\"field\":\"nodeGroup\",\"value\":\"pool\","
                                    + "\"facts\":{\"id\":\"pool-1\",\"gpu\":\"H100\",\"ready nodes\":\"3\",\"priorities\":\"no\"}}");
        }
    }

    @Test
    void aTargetThatCannotTellSaysSo() {
        assertThat(tao("discover", "local")).isEqualTo(2);
        assertThat(text()).contains("'local' cannot be asked what they have");
    }

    @Test
    void aMissingTokenIsNamedByItsVariable() {
        env.remove("LEPTON_AUTH_TOKEN");

        assertThat(tao("preflight", "--targets", EXAMPLES + "/targets.yaml", EXAMPLES + "/lepton-train.yaml"))
                .isEqualTo(2);
        assertThat(text()).contains("LEPTON_AUTH_TOKEN is not set");
    }

    private static MockWebServer workspace() throws IOException {
        MockWebServer server = PlayedServer.create();
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                String path = Objects.requireNonNull(request.getUrl()).encodedPath();
                String body = path.endsWith("/shapes")
                        ? "[{\"metadata\":{\"id\":\"gpu.1x\"},\"spec\":{\"accelerator_num\":1,\"accelerator_type\":\"H100\","
                                + "\"listable_in\":[\"job\"],\"cpu\":0}}]"
                        : path.endsWith("/dedicated-node-groups")
                                ? "[{\"metadata\":{\"id\":\"pool-1\",\"name\":\"pool\"},\"spec\":{\"gpu_product\":\"H100\","
                                        + "\"volumes\":[{\"name\":\"fast\",\"from\":\"nfs\"}]},\"status\":{\"ready_nodes\":3}}]"
                                : "[{\"path_prefix\":\"/team\",\"allowed_users\":[\"*\"]}]";
                return new MockResponse.Builder().body(body).build();
            }
        });
        server.start(InetAddress.getLoopbackAddress(), 0);
        return server;
    }
}
