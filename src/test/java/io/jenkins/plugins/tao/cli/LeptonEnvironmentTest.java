package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.terminal.EnvironmentFile;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeptonEnvironmentTest {
    @TempDir
    private Path directory;

    private Bench bench;

    @BeforeEach
    void environment() {
        bench = new Bench(directory, BackendTypes.load());
    }

    private LeptonTarget target() throws UsageException {
        return (LeptonTarget) Targets.find(Optional.empty(), bench.surroundings())
                .named("lepton")
                .target();
    }

    @Test
    void theVariablesOfTheClientsMakeATarget() throws UsageException {
        bench.env.putAll(Map.of("LEPTON_WORKSPACE_ID", "ws1", "LEPTON_WORKSPACE_TOKEN", "t-1"));
        assertThat(target().workspace()).isEqualTo("ws1");
        assertThat(target().token().reveal()).isEqualTo("t-1");

        bench.env.put("LEPTON_AUTH_TOKEN", "t-2");
        assertThat(target().token().reveal()).isEqualTo("t-2");
        assertThat(Targets.find(Optional.empty(), bench.surroundings()).names()).contains("lepton");
    }

    @Test
    void aMissingTokenIsNamed() {
        bench.env.put("LEPTON_WORKSPACE_ID", "ws1");

        assertThatThrownBy(this::target)
                .hasMessageStartingWith("MISSING: LEPTON_AUTH_TOKEN. The target 'lepton' needs");
    }

    @Test
    void theTargetOfTheFileGoesFirst() throws UsageException {
        bench.env.putAll(Map.of("LEPTON_WORKSPACE_ID", "ws1", "LEPTON_AUTH_TOKEN", "t"));
        bench.write(
                "tao-targets.yaml",
                "targets: {lepton: {backend: lepton, workspace: own, token: 'env:LEPTON_AUTH_TOKEN'}}");

        assertThat(target().workspace()).isEqualTo("own");
    }

    @Test
    void theCredentialFileOfTheClientSetsWhatTheEnvironmentDoesNot() throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream said = new PrintStream(err, true, StandardCharsets.UTF_8);
        Path file = directory.resolve(".config/tao/.env");
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, """
                # written by the client
                export LEPTON_WORKSPACE_ID="ws 2"
                LEPTON_AUTH_TOKEN = 'a=b#c'
                NGC_KEY=from the file
                no assignment
                """);

        assertThat(EnvironmentFile.added(Map.of("NGC_KEY", "own"), directory, said))
                .containsOnly(
                        Map.entry("LEPTON_WORKSPACE_ID", "ws 2"),
                        Map.entry("LEPTON_AUTH_TOKEN", "a=b#c"),
                        Map.entry("NGC_KEY", "own"));
        assertThat(EnvironmentFile.added(Map.of("XDG_CONFIG_HOME", "/nowhere"), directory, said))
                .containsOnlyKeys("XDG_CONFIG_HOME");
        assertThat(err).hasToString("");

        Files.delete(file);
        Files.createDirectory(file);
        assertThat(EnvironmentFile.added(Map.of(), directory, said)).isEmpty();
        assertThat(err).asString().startsWith("tao: " + file + " cannot be read");
    }
}
