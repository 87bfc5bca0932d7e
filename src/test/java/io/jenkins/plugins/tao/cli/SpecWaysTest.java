package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every kind of target makes of the same job, and what it asks for; with the backends as they are shipped. */
class SpecWaysTest {
    private static final String TARGETS = """
            targets:
              slurm1: {backend: slurm, hosts: a, user: u, key: k, keyPassphrase: env:SLURM_PASS, knownHosts: h, baseDirectory: /lustre/tao}
              cluster: {backend: kubernetes, server: 'https://k:6443', token: env:KUBE_TOKEN, volumes: ['results:/results']}
              cloud: {backend: lepton, workspace: w, token: env:LEPTON_TOKEN, nodeGroup: g, resourceShape: gpu.h100, mounts: ['node-nfs:v:/a=/b']}
              stored: {backend: lepton, workspace: w, token: env:LEPTON_TOKEN, s3: {accessKey: env:S3_ACCESS, secretKey: env:S3_SECRET}}
              kaggle: {backend: kaggle, username: ada, key: env:KAGGLE_KEY}
            """;

    private static final Set<String> CREDENTIALS =
            Set.of("SLURM_PASS", "KUBE_TOKEN", "LEPTON_TOKEN", "KAGGLE_KEY", "S3_ACCESS", "S3_SECRET");

    @TempDir
    Path directory;

    private final Map<String, String> values = new HashMap<>();
    private final Set<String> asked = new TreeSet<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @BeforeEach
    void targets() throws Exception {
        Files.writeString(directory.resolve("tao-targets.yaml"), TARGETS);
        Files.writeString(directory.resolve("k"), "key");
        Files.writeString(directory.resolve("h"), "a ssh-ed25519 AAAA\n");
    }

    private Surroundings here() {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        return new Surroundings(
                new Listening(),
                directory,
                directory,
                new Surroundings.Terminal(false, new ByteArrayInputStream(new byte[0]), print, print),
                Clock.systemUTC(),
                BackendTypes.load());
    }

    /** Notes which variables are looked up. */
    private final class Listening extends AbstractMap<String, String> {
        @Override
        public Set<Map.Entry<String, String>> entrySet() {
            return values.entrySet();
        }

        @Override
        public @Nullable String get(Object name) {
            asked.add(String.valueOf(name));
            return values.get(name);
        }
    }

    private int preview(String target, String job) throws Exception {
        out.reset();
        CREDENTIALS.forEach(name -> values.put(name, "value-of-" + name));
        Files.writeString(directory.resolve("job.yaml"), job);
        return Program.execute(
                here(), new Interrupts(() -> {}), "preview", "--target", target, "--id", "one", "job.yaml");
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String image(String target) {
        return target.equals("local") || target.equals("kaggle") ? "" : "image: nvcr.io/nvidia/tao:6\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"slurm1", "local", "cluster", "cloud", "kaggle"})
    @Promise("GE-08")
    void theSpecReachesTheCommandAsTheJobImplies(String target) throws Exception {
        String spec = "spec: {unheard_of: {half_life: 17}}\n";

        assertThat(preview(target, image(target) + "command: do --file {config_path}\n" + spec))
                .as(text())
                .isEqualTo(0);
        assertThat(text()).contains("half_life").doesNotContain("{config_path}");

        assertThat(preview(target, image(target) + "command: do --half-life 17 {results_dir}\n"))
                .as(text())
                .isEqualTo(0);
        assertThat(text()).contains("do --half-life 17").doesNotContain("{results_dir}");

        assertThat(preview(target, image(target) + "command: just do\n")).isEqualTo(0);
        assertThat(text()).contains("just do").doesNotContain("half_life");

        assertThat(preview(target, image(target) + "command: do --file {config_path}\n"))
                .isEqualTo(2);
        assertThat(text()).contains("{config_path}", "Give the job a spec, or take {config_path} out of its command.");
    }

    @ParameterizedTest
    @CsvSource({
        "slurm1, SLURM_PASS",
        "local, ''",
        "cluster, KUBE_TOKEN",
        "cloud, LEPTON_TOKEN",
        "kaggle, KAGGLE_KEY",
        "stored, LEPTON_TOKEN S3_ACCESS S3_SECRET"
    })
    @Promise("GE-05")
    void onlyTheCredentialsOfTheChosenTargetAreAskedFor(String target, String wanted) throws Exception {
        Set<String> needed = new TreeSet<>();
        for (String name : wanted.split(" ", -1)) {
            if (!name.isEmpty()) {
                needed.add(name);
                values.put(name, "value-of-" + name);
            }
        }

        Targets.find(java.util.Optional.empty(), here()).named(target);

        asked.retainAll(CREDENTIALS);
        assertThat(asked).isEqualTo(needed);
    }

    @Test
    @Promise("GE-26")
    void aSpecThatNobodyKnowsArrivesAsItIsOnEveryKindOfTarget() throws Exception {
        String spec = "spec: {zorblax: {epochs: -3, learning_rate: 1.0e+9, stages: [q, {z: true}], batch_size: 0}}\n";

        for (String target : Set.of("slurm1", "local", "cluster", "cloud", "kaggle")) {
            assertThat(preview(target, image(target) + "command: x {config_path}\n" + spec))
                    .as(text())
                    .isEqualTo(0);
            String shown = text().replaceAll("[\\\\\"\\s]", "");
            assertThat(shown).as(target).contains("zorblax", "epochs:-3", "batch_size:0");
        }
    }
}
