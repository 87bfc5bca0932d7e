package io.jenkins.plugins.tao.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.cli.Program;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import io.jenkins.plugins.tao.payload.S3Server;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths asked for from a terminal, with the backends as they are shipped. */
class LsVerbTest {
    @TempDir
    Path directory;

    private final S3Server s3 = S3Server.start().bucket("data");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void data() throws Exception {
        s3.put("data", "coco/train/1.jpg", "x").put("data", "coco/train/2.jpg", "xx");
        s3.put("data", "coco/labels.json", "{}");
        Files.createDirectories(directory.resolve("coco/train"));
        Files.writeString(directory.resolve("coco/labels.json"), "{}");
        Files.writeString(directory.resolve("tao-targets.yaml"), """
                targets:
                  cluster: {backend: kubernetes, server: 'https://127.0.0.1:1', token: env:KEY, s3: {
                    endpoint: '%s', accessKey: env:KEY, secretKey: env:SECRET}}
                  cloud: {backend: lepton, workspace: w, token: env:KEY, url: 'http://127.0.0.1:1', s3: {
                    endpoint: '%s', accessKey: env:KEY, secretKey: env:SECRET}}
                  bare: {backend: lepton, workspace: w, token: env:KEY, url: 'http://127.0.0.1:1'}
                  kaggle: {backend: kaggle, username: ada, key: env:KEY}
                """.formatted(s3.endpoint(), s3.endpoint()));
    }

    @AfterEach
    void close() {
        s3.close();
    }

    private int tao(String... arguments) {
        Surroundings here = new Surroundings(
                Map.of("KEY", S3Server.ACCESS.reveal(), "SECRET", S3Server.SECRET.reveal()),
                directory,
                directory,
                new Surroundings.Terminal(
                        false,
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                Clock.systemUTC(),
                BackendTypes.load(),
                HastyTicker::new);
        return Program.execute(here, new Interrupts(() -> {}), arguments);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    @Test
    @Promise("GE-25")
    void aDirectoryOfThisMachineIsListed() {
        assertThat(tao("ls", "local", directory + "/coco/")).isEqualTo(0);

        assertThat(text()).isEqualTo("              2  labels.json\n              -  train/\n");
    }

    @Test
    void aSingleFileIsToldWithItsSize() {
        assertThat(tao("ls", "local", directory + "/coco/labels.json", "--json"))
                .isEqualTo(0);

        assertThat(text())
                .endsWith("\n")
                .contains("\"name\":\"labels.json\"", "\"kind\":\"file\"", "\"size\":2")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster", "cloud"})
    @Promise("GE-25")
    void anS3AddressIsListedWithTheKeysOfTheTarget(String target) {
        assertThat(tao("ls", target, "s3://data/coco/")).isEqualTo(0);

        assertThat(text()).isEqualTo("              2  labels.json\n              -  train/\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster", "cloud"})
    void aSingleObjectIsToldWithItsSize(String target) {
        assertThat(tao("ls", target, "s3://data/coco/train/2.jpg")).isEqualTo(0);

        assertThat(text()).isEqualTo("              2  2.jpg\n");
    }

    @Test
    void nothingThereExitsWith2AndSaysWhere() {
        assertThat(tao("ls", "local", directory + "/gone")).isEqualTo(2);
        assertThat(tao("ls", "cluster", "s3://data/coc")).isEqualTo(2);

        assertThat(text())
                .contains("there is nothing at " + directory + "/gone on target 'local'")
                .contains("there is nothing at s3://data/coc on target 'cluster'");
    }

    @Test
    void aPlaceThatOnlyJobsSeeIsToldWithTheWayToLookThere() {
        assertThat(tao("ls", "cluster", "/results/x")).isEqualTo(2);
        assertThat(tao("ls", "bare", "s3://data/coco")).isEqualTo(2);
        assertThat(tao("ls", "kaggle", "/kaggle/input")).isEqualTo(2);

        assertThat(text())
                .contains("run a job with the command: ls -l /results/x")
                .contains("'bare' has no keys to look at s3://data/coco", "S3_BUCKET_NAME")
                .contains("'kaggle' has no storage that can be looked at from here");
    }

    @Test
    @Promise("GE-24")
    void anAddressWithADoubleSlashIsToldWithWhatIsWrong() {
        assertThat(tao("ls", "cluster", "s3://data/coco//train")).isEqualTo(2);

        assertThat(text()).contains("has an empty part between two slashes", "Correct the address.");
    }

    @Test
    void aNameCannotWriteOnTheTerminalWhatItLikes() throws Exception {
        Files.createDirectories(directory.resolve("odd"));
        Files.writeString(directory.resolve("odd/a\u001b[2Jb"), "");

        tao("ls", "local", directory + "/odd");

        assertThat(text()).contains("a?[2Jb").doesNotContain("\u001b");
    }
}
