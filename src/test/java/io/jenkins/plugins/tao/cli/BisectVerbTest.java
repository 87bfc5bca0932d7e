package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search for the first bad commit in a real repository. */
class BisectVerbTest {
    private static final String JUDGE = "echo x >>runs; n=$(git show $TAO_COMMIT:n); [ $n -lt 11 ] || exit 5";

    @TempDir
    private Path directory;

    private Bench bench;

    private String sh(String command) throws Exception {
        Process process = new ProcessBuilder("sh", "-ec", command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }

    @BeforeEach
    void sixteenCommits() throws Exception {
        bench = new Bench(directory);
        sh("git init -q . && for i in $(seq 0 16); do echo $i >n; git add n;"
                + " git -c user.name=ana -c user.email=ana@example.org commit -qm $i; git tag v$i; done");
    }

    private int bisect(String budget) {
        return bench.tao("bisect", "--good", "v0", "--bad", "v16", "--command", JUDGE, "--budget", budget);
    }

    @Test
    @Promise("NV-21")
    void itFindsTheCommitWithinItsBudgetAndGoesOnWhereItWas() throws Exception {
        assertThat(bisect("2")).isZero();
        assertThat(bench.out()).contains("the budget of 2 runs is spent");

        assertThat(bisect("8")).isZero();

        assertThat(bench.out()).contains("The first bad commit is " + sh("git rev-parse v11") + ".");
        List<String> runs = Files.readAllLines(directory.resolve("runs"));
        assertThat(runs).hasSize(4);
    }

    @Test
    void commitsThatGitDoesNotKnowAreRefusedBeforeAnythingRuns() {
        assertThat(bench.tao("bisect", "--good", "v0", "--bad", "nowhere", "--command", JUDGE))
                .isEqualTo(2);
        assertThat(bench.err()).contains("git knows no way from v0 to nowhere");
        assertThat(directory.resolve("runs")).doesNotExist();
    }
}
