package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.monitor.HastyTicker;
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
              pods: {backend: kubernetes, server: 'http://127.0.0.1:1', token: env:KUBE_TOKEN, volumes: ['results:/results'],
                s3: {endpoint: 'http://127.0.0.1:1', bucket: team, accessKey: env:S3_ACCESS, secretKey: env:S3_SECRET}}
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
                BackendTypes.load(),
                HastyTicker::new);
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

    private void set(Set<String> names) {
        names.forEach(name -> values.put(name, "value-of-" + name));
    }

    private String credentialsAskedFor() {
        asked.retainAll(CREDENTIALS);
        return String.join(" ", asked);
    }

    private int preview(String target, String job) throws Exception {
        set(CREDENTIALS);
        return run("preview", target, job);
    }

    private int run(String verb, String target, String job) throws Exception {
        out.reset();
        Files.writeString(directory.resolve("job.yaml"), job);
        return Program.execute(here(), new Interrupts(() -> {}), verb, "--target", target, "--id", "one", "job.yaml");
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
        "stored, LEPTON_TOKEN",
        "pods, KUBE_TOKEN"
    })
    void onlyTheCredentialsOfTheChosenTargetAreAskedFor(String target, String wanted) throws Exception {
        set(CREDENTIALS);

        Targets.find(java.util.Optional.empty(), here()).named(target);

        assertThat(credentialsAskedFor()).isEqualTo(wanted);
    }

    @ParameterizedTest
    @CsvSource({
        "'', KUBE_TOKEN",
        "'resultsDir: /results/here', KUBE_TOKEN",
        "'inputs: [/results/earlier]', KUBE_TOKEN",
        "'inputs: [hf_model://org/name]', KUBE_TOKEN",
        "'spec: {note: s3 is not used}', KUBE_TOKEN",
        "'inputs: [s3://team/coco]', KUBE_TOKEN S3_ACCESS S3_SECRET",
        "'outputs: [/results/one]', KUBE_TOKEN S3_ACCESS S3_SECRET",
        "'resultsDir: s3://team/there', KUBE_TOKEN S3_ACCESS S3_SECRET",
        "'resultsDir: /lost/with/the/pod', KUBE_TOKEN S3_ACCESS S3_SECRET"
    })
    @Promise("GE-05")
    void theKeysOfAStorageAreAskedForOnlyByJobsWhoseDataIsThere(String asksFor, String wanted) throws Exception {
        set(CREDENTIALS);
        values.put("HF_ENDPOINT", "http://127.0.0.1:1");
        String job = "image: nvcr.io/nvidia/tao:6\ncommand: x {config_path}\nenv: {HF_ENDPOINT: 'http://127.0.0.1:1'}\n"
                + (asksFor.startsWith("spec") ? "" : "spec: {a: 1}\n") + asksFor + "\n";

        run("preflight", "pods", job);

        assertThat(text()).contains("cluster");
        assertThat(credentialsAskedFor()).isEqualTo(wanted);
    }

    @Test
    @Promise("GE-05")
    void aMissingKeyHindersNoJobThatDoesWithoutAndIsNamedToOneThatDoesNot() throws Exception {
        set(Set.of("KUBE_TOKEN"));

        run("preflight", "pods", image("pods") + "command: x\n");
        String without = text();
        run("preflight", "pods", image("pods") + "command: x\ninputs: ['s3://team/coco']\n");

        assertThat(without).contains("cluster").doesNotContain("S3");
        assertThat(text()).contains("The environment variable S3_ACCESS is not set", "S3_BUCKET_NAME");
    }

    @Test
    @Promise("GE-05")
    void aPreviewNeedsNoKeys() throws Exception {
        set(Set.of("KUBE_TOKEN", "LEPTON_TOKEN"));

        assertThat(run("preview", "pods", image("pods") + "command: x\ninputs: ['s3://team/coco']\n"))
                .as(text())
                .isEqualTo(0);
        assertThat(text()).contains("AWS_SECRET_ACCESS_KEY");
        assertThat(run("preview", "stored", image("stored") + "command: x\ninputs: ['s3://team/coco']\n"))
                .as(text())
                .isEqualTo(0);
        assertThat(asked).doesNotContain("S3_ACCESS", "S3_SECRET");
    }

    @ParameterizedTest
    @CsvSource({
        "slurm1, yaml, lustre:///data/coco, /data/coco",
        "slurm1, json, lustre:///data/coco, /data/coco",
        "slurm1, toml, slurm://None/data/coco, /data/coco",
        "cluster, yaml, s3://team/coco/a.json, /results/inputs/team/coco/a.json",
        "cluster, json, s3://team/coco/a.json, /results/inputs/team/coco/a.json",
        "cluster, toml, aws://team/coco/a.json, /results/inputs/team/coco/a.json",
        "cloud, toml, hf_model://org/name/w.bin, /b/huggingface/org/name@main/w.bin",
        "local, yaml, https://h/coco.tar, /big/coco.tar",
        "local, toml, https://h/coco.tar, /big/coco.tar",
        "kaggle, toml, /kaggle/input/coco, /kaggle/input/coco"
    })
    @Promise("GE-09")
    void theSpecIsWrittenInTheFormatOfTheJobWithItsAddressesRewritten(
            String target, String format, String address, String path) throws Exception {
        set(CREDENTIALS);
        String options = target.equals("local") ? "options: {downloads: {/big/coco.tar: 'https://h/coco.tar'}}\n" : "";
        String input = target.startsWith("c") ? "inputs: ['" + address.replaceFirst("/[^/]*$", "") + "']\n" : "";
        String storage =
                target.equals("cluster") ? "secrets: {ACCESS_KEY: env:S3_ACCESS, SECRET_KEY: env:S3_SECRET}\n" : "";

        int code = run(
                "preview",
                target,
                image(target) + "command: x {config_path}\n" + options + input + storage + "specFormat: " + format
                        + "\nspec: {data: {root: '" + address + "', lr: 1e-4}}\n");

        String shown = text().replaceAll("\\\\+u0027", "'") // quotes of JSON, of a shell and of YAML around it
                .replaceAll("'\\\\+''", "'")
                .replaceAll("\\\\+n|\\s+", " ")
                .replaceAll("\\\\+\"", "\"");
        assertThat(code).as(text()).isEqualTo(0);
        assertThat(shown)
                .contains(
                        switch (format) {
                            case "yaml" -> "root: \"" + path + "\"";
                            case "json" -> "{\"data\":{\"root\":\"" + path + "\",\"lr\":1.0E-4}";
                            default -> "data.root = '" + path + "' data.lr = 1.0E-4 ";
                        });
        assertThat(shown).containsPattern("x \\S*spec\\S*\\." + format).doesNotContain("{config_path}");
    }

    @Test
    @Promise("GE-09")
    void aFormatThatDoesNotExistAndAValueThatTomlCannotSayAreNamed() throws Exception {
        int unknown = run("preview", "local", "command: x\nspecFormat: xml\n");
        String why = text();
        int nothing =
                run("preview", "local", "command: x {config_path}\nspecFormat: toml\nspec: {train: {resume: null}}\n");

        assertThat(unknown).isEqualTo(2);
        assertThat(why).contains("'specFormat'", "yaml, json, toml");
        assertThat(nothing).isEqualTo(2);
        assertThat(text()).contains("'train.resume' has no value, which TOML cannot say");
    }

    @Test
    void aValueThatIsNothingAndANumberOfAnyLengthArriveAsTheyAre() throws Exception {
        run(
                "preview",
                "local",
                "command: x {config_path}\nspec: {resume: null, big: 123456789012345678901234567890, day: 2026-11-21}\n");

        assertThat(text()).contains("resume: null", "big: 123456789012345678901234567890", "day: \"2026-11-21\"");
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
            assertThat(shown)
                    .as(target)
                    .contains("epochs:-3", "batch_size:0")
                    .containsPattern("zorblax.*learning_rate:1(\\.0)?[eE]\\+?9.*stages:.*q.*z:true");
        }
    }
}
