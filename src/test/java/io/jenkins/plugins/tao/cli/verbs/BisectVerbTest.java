package io.jenkins.plugins.tao.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.cli.Bench;
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
        assertThat(bench.err())
                .contains("git knows no way from v0 to nowhere: fatal: ")
                .contains("'v0..nowhere'");
        assertThat(directory.resolve("runs")).doesNotExist();
    }

    @Test
    @Promise("NV-21")
    void anInterruptedCommandAnswersNothingAndTheSameCallGoesOn() throws Exception {
        String killed = "[ -e second ] || { touch second; kill -TERM $$; }; " + JUDGE;
        assertThat(bench.tao("bisect", "--good", "v0", "--bad", "v16", "--command", killed))
                .isEqualTo(7);
        assertThat(bench.err()).contains("The command was interrupted (exit code 143)");
        assertThat(directory.resolve("tao-bisect.json")).doesNotExist();
        assertThat(bench.tao("bisect", "--good", "v0", "--bad", "v16", "--command", "exit 130"))
                .isEqualTo(130);

        assertThat(bench.tao("bisect", "--good", "v0", "--bad", "v16", "--command", killed))
                .isZero();
        assertThat(bench.out()).contains("The first bad commit is " + sh("git rev-parse v11") + ".");
    }

    @Test
    @Promise("NV-21")
    void answersOfAnotherCommandAreNotTaken() throws Exception {
        assertThat(bisect("2")).isZero();

        assertThat(bench.tao("bisect", "--good", "v0", "--bad", "v16", "--command", "exit 5"))
                .isEqualTo(2);
        assertThat(bench.err()).contains("holds the answers of another command: " + JUDGE);
        Files.writeString(directory.resolve("tao-bisect.json"), "{}");
        assertThat(bisect("8")).isEqualTo(2);
        assertThat(bench.err()).contains("holds no search");
    }

    @Test
    void whatTheCommandPrintsIsShown() {
        assertThat(bench.tao("bisect", "--good", "v14", "--bad", "v16", "--command", "echo out; echo err >&2; exit 5"))
                .isZero();
        assertThat(bench.err()).contains("out\nerr\n");
    }
}
