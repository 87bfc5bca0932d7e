package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmScript;
import io.jenkins.plugins.tao.failure.FailureRule;
import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kept srun from launching: the job's frame decides by awk, the rules by Java, and both the same. */
final class WrapperWordsTest {
    private static final Path CORPUS = Path.of("src/test/resources/io/jenkins/plugins/tao/failure/corpus.txt");
    private static final Pattern CONTAINER = Pattern.compile("pyxis|enroot|--container-");

    @TempDir
    Path directory;

    private static List<FailureRule> rules() {
        return FailureRules.own().beginningWith("^srun: error: ", "slurm");
    }

    private static String byRules(String line) {
        boolean node = rules().stream()
                .filter(rule -> rule.pattern().matcher(line).find())
                .findFirst()
                .filter(rule -> rule.cause() == Cause.NODE_FAILURE)
                .isPresent();
        return node ? "node" : CONTAINER.matcher(line).find() ? "command" : "launch";
    }

    /** The frame's function, of each line alone. */
    private List<String> byFrame(List<String> lines) throws Exception {
        FakeSlurm slurm = new FakeSlurm(directory);
        String script = SlurmScript.render(
                SlurmPlan.of(slurm.target(), WrapperStage.job("true").build(), Sample.KEY));
        int from = script.indexOf("tao_why_not_launched() {");
        String function = script.substring(from, script.indexOf("\n}\n", from) + 3);
        Path said = Files.write(directory.resolve("said"), lines);
        Path program = Files.writeString(
                directory.resolve("program"),
                function + "while IFS= read -r line; do printf '%s\\n' \"$line\" | tao_why_not_launched; done < '"
                        + said + "'\n");
        Process bash = new ProcessBuilder("bash", program.toString())
                .redirectErrorStream(true)
                .start();
        return new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    @Test
    void theFrameDecidesByTheRules() throws Exception {
        List<String> lines = new ArrayList<>(Files.readAllLines(CORPUS).stream()
                .filter(line -> line.matches("(srun|slurmstepd\\S*): .*"))
                .distinct()
                .toList());
        lines.addAll(List.of(
                "srun: error: Zero Bytes were transmitted or received",
                "srun: error: Node gpu02 not responding",
                "srun: error: Invalid node name specified"));

        List<String> decided = byFrame(lines);

        assertThat(decided).hasSameSizeAs(lines);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(decided.get(i)).as(lines.get(i)).isEqualTo(byRules(lines.get(i)));
        }
        assertThat(decided).contains("node", "launch", "command");
        for (FailureRule rule : rules()) {
            assertThat(lines)
                    .as("a line for " + rule.pattern())
                    .anyMatch(line -> rule.pattern().matcher(line).find());
        }
    }
}
