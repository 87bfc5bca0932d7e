package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a run leaves on this machine and what it does not bring home. */
class LeftFilesTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    private Path found(String name) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("runs"))) {
            return files.filter(path -> path.endsWith(name)).findFirst().orElseThrow();
        }
    }

    @Test
    @Promise("NS-18")
    void whatIsTooLargeStaysAndIsNamedWithItsAddressInAFileOfTheRun() throws Exception {
        Bench bench = new Bench(directory, BackendTypes.load());
        bench.write("tao-targets.yaml", "targets: {here: {backend: local, baseDirectory: " + directory + "/tao}}\n");
        bench.write("job.yaml", """
                target: here
                archive: ['*.pth']
                command: |
                  cd "$TAO_RESULTS_DIR" || exit 1
                  head -c 2000000 /dev/zero > big.pth
                  echo small > small.pth
                  mkdir -p .tao/code && echo code > .tao/code/own.pth
                """);

        assertThat(bench.tao("run", "job.yaml", "--interval", "1s", "--archive-limit", "1M", "--archive-dir", "runs"))
                .as(bench::err)
                .isZero();

        JsonNode left = new JsonMapper().readTree(Files.readString(found(Journal.LEFT)));
        assertThat(found("small.pth")).hasContent("small");
        assertThat(left.path("results").asText()).startsWith("here:" + directory + "/tao");
        assertThat(left.path("left")).hasSize(1);
        assertThat(left.path("left").path(0).asText())
                .startsWith("results/big.pth")
                .contains("more than the limit of 1 MiB a file; it stays at ")
                .contains("/big.pth");
        assertThat(bench.out() + bench.err()).contains("results/big.pth").contains("it stays at ");
    }

    @Test
    void aListWithoutJobsSaysWhereItLooked() {
        Bench bench = new Bench(directory);
        assertThat(bench.tao("list")).isZero();
        assertThat(bench.out()).isEmpty();
        assertThat(bench.err())
                .isEqualTo("tao: no job was sent from here. " + directory.resolve("home/.local/state/tao-run")
                        + " has no record of one.\n");
    }

    @Test
    void eachFileOfTheFolderOfARunIsDescribed() throws IOException {
        Bench bench = new Bench(directory);
        bench.write("gated.yaml", "target: fake\ncommand: exit 7\ngates: [{kpi: loss}]\n");
        bench.tao("run", "gated.yaml", "--id", "one");

        String page = Files.readString(Path.of("docs/guides/terminal.md"));
        try (Stream<Path> files = Files.list(directory.resolve("tao-artifacts/one"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> "`" + file.getFileName() + "`")
                            .toList())
                    .hasSizeGreaterThan(5)
                    .allSatisfy(file -> assertThat(page).contains(file));
        }
    }
}
